// Walking by a velocity, as segments: each fits behind the one before and ends at rest, and the
// robot gets as far as the velocity says.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "walk/steps/footsteps.h"
#include "walk/steps/route.h"
#include "walk/segments/segment_buffer.h"
#include "walk/segments/velocity_stack.h"
#include "walk/zmp/velocity_walk.h"

#define BEGUN 40 // periods until it walks as fast as it is told
#define WALKED 64

static struct robot_model *model;
static struct velocity_stack *stack;
static struct segment_message segment;
static struct segment_buffer held;

static void stand(void)
{
    const struct pose2d middle = {1, 2, 0.5};
    const struct stance stance = footsteps_stance(middle);
    ck_assert_int_eq(robot_model_load("targets/hubo2/robot.xml", &model), STATUS_OK);
    ck_assert_int_eq(velocity_stack_create(model, &stack), STATUS_OK);
    ck_assert_int_eq(velocity_stack_begin(stack, stance.foot), STATUS_OK);
    segment_buffer_clear(&held);
}

static void give_back(void)
{
    velocity_stack_free(stack);
    robot_model_free(model);
}

// One period more, which fits what is held and ends at rest.
static void give(const double velocity[3])
{
    const int64_t executing = stack->ticked - 3;
    const bool first = stack->ticked == 0;
    ck_assert_int_eq(velocity_stack_give(stack, velocity, &segment), STATUS_OK);
    segment.plan_id = segment.epoch = 1;
    segment.segment_number = held.segment_number + 1;
    const enum splice splice = first ? segment_buffer_begin(&held, &segment, 1, &segment.sample[0])
                                     : segment_buffer_splice(&held, &segment, 1, executing);
    ck_assert_msg(splice == SPLICE_TAKEN, "%s", splice_text(splice));
}

static struct pose2d pelvis(void)
{
    const struct segment_sample *sample = &segment.sample[0];
    return (struct pose2d){sample->pelvis_m[0], sample->pelvis_m[1], sample->pelvis_yaw_rad};
}

// How far the robot has come in whole cycles of two steps, as a share of what the velocity says.
static double share_of(const double velocity[3], int axis)
{
    stand();
    for (int i = 0; i < BEGUN; i++)
        give(velocity);
    const struct pose2d from = pelvis();
    for (int i = 0; i < WALKED; i++)
        give(velocity);
    const struct pose2d gone = pose2d_relative(from, pelvis());
    give_back();
    const double way[] = {gone.x_m, gone.y_m, gone.yaw_rad};
    return way[axis] / (velocity[axis] * WALKED * VELOCITY_WALK_PERIOD_S);
}

START_TEST(it_goes_as_fast_as_it_is_told_within_5_percent)
{
    const double most[] = {0.125, 0, 0}, slow[] = {0.03, 0, 0}, back[] = {-0.1, 0, 0};
    const double left[] = {0, 0.04, 0}, turning[] = {0, 0, 0.08};
    ck_assert_double_eq_tol(share_of(most, 0), 1, 0.05);
    ck_assert_double_eq_tol(share_of(slow, 0), 1, 0.05);
    ck_assert_double_eq_tol(share_of(back, 0), 1, 0.05);
    ck_assert_double_eq_tol(share_of(left, 1), 1, 0.05);
    ck_assert_double_eq_tol(share_of(turning, 2), 1, 0.05);
}
END_TEST

START_TEST(without_a_further_velocity_it_ends_where_it_said)
{
    const double ahead[] = {0.1, 0, 0.05};
    stand();
    for (int i = 0; i < 33; i++)
        give(ahead);
    const struct segment_sample *last = &segment.sample[segment.count - 1];
    for (int side = 0; side < SIDE_COUNT; side++) {
        ck_assert_double_eq_tol(last->foot_m[side][0], stack->end[side].x_m, 1e-9);
        ck_assert_double_eq_tol(last->foot_m[side][1], stack->end[side].y_m, 1e-9);
    }
    const struct pose2d beside = pose2d_relative(stack->end[SIDE_RIGHT], stack->end[SIDE_LEFT]);
    ck_assert_double_eq_tol(beside.x_m, 0, 1e-6);
    ck_assert_double_eq_tol(beside.y_m, FOOTSTEPS_SPACING_M, 1e-3);
    ck_assert_uint_gt(stack->steps, 2);
    give_back();
}
END_TEST

// How far the centre of mass is ahead of the ZMP, in the mean of whole cycles.
static double lead_m(const double velocity[3])
{
    double sum_m = 0;
    for (int i = 0; i < WALKED; i++) {
        give(velocity);
        for (int j = 0; j < VELOCITY_STACK_SAMPLES; j++) {
            const struct segment_sample *sample = &segment.sample[j];
            const double c = cos(sample->pelvis_yaw_rad), s = sin(sample->pelvis_yaw_rad);
            sum_m += c * (sample->com_m[0] - sample->zmp_m[0]) +
                     s * (sample->com_m[1] - sample->zmp_m[1]);
        }
    }
    return sum_m / (WALKED * VELOCITY_STACK_SAMPLES);
}

START_TEST(against_a_force_on_the_hand_the_centre_of_mass_goes_ahead_of_the_zmp)
{
    const double ahead[] = {0.1, 0, 0};
    stand();
    for (int i = 0; i < BEGUN; i++)
        give(ahead);
    const double without_m = lead_m(ahead);
    stack->load_m[0] = 0.05;
    for (int i = 0; i < BEGUN; i++)
        give(ahead);
    ck_assert_double_eq_tol(lead_m(ahead) - without_m, 0.05, 0.005);
    ck_assert_double_eq_tol(stack->lean_m[(stack->ticked - 1) % SEGMENT_SAMPLES_MAX][0], 0.05,
                            1e-9);
    // At its end it stands upright.
    const struct segment_sample *last = &segment.sample[segment.count - 1];
    const double middle_m = 0.5 * (last->foot_m[0][0] + last->foot_m[1][0]);
    ck_assert_double_eq_tol(last->com_m[0], middle_m, 0.005);
    give_back();
}
END_TEST

START_TEST(what_is_no_velocity_changes_nothing)
{
    const double wild[][3] = {{NAN, 0, 0}, {1, 0, 0}, {0, 0, INFINITY}}, ahead[] = {0.1, 0, 0};
    stand();
    give(ahead);
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++)
        ck_assert_int_eq(velocity_stack_give(stack, wild[i], &segment), STATUS_INVALID);
    ck_assert_int_eq(stack->ticked, VELOCITY_STACK_SAMPLES);
    give(ahead);
    give_back();
}
END_TEST

UNIT_MAIN("velocity_stack", it_goes_as_fast_as_it_is_told_within_5_percent,
          without_a_further_velocity_it_ends_where_it_said,
          against_a_force_on_the_hand_the_centre_of_mass_goes_ahead_of_the_zmp,
          what_is_no_velocity_changes_nothing)
