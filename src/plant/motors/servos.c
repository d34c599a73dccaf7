#include "plant/motors/servos.h"

#include <math.h>
#include <stdlib.h>

#include "base/invariant.h"

#define POSITION_MAX 1023
#define MIDDLE (POSITION_MAX / 2.0)
#define SHARE_MAX 1023.0
#define SPEED_MAX 1023u
#define PRESENT_SPEED_MAX 1023
#define OVERLOAD_S 1.0      // at its torque limit without moving
#define OVERLOAD_RAD_S 0.05 // that slow is not moving
#define BYTE_MAX 255.0

struct servos {
    unsigned count;
    struct dxl_device device[SERVOS_MAX];
    struct servo servo[SERVOS_MAX];
    double overload_s[SERVOS_MAX];
    double battery_V, battery_ohm;
    double voltage_V;
};

static double angle_of(unsigned position)
{
    return ((double)position - MIDDLE) * SERVO_STEP_RAD;
}

static unsigned rounded(double value, double most)
{
    return (unsigned)fmin(fmax(floor(value + 0.5), 0), most);
}

static unsigned position_of(double angle_rad)
{
    return rounded(angle_rad / SERVO_STEP_RAD + MIDDLE, POSITION_MAX);
}

enum status servos_create(unsigned count, const uint8_t *id, const double *position_rad,
                          struct servos **servos)
{
    *servos = NULL;
    if (count > SERVOS_MAX)
        return STATUS_INVALID;
    struct servos *created = calloc(1, sizeof *created);
    if (created == NULL)
        return STATUS_NO_MEMORY;
    created->count = count;
    created->battery_V = created->voltage_V = SERVOS_BATTERY_V;
    created->battery_ohm = SERVOS_BATTERY_OHM;
    for (unsigned i = 0; i < count; i++) {
        dxl_device_start(&created->device[i], id[i]);
        servo_start(&created->servo[i], position_rad[i]);
        dxl_put(&created->device[i], DXL_POSITION, position_of(position_rad[i]));
        dxl_put(&created->device[i], DXL_GOAL, position_of(position_rad[i]));
    }
    *servos = created;
    return STATUS_OK;
}

void servos_free(struct servos *servos)
{
    free(servos);
}

struct dxl_device *servos_device(struct servos *servos, unsigned i)
{
    expects(i < servos->count);
    return &servos->device[i];
}

const struct servo *servos_servo(const struct servos *servos, unsigned i)
{
    expects(i < servos->count);
    return &servos->servo[i];
}

void servos_vary(struct servos *servos, unsigned i, double strength_share, double friction_share)
{
    expects(i < servos->count);
    servos->servo[i].strength_share = strength_share;
    servos->servo[i].friction_share = friction_share;
}

void servos_vary_battery(struct servos *servos, double share)
{
    servos->battery_V = servos->voltage_V = SERVOS_BATTERY_V * (1 + share);
}

double servos_voltage_V(const struct servos *servos)
{
    return servos->voltage_V;
}

// ---- registers ----------------------------------------------------------------------------------

static struct servo_orders orders_of(const struct dxl_device *device)
{
    const unsigned speed = dxl_get(device, DXL_SPEED);
    const double share = (speed & SPEED_MAX) / SHARE_MAX;
    return (struct servo_orders){
        .on = dxl_get(device, DXL_TORQUE_ON) != 0,
        .wheel = dxl_is_wheel(device),
        .duty = speed & DXL_CLOCKWISE ? -share : share,
        .goal_rad = angle_of(dxl_get(device, DXL_GOAL)),
        .speed_rad_s = speed * SERVO_SPEED_STEP_RAD_S,
        .torque_limit = dxl_get(device, DXL_TORQUE_LIMIT) / SHARE_MAX,
        .punch = dxl_get(device, DXL_PUNCH) / SHARE_MAX,
        .margin_rad = {dxl_get(device, DXL_CW_MARGIN) * SERVO_STEP_RAD,
                       dxl_get(device, DXL_CCW_MARGIN) * SERVO_STEP_RAD},
        .slope_rad = {dxl_get(device, DXL_CW_SLOPE) * SERVO_STEP_RAD,
                      dxl_get(device, DXL_CCW_SLOPE) * SERVO_STEP_RAD},
    };
}

// Bit 10 is the sign, which is clockwise.
static unsigned with_sign(double value)
{
    return rounded(fabs(value), PRESENT_SPEED_MAX) | (value < 0 ? DXL_CLOCKWISE : 0);
}

