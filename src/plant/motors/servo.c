#include "plant/motors/servo.h"

#include <math.h>

#define HEADROOM 6.7       // torque lost per share of the no-load speed, in stall torques
#define BRAKE_MAX 4.0      // most that the shorted winding brakes, in stall torques
#define RESISTANCE_OHM 8.0 // 12 V, 1.5 A
#define QUIESCENT_A 0.05
#define CAPACITY_J_K 20.0 // of winding and housing, about
#define COOLING_K_W 8.0
#define ROUNDING_RAD 1e-9
#define FREE_SPEED_MIN 0.02 // share of the no-load speed at which a gap closes at least

static double clamp(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

double servo_no_load_rad_s(double voltage_V)
{
    return SERVO_NO_LOAD_RAD_S * voltage_V / SERVO_NOMINAL_V;
}

void servo_start(struct servo *servo, double position_rad)
{
    *servo = (struct servo){.temperature_C = SERVO_AMBIENT_C,
                            .sensed_rad = position_rad,
                            .setpoint_rad = position_rad,
                            .last_rad = position_rad};
}

// ---- loop ---------------------------------------------------------------------------------------

static void move_setpoint(struct servo *servo, const struct servo_orders *orders, double step_s)
{
    if (!orders->on || !servo->holding)
        servo->setpoint_rad = servo->sensed_rad;
    servo->holding = orders->on;
    const double way_rad = orders->goal_rad - servo->setpoint_rad;
    const double most_rad = orders->speed_rad_s > 0 ? orders->speed_rad_s * step_s : INFINITY;
    if (orders->on)
        servo->setpoint_rad += clamp(way_rad, -most_rad, most_rad);
    servo->moving = orders->on && servo->setpoint_rad != orders->goal_rad;
}

static double duty_of(const struct servo *servo, const struct servo_orders *orders)
{
    if (!orders->on || servo->damage.dead)
        return 0;
    if (orders->wheel)
        return clamp(orders->duty, -orders->torque_limit, orders->torque_limit);
    const double error_rad = servo->setpoint_rad - servo->sensed_rad;
    const int side = error_rad > 0;
    const double beyond_rad = fabs(error_rad) - orders->margin_rad[side];
    if (beyond_rad <= ROUNDING_RAD)
        return 0;
    const double share = clamp(beyond_rad / orders->slope_rad[side], orders->punch, 1);
    return copysign(fmin(share, orders->torque_limit), error_rad);
}

// ---- motor and gear -----------------------------------------------------------------------------

// Torque of the motor: the drive's share of the time, and the brake's. *drive_Nm: while it drives.
static double motor_torque_Nm(double duty, double voltage_V, double strength_share,
                              double velocity_rad_s, double *drive_Nm)
{
    const double stall_Nm = SERVO_STALL_NM * (1 + strength_share) * voltage_V / SERVO_NOMINAL_V;
    const double no_load_rad_s = servo_no_load_rad_s(voltage_V);
    *drive_Nm = 0;
    if (no_load_rad_s <= 0)
        return 0;
    const double speed = velocity_rad_s / no_load_rad_s;
    const double sign = duty < 0 ? -1 : 1;
    *drive_Nm =
        duty == 0 ? 0 : sign * stall_Nm * clamp(HEADROOM * (1 - sign * speed), -BRAKE_MAX, 1);
    const double brake_Nm = -stall_Nm * clamp(HEADROOM * speed, -BRAKE_MAX, BRAKE_MAX);
    return fabs(duty) * *drive_Nm + (1 - fabs(duty)) * brake_Nm;
}

// Whether the gear's teeth touch on the side on which this torque pushes; if not, the motor turns
// through the gap.
static bool is_engaged(struct servo *servo, double torque_Nm, double velocity_rad_s, double step_s)
{
    const double half_rad = (SERVO_BACKLASH_RAD + servo->damage.backlash_rad) / 2;
    const double no_load_rad_s = servo_no_load_rad_s(servo->voltage_V);
    double rate_rad_s = servo->duty * no_load_rad_s - velocity_rad_s;
    if (rate_rad_s * torque_Nm <= 0 && torque_Nm != 0)
        rate_rad_s = copysign(FREE_SPEED_MIN * no_load_rad_s, torque_Nm);
    servo->gap_rad = clamp(servo->gap_rad + rate_rad_s * step_s, -half_rad, half_rad);
    return fabs(servo->gap_rad) >= half_rad && servo->gap_rad * torque_Nm > 0;
}

// ---- energy and heat ----------------------------------------------------------------------------

// Accounts for the step just made: the shaft has turned by `turned_rad`.
static void account(struct servo *servo, double turned_rad, double step_s)
{
    const double current_A = servo->drive_Nm / (SERVO_TORQUE_NM_A * (1 + servo->strength_share));
    const double share = servo->torque_Nm != 0 ? fabs(servo->duty) : 0; // idles in a gap
    const double drive_J =
        share * (servo->drive_Nm * turned_rad + current_A * current_A * RESISTANCE_OHM * step_s);
    // The drive cannot feed anything back into the supply.
    const double supply_J = fmax(drive_J, 0) + QUIESCENT_A * servo->voltage_V * step_s;
    const double work_J = servo->torque_Nm * turned_rad;
    const double heat_J = supply_J - work_J;
    servo->current_A = servo->voltage_V > 0 ? supply_J / step_s / servo->voltage_V : 0;
    servo->energy.supply_J += supply_J;
    servo->energy.work_J += work_J;
    servo->energy.heat_J += heat_J;
    const double cooling_W = (servo->temperature_C - SERVO_AMBIENT_C) / COOLING_K_W;
    servo->temperature_C += (heat_J - cooling_W * step_s) / CAPACITY_J_K;
}

struct servo_output servo_step(struct servo *servo, const struct servo_orders *orders,
                               double voltage_V, double position_rad, double velocity_rad_s,
                               double step_s)
{
    account(servo, position_rad - servo->last_rad, step_s);
    servo->last_rad = position_rad;
    servo->voltage_V = fmax(voltage_V, 0);
    servo->sensed_rad = position_rad - servo->damage.slip_rad;
    move_setpoint(servo, orders, step_s);
    servo->duty = duty_of(servo, orders);
    double torque_Nm = motor_torque_Nm(servo->duty, servo->voltage_V, servo->strength_share,
                                       velocity_rad_s, &servo->drive_Nm);
    // Off, the winding is open: nothing brakes.
    const bool open = !orders->on || servo->damage.dead;
    if (!is_engaged(servo, torque_Nm, velocity_rad_s, step_s) || open || servo->damage.free ||
        servo->damage.stuck)
        torque_Nm = 0;
    servo->torque_Nm = torque_Nm;
    const double friction_Nm = servo->damage.free ? 0
                               : servo->damage.stuck
                                   ? SERVO_STUCK_NM
                                   : SERVO_FRICTION_NM * (1 + servo->friction_share);
    return (struct servo_output){torque_Nm, friction_Nm};
}
