#include "walk/segments/velocity_stack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "walk/steps/route.h"
#include "walk/segments/segment_buffer.h"
#include "walk/steps/step_stack.h"

#define STANDING_S 0.8 // before the weight is shifted: both sides of the first preview
#define SHIFT_S 0.4
#define REST_SAMPLES 40 // of rest, behind which a segment ends
// The second preview looks ahead so far: five times what a pendulum of that height needs to double
// its lean. It is the delay of a velocity.
static const char *const setting[] = {":samplingperiod 0.01", ":previewcontroltime 0.5",
                                      ":stepheight 0.04", ":SetAlgoForZmpTrajectory Herdt"};

enum status velocity_stack_create(const struct robot_model *model, struct velocity_stack **stack)
{
    *stack = NULL;
    struct velocity_stack *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    memcpy(new->stand_rad, model->stand_rad, sizeof new->stand_rad);
    enum status status = walk_body_from_model(model, &new->body);
    if (status == STATUS_OK)
        status = walkgen_create(model, &new->walkgen);
    for (size_t i = 0; i < sizeof setting / sizeof setting[0] && status == STATUS_OK; i++)
        status = walkgen_command(new->walkgen, setting[i]);
    if (status != STATUS_OK) {
        velocity_stack_free(new);
        return status;
    }
    *stack = new;
    return STATUS_OK;
}

void velocity_stack_free(struct velocity_stack *stack)
{
    if (stack != NULL)
        walkgen_free(stack->walkgen);
    free(stack);
}

// The joints of a robot that stands on these feet.
static enum status stand(const struct velocity_stack *stack, const struct pose2d foot[SIDE_COUNT],
                         double *joint_rad)
{
    struct walk_body_pose pose = {.pelvis_m = {stack->origin.x_m, stack->origin.y_m, 0}};
    const double com_m[2] = {stack->origin.x_m, stack->origin.y_m};
    double foot_m[SIDE_COUNT][3], foot_yaw_rad[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++) {
        memcpy(foot_m[side], (double[]){foot[side].x_m, foot[side].y_m, 0}, sizeof foot_m[side]);
        foot_yaw_rad[side] = foot[side].yaw_rad;
    }
    const enum status status = walk_body_solve(&stack->body, com_m, stack->origin.yaw_rad,
                                               (const double(*)[3])foot_m, foot_yaw_rad, &pose);
    memcpy(joint_rad, stack->stand_rad, sizeof stack->stand_rad);
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            joint_rad[stack->body.leg[side].joint[i]] = pose.leg_rad[side][i];
    return status;
}

enum status velocity_stack_begin(struct velocity_stack *stack, const struct pose2d foot[SIDE_COUNT])
{
    double joint_rad[ROBOT_JOINTS_MAX];
    stack->origin = pose2d_middle(foot[SIDE_RIGHT], foot[SIDE_LEFT]);
    stack->ticked = 0;
    stack->steps = 0;
    stack->broken = false;
    memset(stack->load_m, 0, sizeof stack->load_m);
    memcpy(stack->end, foot, sizeof stack->end);
    const enum status status = stand(stack, foot, joint_rad);
    return status == STATUS_OK ? walkgen_restart(stack->walkgen, joint_rad, STANDING_S, SHIFT_S)
                               : status;
}

static enum status drive(struct velocity_stack *stack, const double velocity[3])
{
    const enum status status = walkgen_call(stack->walkgen, ":handload", stack->load_m, 2);
    return status == STATUS_OK ? walkgen_call(stack->walkgen, ":HerdtOnline", velocity, 3) : status;
}

static enum status tick(struct velocity_stack *stack, struct walkgen *walkgen,
                        struct segment_message *segment)
{
    struct walkgen_output out;
    if (segment->count == SEGMENT_SAMPLES_MAX)
        return STATUS_TOO_LARGE;
    (void)walkgen_tick(walkgen, &out);
    const double c = cos(out.waist_yaw_rad), s = sin(out.waist_yaw_rad), *load_m = out.load_m;
    double *lean_m = stack->lean_m[(segment->first + segment->count) % SEGMENT_SAMPLES_MAX];
    lean_m[0] = c * load_m[0] + s * load_m[1];
    lean_m[1] = c * load_m[1] - s * load_m[0];
    struct segment_sample *sample = &segment->sample[segment->count++];
    step_stack_sample(&out, stack->origin, sample);
    sample->step -= sample->step > 0; // begun so far: they count from 0
    return out.reachable ? STATUS_OK : STATUS_UNREACHABLE;
}

// What the generator makes of a stop, until the robot has rested for a moment.
static enum status close_stance(struct velocity_stack *stack, struct segment_message *segment)
{
    struct walkgen *rehearsal = walkgen_rehearsal(stack->walkgen);
    enum status status = walkgen_command(rehearsal, ":stoppg");
    for (unsigned rest = 0; rest < REST_SAMPLES && status == STATUS_OK;) {
        status = tick(stack, rehearsal, segment);
        const struct segment_sample *last = &segment->sample[segment->count - 1];
        rest = segment_ends_stable(last - 1, last) ? rest + 1 : 0;
    }
    const struct segment_sample *last = &segment->sample[segment->count - 1];
    for (int side = 0; side < SIDE_COUNT; side++)
        stack->end[side] =
            (struct pose2d){last->foot_m[side][0], last->foot_m[side][1], last->foot_yaw_rad[side]};
    stack->steps = last->step;
    return status;
}

enum status velocity_stack_give(struct velocity_stack *stack, const double velocity[3],
                                struct segment_message *segment)
{
    enum status status = stack->broken ? STATUS_INVALID : drive(stack, velocity);
    if (status != STATUS_OK)
        return status;
    segment->first = stack->ticked;
    segment->count = 0;
    for (int i = 0; i < VELOCITY_STACK_SAMPLES && status == STATUS_OK; i++)
        status = tick(stack, stack->walkgen, segment);
    stack->ticked += segment->count;
    if (status == STATUS_OK)
        status = close_stance(stack, segment);
    stack->broken = status != STATUS_OK;
    return status;
}