static void show(struct servos *servos, unsigned i, double velocity_rad_s)
{
    struct dxl_device *device = &servos->device[i];
    const struct servo *servo = &servos->servo[i];
    dxl_put(device, DXL_POSITION, position_of(servo->sensed_rad));
    dxl_put(device, DXL_PRESENT_SPEED, with_sign(velocity_rad_s / SERVO_SPEED_STEP_RAD_S));
    dxl_put(device, DXL_LOAD, with_sign(servo->duty * SHARE_MAX));
    dxl_put(device, DXL_VOLTAGE, rounded(servos->voltage_V * 10, BYTE_MAX));
    dxl_put(device, DXL_TEMPERATURE, rounded(servo->temperature_C, BYTE_MAX));
    dxl_put(device, DXL_MOVING, servo->moving);
}

// ---- alarms -------------------------------------------------------------------------------------

static bool is_overloaded(struct servos *servos, unsigned i, const struct servo_orders *orders,
                          double velocity_rad_s, double step_s)
{
    expects(i < servos->count && step_s > 0);
    const bool overloaded = servos->overload_s[i] >= OVERLOAD_S;
    if (orders->torque_limit <= 0) // shut down, it says why until its limit is written again
        return overloaded;
    if (overloaded && (dxl_get(&servos->device[i], DXL_SHUTDOWN) & DXL_ERROR_OVERLOAD) != 0)
        servos->overload_s[i] = 0;
    const bool strains = fabs(servos->servo[i].duty) >= orders->torque_limit &&
                         fabs(velocity_rad_s) < OVERLOAD_RAD_S;
    servos->overload_s[i] = strains ? servos->overload_s[i] + step_s : 0;
    return servos->overload_s[i] >= OVERLOAD_S;
}

// Alarms that hold, and the servo's own shutdown: no torque until its limit is written again.
static void watch(struct servos *servos, unsigned i, bool overloaded)
{
    struct dxl_device *device = &servos->device[i];
    const unsigned voltage = dxl_get(device, DXL_VOLTAGE);
    unsigned alarms = overloaded ? DXL_ERROR_OVERLOAD : 0;
    if (voltage < dxl_get(device, DXL_VOLTAGE_MIN) || voltage > dxl_get(device, DXL_VOLTAGE_MAX))
        alarms |= DXL_ERROR_VOLTAGE;
    if (dxl_get(device, DXL_TEMPERATURE) > dxl_get(device, DXL_TEMPERATURE_LIMIT))
        alarms |= DXL_ERROR_OVERHEAT;
    device->alarms = (uint8_t)alarms;
    if ((alarms & dxl_get(device, DXL_SHUTDOWN)) != 0)
        dxl_put(device, DXL_TORQUE_LIMIT, 0);
    dxl_put(device, DXL_LED,
            dxl_get(device, DXL_LED) | ((alarms & dxl_get(device, DXL_ALARM_LED)) != 0));
}

void servos_step(struct servos *servos, const double *position_rad, const double *velocity_rad_s,
                 double step_s, struct servo_output *output)
{
    double current_A = 0;
    for (unsigned i = 0; i < servos->count; i++) {
        const struct servo_orders orders = orders_of(&servos->device[i]);
        output[i] = servo_step(&servos->servo[i], &orders, servos->voltage_V, position_rad[i],
                               velocity_rad_s[i], step_s);
        current_A += servos->servo[i].current_A;
        show(servos, i, velocity_rad_s[i]);
        watch(servos, i, is_overloaded(servos, i, &orders, velocity_rad_s[i], step_s));
    }
    servos->voltage_V = fmax(servos->battery_V - servos->battery_ohm * current_A, 0);
}

// ---- disturbances -------------------------------------------------------------------------------

#define MILLI 1e-3
#define MICRO 1e-6

static bool disturb_battery(struct servos *servos, const struct dxl_disturbance *what, double sign)
{
    if (what->kind == DXL_DISTURB_VOLTAGE)
        servos->battery_V -= sign * (double)what->value * MILLI;
    else if (what->kind == DXL_DISTURB_SAG)
        servos->battery_ohm += sign * (double)what->value * MILLI;
    else
        return false;
    return true;
}

bool servos_disturb(struct servos *servos, unsigned i, const struct dxl_disturbance *what, bool on)
{
    const double sign = on ? 1 : -1;
    if (disturb_battery(servos, what, sign))
        return true;
    if (i >= servos->count)
        return false;
    struct servo *servo = &servos->servo[i];
    switch (what->kind) {
    case DXL_DISTURB_DEAD:
        servo->damage.dead = on;
        return true;
    case DXL_DISTURB_STUCK:
        servo->damage.stuck = on;
        return true;
    case DXL_DISTURB_FREE:
        servo->damage.free = on;
        return true;
    case DXL_DISTURB_HEAT: // it has cooled down when the disturbance goes
        servo->temperature_C = on ? (double)what->value * MILLI : SERVO_AMBIENT_C;
        return true;
    case DXL_DISTURB_SLIP:
        servo->damage.slip_rad += sign * (double)what->value * MICRO;
        return true;
    case DXL_DISTURB_BACKLASH:
        servo->damage.backlash_rad += sign * (double)what->value * MICRO;
        return true;
    default:
        return false;
    }
}
