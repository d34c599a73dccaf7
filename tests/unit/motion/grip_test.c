// The hose's force by a second look at the sensor: what the wrist says is believed while it is
// near, or while it is the sensor that has jumped.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "targets/firehose/grip.h"

#define PULL_N 40.0

static struct arm arm;
static struct state_message state;
static struct grip_look look;

static void stand(void)
{
    struct robot_model *model;
    ck_assert_int_eq(robot_model_load("targets/firehose/robot.xml", &model), STATUS_OK);
    ck_assert_int_eq(arm_from_model(model, SIDE_LEFT, &arm), STATUS_OK);
    memset(&state, 0, sizeof state);
    for (unsigned j = 0; j < model->joint_count; j++)
        state.joint[j].position_rad = model->stand_rad[j];
    robot_model_free(model);
    look = (struct grip_look){.arm = &arm};
}

// The hand hangs as in the pose of standing, and is pulled along its own x.
static void see(double pull_N, bool valid, unsigned cycles)
{
    state.force_torque[FT_LEFT_HAND] =
        (struct force_torque_reading){.moment_y_Nm = GRIP_M * pull_N, .valid = valid};
    for (unsigned i = 0; i < cycles; i++) {
        state.cycle++;
        grip_look(&look, &state);
    }
}

START_TEST(force_is_that_of_the_sensor)
{
    stand();
    see(PULL_N, true, 1);
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += pow(look.seen.slow_N[i], 2);
    ck_assert_double_eq_tol(sqrt(square), PULL_N, 1e-9);
    ck_assert_double_lt(look.seen.slow_N[0], 0);
    see(0, true, 30); // as long as the low pass
    ck_assert_double_lt(look.seen.slow_N[0], -0.3 * PULL_N);
    ck_assert_double_gt(look.seen.slow_N[0], -0.4 * PULL_N);
}
END_TEST

START_TEST(state_counts_once)
{
    stand();
    see(PULL_N, true, 1);
    state.force_torque[FT_LEFT_HAND].moment_y_Nm = 0;
    grip_look(&look, &state);
    ck_assert_double_lt(look.seen.now_N[0], -0.9 * PULL_N);
}
END_TEST

START_TEST(what_jumps_is_not_believed)
{
    stand();
    see(PULL_N, true, 1);
    const double *true_N = look.seen.slow_N;
    const double swapped_N[3] = {true_N[1], true_N[0], true_N[2]};
    const double near_N[3] = {true_N[0] + 15, true_N[1], true_N[2]};
    const double nan_N[3] = {NAN, 0, 0};
    ck_assert(grip_can_be(&look, true_N, true_N));
    ck_assert(grip_can_be(&look, near_N, true_N));
    ck_assert(!grip_can_be(&look, swapped_N, true_N));
    ck_assert(!grip_can_be(&look, nan_N, true_N));
    // The wrist says what it said, and the sensor something else.
    ck_assert(grip_can_be(&look, swapped_N, swapped_N));
}
END_TEST

START_TEST(silent_sensor_contradicts_nothing)
{
    const double any_N[3] = {-300, 0, 0}, nan_N[3] = {0, NAN, 0}, none_N[3] = {0};
    stand();
    see(PULL_N, false, 1);
    ck_assert(!look.valid);
    ck_assert(grip_can_be(&look, any_N, none_N));
    ck_assert(!grip_can_be(&look, nan_N, none_N));
}
END_TEST

UNIT_MAIN("grip", force_is_that_of_the_sensor, state_counts_once, what_jumps_is_not_believed,
          silent_sensor_contradicts_nothing)
