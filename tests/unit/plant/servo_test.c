// The AX-12 servo: the paper's step response, its registers, its alarms, and where its energy goes.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "plant/motors/servos.h"

#define DEGREE (3.14159265358979323846 / 180)
#define LOAD_KG_M2 0.04 // the paper's "inertial mass", which it does not give
#define SAMPLES_HZ 30
#define STEPS_PER_SAMPLE 100
#define STEP_S (1.0 / SAMPLES_HZ / STEPS_PER_SAMPLE)
#define SAMPLES_MAX 64

// A shaft with an inertia, which the servo turns.
struct shaft {
    double inertia_kg_m2, position_rad, velocity_rad_s;
};

static void turn(struct shaft *shaft, struct servo_output output, double step_s)
{
    const double inertia = shaft->inertia_kg_m2 + SERVO_ARMATURE_KG_M2;
    const double braked = output.friction_Nm / inertia * step_s;
    double velocity = shaft->velocity_rad_s + output.torque_Nm / inertia * step_s;
    velocity = fabs(velocity) <= braked ? 0 : velocity - copysign(braked, velocity);
    shaft->velocity_rad_s = velocity;
    shaft->position_rad += velocity * step_s;
}

static struct servos *one_servo(double position_rad)
{
    struct servos *servos;
    const uint8_t id = 1;
    ck_assert_int_eq(servos_create(1, &id, &position_rad, &servos), STATUS_OK);
    return servos;
}

static void run(struct servos *servos, struct shaft *shaft, double time_s, double step_s)
{
    struct servo_output output;
    for (unsigned i = 0; i < time_s / step_s; i++) {
        servos_step(servos, &shaft->position_rad, &shaft->velocity_rad_s, step_s, &output);
        turn(shaft, output, step_s);
    }
}

static void order(struct servos *servos, double goal_rad)
{
    dxl_put(servos_device(servos, 0), DXL_GOAL,
            (unsigned)lround(511.5 + goal_rad / SERVO_STEP_RAD));
    dxl_put(servos_device(servos, 0), DXL_TORQUE_ON, 1);
}

// ---- Fig. 7 of Lima et al. ----------------------------------------------------------------------

// Greatest first and second difference of a step of 50 degrees, sampled from `phase` steps on.
static void step_response(unsigned phase, double *speed_deg_s, double *acceleration_deg_s2)
{
    struct servos *servos = one_servo(0);
    struct shaft shaft = {.inertia_kg_m2 = LOAD_KG_M2};
    double sample[SAMPLES_MAX];
    *speed_deg_s = *acceleration_deg_s2 = 0;
    run(servos, &shaft, phase * STEP_S, STEP_S);
    order(servos, 50 * DEGREE);
    run(servos, &shaft, (STEPS_PER_SAMPLE - phase) * STEP_S, STEP_S);
    for (unsigned i = 0; i < SAMPLES_MAX; i++) {
        sample[i] = shaft.position_rad / DEGREE;
        run(servos, &shaft, 1.0 / SAMPLES_HZ, STEP_S);
        if (i > 0)
            *speed_deg_s = fmax(*speed_deg_s, (sample[i] - sample[i - 1]) * SAMPLES_HZ);
        if (i > 1)
            *acceleration_deg_s2 =
                fmax(*acceleration_deg_s2,
                     (sample[i] - 2 * sample[i - 1] + sample[i - 2]) * SAMPLES_HZ * SAMPLES_HZ);
    }
    ck_assert_double_eq_tol(shaft.position_rad / DEGREE, 50, 1.5);
    servos_free(servos);
}

START_TEST(a_step_of_50_degrees_looks_as_the_papers_at_every_phase)
{
    for (unsigned phase = 0; phase < STEPS_PER_SAMPLE; phase++) {
        double speed_deg_s, acceleration_deg_s2;
        step_response(phase, &speed_deg_s, &acceleration_deg_s2);
        ck_assert_double_le(speed_deg_s, 281);
        ck_assert_double_ge(speed_deg_s, 281 * 0.96);
        ck_assert_double_eq_tol(acceleration_deg_s2, 1400, 0.05 * 1400);
    }
}
END_TEST

// ---- registers ----------------------------------------------------------------------------------

START_TEST(the_speed_register_limits_the_speed)
{
    struct servos *servos = one_servo(0);
    struct shaft shaft = {.inertia_kg_m2 = 0.002};
    dxl_put(servos_device(servos, 0), DXL_SPEED, 45); // 30 deg/s
    order(servos, 60 * DEGREE);
    run(servos, &shaft, 0.5, 0.002);
    const double before_rad = shaft.position_rad;
    ck_assert_uint_eq(dxl_get(servos_device(servos, 0), DXL_MOVING), 1);
    run(servos, &shaft, 1, 0.002);
    ck_assert_double_eq_tol((shaft.position_rad - before_rad) / DEGREE, 29.97, 0.5);
    run(servos, &shaft, 2, 0.002);
    ck_assert_uint_eq(dxl_get(servos_device(servos, 0), DXL_MOVING), 0);
    servos_free(servos);
}
END_TEST

