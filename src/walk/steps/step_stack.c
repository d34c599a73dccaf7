#include "walk/steps/step_stack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/touched.h"
#include "walk/segments/pattern.h"
#include "walk/steps/route.h"

#define PIECE 80         // samples of a trial in a cycle: half a millisecond
#define FOLLOWED_MAX 100 // samples in a cycle, after a trial
#define KEPT_SAMPLES 400 // a step so long over is forgotten

enum status step_stack_create(const struct robot_model *model, struct step_stack **stack)
{
    *stack = NULL;
    struct step_stack *new = touched_alloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    enum status status = walkgen_create(model, &new->walkgen);
    if (status == STATUS_OK)
        status = walkgen_command(new->walkgen, ":samplingperiod 0.01");
    if (status == STATUS_OK && walkgen_period_s(new->walkgen) != PATTERN_PERIOD_S)
        status = STATUS_INVALID;
    if (status != STATUS_OK) {
        step_stack_free(new);
        return status;
    }
    *stack = new;
    return STATUS_OK;
}

void step_stack_free(struct step_stack *stack)
{
    if (stack != NULL)
        walkgen_free(stack->walkgen);
    free(stack);
}

enum status step_stack_begin(struct step_stack *stack, const double *joint_rad,
                             const struct stance *stance, const struct gait_parameters *gait)
{
    stack->gait = gait;
    stack->trying = false;
    stack->ticked = 0;
    stack->origin = pose2d_middle(stance->foot[SIDE_RIGHT], stance->foot[SIDE_LEFT]);
    timeline_begin(&stack->timeline, gait, stance);
    return walkgen_restart(stack->walkgen, joint_rad, gait->wait_s,
                           0.5 * gait->initial_double_support_s);
}

// A step as the foot that then carries sees it.
static struct walk_step seen_from(struct pose2d support, const struct footstep *step)
{
    const struct pose2d *at = &step->pose;
    const struct pose2d turned = {support.x_m, support.y_m, at->yaw_rad};
    const struct pose2d to = pose2d_relative(turned, *at);
    return (struct walk_step){.x_m = to.x_m,
                              .y_m = to.y_m,
                              .yaw_rad = remainder(at->yaw_rad - support.yaw_rad, 2 * M_PI)};
}

// The trial's steps from number `first` on as the generator takes them.
static void read_steps(struct step_stack *stack, unsigned first)
{
    expects(first >= stack->trial.first);
    const struct timeline *trial = &stack->trial;
    const struct gait_parameters *gait = stack->gait;
    stack->first = first;
    stack->count = 0;
    for (unsigned n = first; n < trial->first + trial->count; n++) {
        const struct footstep *step = &trial->step[n - trial->first].step;
        const struct stance stance = timeline_stance(trial, n);
        const enum side carries = step->side == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT;
        invariant(stack->count < sizeof stack->step / sizeof stack->step[0]);
        struct walk_step *to = &stack->step[stack->count++];
        *to = seen_from(stance.foot[carries], step);
        to->lift_m = gait->swing_height_m;
        to->single_s = gait->period_s - gait->double_support_s;
        to->double_s = n == 0 ? gait->initial_double_support_s : gait->double_support_s;
    }
}

static bool sound(const struct footstep *step)
{
    return step->side < SIDE_COUNT &&
           isfinite(step->pose.x_m + step->pose.y_m + step->pose.yaw_rad);
}

enum status step_stack_try(struct step_stack *stack, unsigned first, const struct footstep *step,
                           unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!sound(&step[i]))
            return STATUS_INVALID;
    if (stack->trying || (first > 0 && timeline_rests(&stack->timeline, first, stack->ticked)))
        return STATUS_INVALID;
    stack->trial = stack->timeline;
    enum status status = timeline_change(&stack->trial, stack->ticked, stack->ticked - KEPT_SAMPLES,
                                         first, step, count);
    if (status != STATUS_OK)
        return status;
    const int64_t samples = timeline_last_sample(&stack->trial) - stack->ticked + 1;
    if (samples > SEGMENT_SAMPLES_MAX)
        return STATUS_TOO_LARGE;
    read_steps(stack, first);
    stack->rehearsal = walkgen_rehearsal(stack->walkgen);
    status = walkgen_change(stack->rehearsal, stack->first, stack->step, stack->count);
    if (status != STATUS_OK)
        return status;
    stack->segment.first = stack->ticked;
    stack->segment.count = 0;
    stack->trying = true;
    stack->whole = false;
    return STATUS_OK;
}

const char *step_stack_reason(const struct step_stack *stack)
{
    return stack->rehearsal != NULL ? walkgen_reason(stack->rehearsal) : "";
}

enum status step_stack_go_on(struct step_stack *stack)
{
    struct segment_message *segment = &stack->segment;
    const int64_t last = timeline_last_sample(&stack->trial);
    if (!stack->trying)
        return STATUS_INVALID;
    for (int i = 0; i < PIECE && segment->first + segment->count <= last; i++) {
        struct walkgen_output out;
        (void)walkgen_tick(stack->rehearsal, &out);
        if (!out.reachable) {
            stack->trying = false;
            return STATUS_UNREACHABLE;
        }
        invariant(segment->count < SEGMENT_SAMPLES_MAX); // there is room, or it was not tried
        struct segment_sample *sample = &segment->sample[segment->count++];
        step_stack_sample(&out, stack->origin, sample);
        sample->step -= sample->step > 0; // begun so far: they count from 0
    }
    stack->whole = segment->first + segment->count > last;
    return stack->whole ? STATUS_OK : STATUS_BUSY;
}

void step_stack_settle(struct step_stack *stack, bool taken)
{
    expects(!taken || stack->whole);
    stack->trying = false;
    if (!taken)
        return;
    stack->timeline = stack->trial;
    // The rehearsal has taken them where the generator still is.
    const enum status status =
        walkgen_change(stack->walkgen, stack->first, stack->step, stack->count);
    ensures(status == STATUS_OK);
}

void step_stack_follow(struct step_stack *stack, int64_t executing)
{
    struct walkgen_output out;
    for (int i = 0;
         i < FOLLOWED_MAX && !stack->trying && stack->ticked <= executing + STEP_STACK_LEAD;
         i++, stack->ticked++)
        (void)walkgen_tick(stack->walkgen, &out);
}

void step_stack_sample(const struct walkgen_output *out, struct pose2d origin,
                       struct segment_sample *sample)
{
    const struct pose2d turn = {0, 0, origin.yaw_rad};
    *sample = (struct segment_sample){.pelvis_yaw_rad = origin.yaw_rad + out->waist_yaw_rad,
                                      .support = out->support,
                                      .step = out->step,
                                      .phase = out->phase};
    pose2d_place(origin, out->waist_m, sample->pelvis_m);
    sample->pelvis_m[2] = out->waist_m[2];
    pose2d_place(origin, out->zmp_m, sample->zmp_m);
    pose2d_place(origin, out->com_m, sample->com_m);
    sample->com_m[2] = out->com_m[2];
    pose2d_place(turn, out->com_m_s, sample->com_velocity_m_s);
    for (int side = 0; side < SIDE_COUNT; side++) {
        pose2d_place(origin, out->foot[side].position_m, sample->foot_m[side]);
        sample->foot_m[side][2] = out->foot[side].position_m[2];
        sample->foot_yaw_rad[side] = origin.yaw_rad + out->foot[side].yaw_rad;
    }
}
