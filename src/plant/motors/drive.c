#include "plant/motors/drive.h"

#include <math.h>
#include <string.h>

#define POSITION_GAIN_DEFAULT 100
#define CURRENT_GAIN_DEFAULT 50
#define ENCODER_RESOLUTION 1000
#define CURRENT_MAX_10MA 1000
#define PWM_MAX_PERCENT 100

void drive_start(struct drive *drive, const struct motor *motor)
{
    *drive = (struct drive){.from_rad = motor->setpoint_rad,
                            .to_rad = motor->setpoint_rad,
                            .length = duration_ns(1),
                            .driver_on = true,
                            .control_on = true,
                            .home = HUBO_HOMED,
                            .position = {POSITION_GAIN_DEFAULT, 0, 0},
                            .current = {CURRENT_GAIN_DEFAULT, 0, 0}};
}

void drive_unhome(struct drive *drive, const struct joint_description *joint,
                  const struct motor *motor)
{
    drive->home = 0;
    drive->zero_ticks = hubo_ticks(motor->position_rad, joint->ticks_per_rad);
}

// ---- set point ----------------------------------------------------------------------------------

static double setpoint_rad(const struct drive *drive, instant t)
{
    double share = (double)instant_sub(t, drive->since).ns / (double)drive->length.ns;
    if (share >= 1)
        return drive->to_rad;
    return drive->from_rad + (drive->to_rad - drive->from_rad) * fmax(share, 0);
}

static void approach(struct drive *drive, double to_rad, instant t, duration length)
{
    drive->from_rad = setpoint_rad(drive, t);
    drive->to_rad = to_rad;
    drive->since = t;
    drive->length = length;
}

void drive_hold(struct drive *drive, const struct motor *motor)
{
    drive->from_rad = drive->to_rad = motor->position_rad;
}

static int32_t within_limits(const struct drive *drive, int32_t ticks)
{
    if (drive->has_lower && ticks < drive->lower_ticks)
        return drive->lower_ticks;
    return drive->has_upper && ticks > drive->upper_ticks ? drive->upper_ticks : ticks;
}

void drive_refer(struct drive *drive, const struct joint_description *joint, int32_t ticks,
                 instant t, duration interpolation)
{
    if (drive->home == HUBO_HOMING) // the search is not disturbed
        return;
    const double to_rad =
        hubo_angle_rad(within_limits(drive, ticks) + drive->zero_ticks, joint->ticks_per_rad);
    duration length = interpolation;
    if (drive->velocity_ticks_ms != 0) {
        const double distance = fabs((to_rad - setpoint_rad(drive, t)) * joint->ticks_per_rad);
        const duration least = duration_s(distance / drive->velocity_ticks_ms / 1000);
        length = least.ns > length.ns ? least : length;
    }
    approach(drive, to_rad, t, length);
}

void drive_home(struct drive *drive, instant t)
{
    const duration length = duration_s(fabs(setpoint_rad(drive, t)) / HOMING_VELOCITY_RAD_S);
    drive->home = HUBO_HOMING;
    approach(drive, 0, t, length.ns > 0 ? length : duration_ns(1));
}

// ---- what is switched on ------------------------------------------------------------------------

static bool is_closed(const struct drive *drive)
{
    return drive->driver_on && drive->control_on && drive->mode == HUBO_MODE_POSITION;
}

void drive_switch(struct drive *drive, struct motor *motor, bool driver_on, bool control_on,
                  enum hubo_mode mode)
{
    const bool closed = is_closed(drive);
    drive->driver_on = driver_on;
    drive->control_on = control_on;
    drive->mode = mode;
    if (!closed && is_closed(drive))
        drive_hold(drive, motor);
    motor->enabled = is_closed(drive);
}

// A DC motor at a share of its supply: full torque at rest, none at the joint's greatest velocity.
// Complementary switching brakes at no pulses; else the motor coasts.
static double pulses_Nm(const struct drive *drive, const struct joint_description *joint,
                        const struct motor *motor)
{
    if (!drive->driver_on || (drive->pwm_percent == 0 && !drive->complementary))
        return 0;
    const double duty = 0.01 * drive->pwm_percent;
    return motor->torque_max_Nm * (duty - motor->velocity_rad_s / joint->velocity_max_rad_s);
}

void drive_update(struct drive *drive, const struct joint_description *joint, instant t,
                  struct motor *motor)
{
    motor->setpoint_rad = setpoint_rad(drive, t);
    motor->gain = (double)drive->position.proportional / POSITION_GAIN_DEFAULT;
    if (instant_before(t, drive->override_end))
        motor->gain *= drive->override_gain;
    motor->open_loop_Nm = pulses_Nm(drive, joint, motor);
    if (drive->home != HUBO_HOMING || instant_before(t, instant_add(drive->since, drive->length)))
        return;
    drive->home = HUBO_HOMED;
    drive->zero_ticks = 0;
}

int32_t drive_ticks(const struct drive *drive, const struct joint_description *joint,
                    const struct motor *motor)
{
    return hubo_ticks(motor->position_rad, joint->ticks_per_rad) - drive->zero_ticks;
}

// ---- parameters ---------------------------------------------------------------------------------

static void put_16(uint8_t *data, unsigned value)
{
    data[0] = (uint8_t)value;
    data[1] = (uint8_t)(value >> 8);
}

// The high half of a limit is in another frame than the low half.
static unsigned high(int32_t ticks)
{
    return (uint32_t)ticks >> 16;
}

void drive_parameters(const struct drive *drive, enum hubo_parameters kind, uint8_t data[8])
{
    memset(data, 0, 8);
    switch (kind) {
    case HUBO_PARAMETERS_A:
        put_16(data, (uint16_t)drive->position.proportional);
        put_16(data + 2, (uint16_t)drive->position.integral);
        put_16(data + 4, (uint16_t)drive->position.derivative);
        put_16(data + 6, ENCODER_RESOLUTION);
        return;
    case HUBO_PARAMETERS_C:
        put_16(data + 2, (uint16_t)drive->lower_ticks);
        put_16(data + 4, high(drive->lower_ticks));
        put_16(data + 6, (uint16_t)drive->upper_ticks);
        return;
    case HUBO_PARAMETERS_D:
        put_16(data, high(drive->upper_ticks));
        put_16(data + 2, drive->acceleration);
        put_16(data + 4, drive->velocity_ticks_ms);
        put_16(data + 6, PWM_MAX_PERCENT);
        return;
    case HUBO_PARAMETERS_E:
        put_16(data, CURRENT_MAX_10MA);
        put_16(data + 4, (uint16_t)drive->current.proportional);
        put_16(data + 6, (uint16_t)drive->current.derivative);
        return;
    default: // B: no dead zone, home is at the index; F: nothing
        return;
    }
}