START_TEST(the_top_speed_follows_the_voltage)
{
    for (double lack_V = 0; lack_V < 3; lack_V++) {
        struct servos *servos = one_servo(0);
        struct shaft shaft = {.inertia_kg_m2 = 0.002};
        const struct dxl_disturbance drop = {.kind = DXL_DISTURB_VOLTAGE,
                                             .value = (int64_t)(lack_V * 1000)};
        ck_assert(servos_disturb(servos, 0, &drop, true));
        dxl_put(servos_device(servos, 0), DXL_CCW_LIMIT, 0); // a wheel
        dxl_put(servos_device(servos, 0), DXL_SPEED, 1023);
        dxl_put(servos_device(servos, 0), DXL_TORQUE_ON, 1);
        run(servos, &shaft, 1, 0.002);
        const double no_load = servo_no_load_rad_s(SERVOS_BATTERY_V - lack_V);
        ck_assert_double_gt(shaft.velocity_rad_s, 0.96 * no_load);
        ck_assert_double_lt(shaft.velocity_rad_s, no_load);
        ck_assert_double_eq_tol(dxl_get(servos_device(servos, 0), DXL_VOLTAGE),
                                (SERVOS_BATTERY_V - lack_V) * 10, 1.1);
        servos_free(servos);
    }
}
END_TEST

// The torque at rest when the goal is `steps` of the position register away.
static double torque_at(unsigned steps, enum dxl_register reg, unsigned value)
{
    struct servos *servos = one_servo(0.5 * SERVO_STEP_RAD);
    const double position_rad = 0.5 * SERVO_STEP_RAD, rest = 0;
    struct servo_output output;
    dxl_put(servos_device(servos, 0), reg, value);
    dxl_put(servos_device(servos, 0), DXL_GOAL, 512 + steps);
    dxl_put(servos_device(servos, 0), DXL_TORQUE_ON, 1);
    for (unsigned i = 0; i < 500; i++) // through the backlash
        servos_step(servos, &position_rad, &rest, 0.002, &output);
    servos_free(servos);
    return output.torque_Nm / (SERVO_STALL_NM * SERVOS_BATTERY_V / SERVO_NOMINAL_V);
}

START_TEST(compliance_punch_and_torque_limit_shape_the_torque)
{
    ck_assert_double_eq_tol(torque_at(17, DXL_CCW_SLOPE, 32), 0.5, 0.02);
    ck_assert_double_eq_tol(torque_at(17, DXL_CCW_SLOPE, 64), 0.25, 0.01);
    ck_assert_double_eq_tol(torque_at(17, DXL_CCW_MARGIN, 9), 0.25, 0.01);
    ck_assert_double_eq_tol(torque_at(1, DXL_CCW_SLOPE, 32), 0, 1e-9); // within the margin
    ck_assert_double_eq_tol(torque_at(2, DXL_PUNCH, 200), 200 / 1023.0, 0.01);
    ck_assert_double_eq_tol(torque_at(100, DXL_TORQUE_LIMIT, 512), 0.5, 0.02);
}
END_TEST

// ---- alarms and damage --------------------------------------------------------------------------

START_TEST(an_overheated_servo_shuts_itself_down_until_its_limit_is_written)
{
    struct servos *servos = one_servo(0);
    struct dxl_device *device = servos_device(servos, 0);
    struct shaft shaft = {.inertia_kg_m2 = 0.002};
    const struct dxl_disturbance heat = {.kind = DXL_DISTURB_HEAT, .value = 80000};
    order(servos, 0.5);
    run(servos, &shaft, 1, 0.002);
    ck_assert(servos_disturb(servos, 0, &heat, true));
    run(servos, &shaft, 0.1, 0.002);
    ck_assert_uint_eq(device->alarms, DXL_ERROR_OVERHEAT);
    ck_assert_uint_eq(dxl_get(device, DXL_TORQUE_LIMIT), 0);
    ck_assert_double_eq(servos_servo(servos, 0)->torque_Nm, 0);
    ck_assert(servos_disturb(servos, 0, &heat, false));
    run(servos, &shaft, 0.1, 0.002);
    ck_assert_uint_eq(device->alarms, 0);
    ck_assert_uint_eq(dxl_get(device, DXL_TORQUE_LIMIT), 0);
    dxl_put(device, DXL_TORQUE_LIMIT, 1023);
    order(servos, -0.5);
    run(servos, &shaft, 1, 0.002);
    ck_assert_double_eq_tol(shaft.position_rad, -0.5, 0.05);
    servos_free(servos);
}
END_TEST

