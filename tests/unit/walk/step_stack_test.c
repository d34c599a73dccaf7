// The stack of steps: what it gives out is what its generator ticks, always ends at rest, and goes
// on smoothly when further steps come.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "walk/segments/segment_buffer.h"
#include "walk/steps/step_stack.h"

static struct robot_model *model;
static struct step_stack *stack;
static struct stance stance;
static struct segment_buffer held;
static const struct gait_parameters *gait;

static void stand(enum gait which)
{
    gait = gait_parameters(which);
    ck_assert_int_eq(robot_model_load("targets/hubo2/robot.xml", &model), STATUS_OK);
    ck_assert_int_eq(step_stack_create(model, &stack), STATUS_OK);
    stance = footsteps_stance((struct pose2d){1, 2, 0.5});
    ck_assert_int_eq(step_stack_begin(stack, model->stand_rad, &stance, gait), STATUS_OK);
    segment_buffer_clear(&held);
}

static void give_back(void)
{
    step_stack_free(stack);
    robot_model_free(model);
}

// Tries steps until they have made a segment, and takes them.
static void take(unsigned first, const struct footstep *step, unsigned count)
{
    struct segment_message *segment = &stack->segment;
    enum status status = step_stack_try(stack, first, step, count);
    ck_assert_msg(status == STATUS_OK, "%s", step_stack_reason(stack));
    segment->plan_id = segment->epoch = 1;
    segment->segment_number = held.segment_number + 1;
    unsigned pieces = 1;
    while ((status = step_stack_go_on(stack)) == STATUS_BUSY)
        pieces++;
    ck_assert_int_eq(status, STATUS_OK);
    ck_assert_uint_le(pieces, STEP_STACK_LEAD);
    const enum splice splice =
        first == 0 ? segment_buffer_begin(&held, segment, 1, &segment->sample[0])
                   : segment_buffer_splice(&held, segment, 1, stack->ticked - STEP_STACK_LEAD);
    ck_assert_msg(splice == SPLICE_TAKEN, "%s", splice_text(splice));
    step_stack_settle(stack, true);
}

// The generator ticks exactly what is held, up to a sample.
static void tick_to(int64_t end)
{
    for (; stack->ticked < end; stack->ticked++) {
        struct walkgen_output out;
        struct segment_sample sample;
        (void)walkgen_tick(stack->walkgen, &out);
        step_stack_sample(&out, stack->origin, &sample);
        const struct segment_sample *is = segment_buffer_at(&held, stack->ticked);
        ck_assert_ptr_nonnull(is);
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq(sample.pelvis_m[k], is->pelvis_m[k]);
            ck_assert_double_eq(sample.foot_m[SIDE_RIGHT][k], is->foot_m[SIDE_RIGHT][k]);
            ck_assert_double_eq(sample.foot_m[SIDE_LEFT][k], is->foot_m[SIDE_LEFT][k]);
        }
    }
}

static void walks_on(enum gait which)
{
    stand(which);
    struct stance now = stance;
    for (unsigned n = 0; n < 4; n++) {
        struct footstep step;
        ck_assert_uint_eq(footsteps_walk(gait, &now, BALANCE_WALK_FORWARD, 1, 0, &step, 1), 1);
        take(n, &step, 1);
        now = footsteps_after(now, step);
        const int64_t landing = timeline_landing(&stack->timeline, n + 1); // of what closes
        tick_to(landing - (which == GAIT_DYNAMIC ? 125 : 155));
    }
    const int64_t last = timeline_last_sample(&stack->timeline);
    tick_to(last + 1);
    const struct segment_sample *rest = segment_buffer_at(&held, last);
    ck_assert(segment_ends_stable(rest - 1, rest) || last % SEGMENT_SAMPLES_MAX == 0);
    const struct pose2d middle = footsteps_centre(&now);
    ck_assert_double_ge(hypot(middle.x_m - 1, middle.y_m - 2), 3.4 * gait->forward_m);
    give_back();
}

START_TEST(what_is_held_is_what_is_ticked_and_each_addition_is_smooth)
{
    walks_on(GAIT_DYNAMIC);
    walks_on(GAIT_QUASI_STATIC);
}
END_TEST

START_TEST(the_centre_of_mass_comes_to_rest_within_a_millimetre_of_the_middle)
{
    stand(GAIT_DYNAMIC);
    struct footstep step;
    ck_assert_uint_eq(footsteps_walk(gait, &stance, BALANCE_WALK_FORWARD, 1, 0, &step, 1), 1);
    take(0, &step, 1);
    const struct segment_sample *last = &stack->segment.sample[stack->segment.count - 1];
    for (int a = 0; a < 2; a++)
        ck_assert_double_eq_tol(last->com_m[a], 0.5 * (last->foot_m[0][a] + last->foot_m[1][a]),
                                1e-3);
    ck_assert_double_lt(hypot(last->com_velocity_m_s[0], last->com_velocity_m_s[1]), 2e-3);
    give_back();
}
END_TEST

START_TEST(what_comes_too_late_or_cannot_be_walked_changes_nothing)
{
    stand(GAIT_DYNAMIC);
    struct footstep step, far, twice;
    ck_assert_uint_eq(footsteps_walk(gait, &stance, BALANCE_WALK_FORWARD, 1, 0, &step, 1), 1);
    take(0, &step, 1);
    const struct stance after = footsteps_after(stance, step);
    ck_assert(footsteps_close(&after, &far));
    twice = step;
    far.pose.x_m += 1;
    ck_assert_int_eq(step_stack_try(stack, 1, &far, 1), STATUS_INVALID);
    ck_assert_int_eq(step_stack_try(stack, 1, &twice, 1), STATUS_INVALID);
    ck_assert_int_eq(step_stack_try(stack, 7, &step, 1), STATUS_INVALID);
    far.pose.yaw_rad = NAN;
    ck_assert_int_eq(step_stack_try(stack, 1, &far, 1), STATUS_INVALID);
    tick_to(timeline_landing(&stack->timeline, 1) - 100);
    ck_assert(footsteps_close(&after, &far));
    ck_assert_int_eq(step_stack_try(stack, 1, &far, 1), STATUS_INVALID);
    tick_to(timeline_last_sample(&stack->timeline) + 1);
    give_back();
}
END_TEST

START_TEST(steps_that_are_forgotten_leave_the_motion_as_it_was)
{
    stand(GAIT_DYNAMIC);
    struct footstep step[2];
    ck_assert_uint_eq(footsteps_walk(gait, &stance, BALANCE_WALK_FORWARD, 2, 0, step, 2), 2);
    take(0, step, 1);
    tick_to(31);
    ck_assert_int_eq(step_stack_try(stack, 1, &step[1], 1), STATUS_OK);
    while (step_stack_go_on(stack) == STATUS_BUSY)
        continue;
    step_stack_settle(stack, false);
    tick_to(timeline_last_sample(&stack->timeline) + 1);
    give_back();
}
END_TEST

UNIT_MAIN("step stack", what_is_held_is_what_is_ticked_and_each_addition_is_smooth,
          the_centre_of_mass_comes_to_rest_within_a_millimetre_of_the_middle,
          what_comes_too_late_or_cannot_be_walked_changes_nothing,
          steps_that_are_forgotten_leave_the_motion_as_it_was)
