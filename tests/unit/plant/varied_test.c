// plant: what varies of a robot is in its physics, and nothing else is.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "model/description.h"
#include "plant/physics.h"
#include "plant/varied.h"

#define JOINTS 28
#define LINKS 33
#define STEPS 500

static struct description *description;
static struct motor motor[ROBOT_JOINTS_MAX];

static struct physics *robot(const struct varied *varied)
{
    struct physics *physics;
    if (description == NULL)
        ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    ck_assert_int_eq(physics_create("targets/hubo2/robot.xml", description, NULL, NULL, NULL,
                                    varied, motor, &physics),
                     STATUS_OK);
    return physics;
}

static void set(struct varied *varied, enum variation_number number, unsigned count,
                const double *value)
{
    varied->of[number].count = count;
    memcpy(varied->of[number].value, value, count * sizeof *value);
}

static void end(struct physics *physics)
{
    physics_free(physics);
}

static struct truth_message truth_after(struct physics *physics, unsigned steps)
{
    struct truth_message truth = {0};
    for (unsigned i = 0; i < steps; i++)
        physics_step(physics, motor, i + 1 == steps);
    physics_truth(physics, &truth);
    return truth;
}

static double weight_N(const struct varied *varied)
{
    struct physics *physics = robot(varied);
    const struct truth_message truth = truth_after(physics, STEPS);
    end(physics);
    return truth.foot_force_N[0] + truth.foot_force_N[1];
}

START_TEST(a_robot_that_does_not_vary_is_the_models)
{
    struct varied varied = {0};
    struct physics *one = robot(NULL), *other = robot(&varied);
    const struct truth_message a = truth_after(one, STEPS);
    const struct truth_message b = truth_after(other, STEPS);
    ck_assert_mem_eq(&a, &b, sizeof a);
    end(one);
    end(other);
}
END_TEST

START_TEST(links_weigh_so_much_more)
{
    struct varied varied = {0};
    const double own_N = weight_N(NULL);
    set(&varied, VARY_link_mass_share, 1, &(double){0.1});
    ck_assert_double_eq_tol(weight_N(&varied) / own_N, 1.1, 0.002);
}
END_TEST

// The right knee is turned by 0.1 rad, and reads what it would read otherwise.
START_TEST(a_zero_turns_the_link_and_not_the_reading)
{
    double zero_rad[JOINTS] = {0};
    struct varied varied = {0};
    struct physics *own = robot(NULL);
    const double read_rad = motor[description_joint(description, "RKN")].position_rad;
    const struct truth_message before = truth_after(own, 0);
    zero_rad[19] = 0.1; // in the model's order
    set(&varied, VARY_joint_zero_rad, JOINTS, zero_rad);
    struct physics *turned = robot(&varied);
    ck_assert(motor[description_joint(description, "RKN")].position_rad == read_rad);
    const struct truth_message after = truth_after(turned, 0);
    const double knee_to_ankle_m = hypot(after.foot_m[0][0] - before.foot_m[0][0],
                                         (after.foot_m[0][2] - after.pelvis_m[2]) -
                                             (before.foot_m[0][2] - before.pelvis_m[2]));
    ck_assert(knee_to_ankle_m > 0.02 && knee_to_ankle_m < 0.05);
    ck_assert_double_eq_tol(after.foot_m[1][0], before.foot_m[1][0], 1e-9);
    end(own);
    end(turned);
}
END_TEST

START_TEST(a_robot_is_set_down_elsewhere_and_not_into_the_floor)
{
    struct varied varied = {0};
    const double place_m[] = {0.01, -0.02}, tilt_rad[] = {0.02, -0.01};
    set(&varied, VARY_start_place_m, 2, place_m);
    set(&varied, VARY_start_tilt_rad, 2, tilt_rad);
    struct physics *own = robot(NULL), *physics = robot(&varied);
    const struct truth_message before = truth_after(own, 0), truth = truth_after(physics, 0);
    ck_assert_double_eq_tol(truth.pelvis_m[0] - before.pelvis_m[0], 0.01, 1e-9);
    ck_assert_double_eq_tol(truth.pelvis_m[1] - before.pelvis_m[1], -0.02, 1e-9);
    ck_assert_double_eq_tol(2 * truth.pelvis_quaternion[1], 0.02, 1e-4);
    ck_assert_double_eq_tol(2 * truth.pelvis_quaternion[2], -0.01, 1e-4);
    // Corners of soles: 0.105 and 0.065 from under the ankle.
    for (unsigned side = 0; side < SIDE_COUNT; side++)
        ck_assert_double_gt(truth.foot_m[side][2] - 0.105 * 0.01 - 0.065 * 0.02, -0.0006);
    end(own);
    end(physics);
}
END_TEST

START_TEST(sensors_read_beside_the_truth)
{
    struct varied varied = {0};
    struct sensor_truth own, off;
    const double force_share[] = {0.1, 0, 0, 0}, zero_N[] = {1, 2, 3, 4},
                 rate_rad_s[] = {0.1, 0.2, 0.3}, imu_rad[] = {0.01, 0};
    set(&varied, VARY_force_share, 4, force_share);
    set(&varied, VARY_force_zero_N, 4, zero_N);
    set(&varied, VARY_imu_rate_zero_rad_s, 3, rate_rad_s);
    set(&varied, VARY_imu_zero_rad, 2, imu_rad);
    struct physics *one = robot(NULL);
    truth_after(one, STEPS);
    physics_sensors(one, &own);
    struct physics *other = robot(&varied);
    truth_after(other, STEPS);
    physics_sensors(other, &off);
    ck_assert_double_eq_tol(off.force_torque_Nm[0][2], own.force_torque_Nm[0][2] * 1.1 + 1, 1e-9);
    ck_assert_double_eq_tol(off.force_torque_Nm[3][2], own.force_torque_Nm[3][2] + 4, 1e-9);
    ck_assert_double_eq_tol(off.imu_rate_rad_s[2], own.imu_rate_rad_s[2] + 0.3, 1e-9);
    ck_assert_double_eq_tol(2 * (off.imu_quaternion[1] - own.imu_quaternion[1]), 0.01, 1e-4);
    end(one);
    end(other);
}
END_TEST

START_TEST(another_number_of_values_than_links_is_refused)
{
    struct physics *physics;
    struct varied varied = {0};
    varied.of[VARY_link_mass_share].count = LINKS - 1;
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    ck_assert_int_eq(physics_create("targets/hubo2/robot.xml", description, NULL, NULL, NULL,
                                    &varied, motor, &physics),
                     STATUS_INVALID);
    varied.of[VARY_link_mass_share].count = LINKS;
    end(robot(&varied));
}
END_TEST

UNIT_MAIN("varied", a_robot_that_does_not_vary_is_the_models, links_weigh_so_much_more,
          a_zero_turns_the_link_and_not_the_reading,
          a_robot_is_set_down_elsewhere_and_not_into_the_floor, sensors_read_beside_the_truth,
          another_number_of_values_than_links_is_refused)