START_TEST(a_blocked_servo_is_overloaded_and_a_strained_one_grows_hot)
{
    struct servos *servos = one_servo(0);
    struct dxl_device *device = servos_device(servos, 0);
    const double blocked = 0, rest = 0;
    struct servo_output output;
    order(servos, 1);
    for (unsigned i = 0; i < 900 / 2; i++)
        servos_step(servos, &blocked, &rest, 0.002, &output);
    ck_assert_uint_eq(device->alarms, 0);
    dxl_put(device, DXL_SHUTDOWN, DXL_ERROR_OVERHEAT);
    double hot_s = 0;
    for (; hot_s < 600 && (device->alarms & DXL_ERROR_OVERHEAT) == 0; hot_s += 0.005)
        servos_step(servos, &blocked, &rest, 0.005, &output);
    ck_assert_uint_eq(device->alarms, DXL_ERROR_OVERHEAT | DXL_ERROR_OVERLOAD);
    ck_assert_double_gt(hot_s, 20);
    ck_assert_double_lt(hot_s, 300);
    servos_free(servos);
}
END_TEST

START_TEST(damage_does_what_it_says_and_goes_again)
{
    static const struct {
        enum dxl_disturbance_kind kind;
        int64_t value;
        double reaches_rad; // instead of 0.5
    } damage[] = {{DXL_DISTURB_DEAD, 0, 0},
                  {DXL_DISTURB_STUCK, 0, 0},
                  {DXL_DISTURB_FREE, 0, 0},
                  {DXL_DISTURB_SLIP, 200000, 0.7}};
    for (size_t i = 0; i < sizeof damage / sizeof damage[0]; i++) {
        struct servos *servos = one_servo(0);
        struct shaft shaft = {.inertia_kg_m2 = 0.002};
        const struct dxl_disturbance what = {.kind = damage[i].kind, .value = damage[i].value};
        ck_assert(servos_disturb(servos, 0, &what, true));
        order(servos, 0.5);
        run(servos, &shaft, 1, 0.002);
        ck_assert_double_eq_tol(shaft.position_rad, damage[i].reaches_rad, 0.03);
        ck_assert(servos_disturb(servos, 0, &what, false));
        dxl_put(servos_device(servos, 0), DXL_TORQUE_LIMIT, 1023);
        run(servos, &shaft, 1.5, 0.002);
        ck_assert_double_eq_tol(shaft.position_rad, 0.5, 0.03);
        servos_free(servos);
    }
}
END_TEST

// How far the shaft has turned 35 ms after a goal was given.
static double turned_at_first(double backlash_rad)
{
    struct servos *servos = one_servo(0);
    struct shaft shaft = {.inertia_kg_m2 = 0.002};
    const struct dxl_disturbance more = {.kind = DXL_DISTURB_BACKLASH,
                                         .value = (int64_t)(backlash_rad * 1e6)};
    ck_assert(servos_disturb(servos, 0, &more, true));
    order(servos, 0.5);
    run(servos, &shaft, 0.035, 0.001);
    servos_free(servos);
    return shaft.position_rad;
}

START_TEST(the_motor_turns_through_backlash_before_the_shaft_does)
{
    ck_assert_double_gt(turned_at_first(0), 0.05);
    ck_assert_double_lt(turned_at_first(0.4), 0.001);
}
END_TEST

START_TEST(the_supply_gives_what_becomes_heat_work_and_motion)
{
    struct servos *servos = one_servo(0);
    struct shaft shaft = {.inertia_kg_m2 = LOAD_KG_M2};
    double friction_J = 0;
    order(servos, 50 * DEGREE);
    for (unsigned i = 0; i < 1000; i++) {
        const double from_rad = shaft.position_rad;
        run(servos, &shaft, 0.0005, 0.0005);
        friction_J += SERVO_FRICTION_NM * fabs(shaft.position_rad - from_rad);
        if (i == 400) { // in full motion
            const struct servo_energy energy = servos_servo(servos, 0)->energy;
            const double motion_J = 0.5 * (LOAD_KG_M2 + SERVO_ARMATURE_KG_M2) *
                                    shaft.velocity_rad_s * shaft.velocity_rad_s;
            ck_assert_double_gt(motion_J, 0.3);
            ck_assert_double_eq_tol(energy.work_J, motion_J + friction_J, 0.01 * energy.work_J);
            ck_assert_double_eq_tol(energy.supply_J, energy.work_J + energy.heat_J,
                                    1e-9 * energy.supply_J);
            ck_assert_double_gt(energy.heat_J, 0);
        }
    }
    servos_free(servos);
}
END_TEST

UNIT_MAIN("servo", a_step_of_50_degrees_looks_as_the_papers_at_every_phase,
          the_speed_register_limits_the_speed, the_top_speed_follows_the_voltage,
          compliance_punch_and_torque_limit_shape_the_torque,
          an_overheated_servo_shuts_itself_down_until_its_limit_is_written,
          a_blocked_servo_is_overloaded_and_a_strained_one_grows_hot,
          damage_does_what_it_says_and_goes_again,
          the_motor_turns_through_backlash_before_the_shaft_does,
          the_supply_gives_what_becomes_heat_work_and_motion)
