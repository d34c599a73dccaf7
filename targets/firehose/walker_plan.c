#include "targets/firehose/walker_plan.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/log.h"
#include "walk/steps/route.h"
#include "walk/body/walk_body.h"

#define SAMPLE_NS 10000000
#define SAMPLES_MOST INT64_C(1000000000)
#define SPLICE_LEAD_SAMPLES 15   // a segment is sent so long before its first sample
#define SPLICE_NEAREST_SAMPLES 3 // ... and this long before it at the very least
#define PERIOD_SLACK_SAMPLES 10  // ... and no later than the next look would allow
#define CHAIN_SAMPLES 2          // age of the command that the body has carried out
#define TAKE_PATIENCE_MS 250     // a plan that balance has not taken by then was refused
#define INWARD_M 0.02            // a foot steps towards the other one
#define OUTWARD_M 0.08           // and away from it
#define GAIN_MAX 2.0
#define LEAN_SHARE 0.025 // a period: low-passed with 4 s, as the drag that the wrist knows
#define FAILURES_LOGGED 5

static const struct gait_parameters gait = {.name = "hose",
                                            .period_s = 0.8,
                                            .double_support_s = 0.1,
                                            .wait_s = 0.8,
                                            .initial_double_support_s = 0.8,
                                            .settle_s = 1.8,
                                            .forward_m = 0.10,
                                            .backward_m = 0.10,
                                            .sideways_m = OUTWARD_M,
                                            .turn_rad = 0.1,
                                            .swing_height_m = 0.04};

enum status walker_plan_init(struct walker_plan *plan, const struct robot_model *model,
                             bool by_velocity)
{
    memset(plan, 0, sizeof *plan);
    const enum status status = walk_body_standing(model, plan->pelvis_m);
    if (status != STATUS_OK)
        return status;
    return by_velocity ? velocity_stack_create(model, &plan->stack)
                       : pattern_create(model, &gait, &plan->pattern);
}

void walker_plan_forget(struct walker_plan *plan)
{
    plan->task = (struct walking_task){0};
    plan->steps_total = 0;
    plan->reached = false;
}

// A plan has far fewer samples than the most, whatever the status says.
static int64_t executed_at(const struct balance_status_message *status, instant when)
{
    const int64_t said = status->sample > SAMPLES_MOST ? SAMPLES_MOST : status->sample;
    return (said < -SAMPLES_MOST ? -SAMPLES_MOST : said) +
           instant_sub(when, status->time).ns / SAMPLE_NS;
}

// The number of the sample that is executed at `when`.
static int64_t sample_at(const struct balance_status_message *status, instant when)
{
    const int64_t index = executed_at(status, when) - CHAIN_SAMPLES;
    return index > 0 ? index : 0;
}

const struct segment_sample *walker_plan_at(const struct walker_plan *plan,
                                            const struct balance_status_message *status,
                                            instant when)
{
    if (plan->life == PLAN_NONE || status->phase != BALANCE_PHASE_EXECUTING)
        return NULL;
    return segment_buffer_at(&plan->sent, sample_at(status, when));
}

void walker_plan_lean(const struct walker_plan *plan, const struct balance_status_message *status,
                      instant when, double lean_m[2])
{
    lean_m[0] = lean_m[1] = 0;
    if (plan->stack != NULL && walker_plan_at(plan, status, when) != NULL)
        memcpy(lean_m, plan->stack->lean_m[sample_at(status, when) % SEGMENT_SAMPLES_MAX],
               sizeof plan->stack->lean_m[0]);
}

static struct pose2d pelvis_over(const struct walker_plan *plan, struct pose2d middle)
{
    return pose2d_compose(middle, (struct pose2d){plan->pelvis_m[0], plan->pelvis_m[1], 0});
}

// Where the chest was by odometry when its pose was taken.
static struct pose2d chest_in_odometry(const struct walker_plan *plan,
                                       const struct balance_status_message *status,
                                       const struct walker_wish *wish)
{
    const struct segment_sample *sample = walker_plan_at(plan, status, wish->taken);
    if (sample == NULL)
        return pelvis_over(plan, pose2d_middle(status->foot[SIDE_RIGHT], status->foot[SIDE_LEFT]));
    const struct pose2d upright = {sample->pelvis_m[0], sample->pelvis_m[1],
                                   sample->pelvis_yaw_rad};
    return pose2d_compose(upright, (struct pose2d){wish->lean_m[0], wish->lean_m[1], 0});
}

// The middle between the feet when the foot to swing next has come beside the other one.
static struct pose2d closed(const struct stance *stance)
{
    const enum side support = stance->next == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT;
    const double across = support == SIDE_LEFT ? -0.5 : 0.5;
    return pose2d_compose(stance->foot[support],
                          (struct pose2d){0, across * FOOTSTEPS_SPACING_M, 0});
}

// A step of the body, made by the foot to swing next.
static struct footstep step_of_foot(const struct stance *stance, const double step[TASK_AXES])
{
    const double outward = stance->next == SIDE_LEFT ? 1 : -1;
    const double side_m = outward * fmin(fmax(outward * step[TASK_Y], -INWARD_M), OUTWARD_M);
    const struct pose2d body =
        pose2d_compose(closed(stance), (struct pose2d){step[TASK_X], side_m, step[TASK_YAW]});
    return (struct footstep){
        stance->next,
        pose2d_compose(body, (struct pose2d){0, outward * 0.5 * FOOTSTEPS_SPACING_M, 0})};
}

static double pull_step_m(const struct walker_wish *wish)
{
    const double most_m = walking_task_default.limit[TASK_X];
    return fmin(fmax(wish->pull_step_m, -most_m), most_m);
}

// Where the chest will be in the world when the feet have closed the stance around `middle`.
static struct pose2d chest_after(const struct walker_plan *plan,
                                 const struct balance_status_message *status,
                                 const struct walker_wish *wish, struct pose2d middle)
{
    const struct pose2d odometry = chest_in_odometry(plan, status, wish);
    return pose2d_compose(wish->chest, pose2d_relative(odometry, pelvis_over(plan, middle)));
}

// What is no gain counts as 0: the robot stays. The integral is that of a step, whose share a
// velocity's period is.
static struct walking_task_parameters parameters_for(const struct walker_plan *plan, double gain)
{
    struct walking_task_parameters parameters = walking_task_default;
    const double times = fmin(fmax(gain, 0), GAIN_MAX);
    parameters.gain_near *= times;
    parameters.gain_far *= times;
    parameters.integral_gain *= times;
    if (plan->pattern == NULL)
        parameters.integral_gain *= (VELOCITY_STACK_SAMPLES * PATTERN_PERIOD_S / gait.period_s);
    return parameters;
}

static void step_to_goal(struct walker_plan *plan, const struct walker_wish *wish, struct pose2d at)
{
    const struct walking_task_parameters parameters = parameters_for(plan, wish->gain);
    walking_task_error(at, wish->goal, plan->error);
    plan->reached = walking_task_reached(&walking_task_default, plan->error);
    if (!plan->reached)
        walking_task_step(&plan->task, &parameters, at, wish->goal, plan->step);
}

// Straight on, and back to the line that the first step began on.
static void step_on_line(struct walker_plan *plan, const struct walker_wish *wish, struct pose2d at)
{
    if (plan->steps_total == 0)
        plan->line = at;
    const struct pose2d along = pose2d_relative(plan->line, at);
    const struct pose2d ahead =
        pose2d_compose(plan->line, (struct pose2d){along.x_m + pull_step_m(wish), 0, 0});
    const struct walking_task_parameters parameters = parameters_for(plan, wish->gain);
    walking_task_step(&plan->task, &parameters, at, ahead, plan->step);
    walking_task_error(at, ahead, plan->error);
    plan->step[TASK_X] = pull_step_m(wish);
}

// What is to be done after the committed steps, which end around `middle`, into plan->step; false:
// nothing.
static bool aim(struct walker_plan *plan, const struct balance_status_message *status,
                const struct walker_wish *wish, struct pose2d middle)
{
    const bool pulls = wish->kind == WALKER_PULL || wish->kind == WALKER_HAUL;
    const bool looks = wish->kind == WALKER_GOAL || wish->kind == WALKER_HAUL;
    memset(plan->step, 0, sizeof plan->step);
    if ((!pulls && !looks) || (looks && !wish->pose_known) ||
        (pulls && !isfinite(wish->pull_step_m)))
        return false;
    if (pulls)
        plan->reached = plan->steps_total >= wish->pull_steps;
    if (wish->kind == WALKER_PULL)
        plan->step[TASK_X] = pull_step_m(wish);
    else if (wish->kind == WALKER_HAUL)
        step_on_line(plan, wish, chest_after(plan, status, wish, middle));
    else
        step_to_goal(plan, wish, chest_after(plan, status, wish, middle));
    return !plan->reached;
}

// ---- plans
// ---------------------------------------------------------------------------------------

static bool complain(const char *what)
{
    static unsigned said;
    if (said++ < FAILURES_LOGGED)
        log_error("a segment cannot be made: %s", what);
    return false;
}

static void fill_head(struct walker_plan *plan, const struct balance_status_message *status,
                      uint64_t plan_id, uint64_t number, bool final, instant now)
{
    struct segment_message *segment = &plan->segment;
    segment->plan_id = plan_id;
    segment->segment_number = number;
    segment->epoch = status->epoch;
    segment->request_id = 0;
    segment->time = now;
    segment->gait = GAIT_DYNAMIC;
    segment->final = final;
    segment->padding = 0;
}

// The four below: EMPTY, there is nothing to be done.
static enum status begin_steps(struct walker_plan *plan,
                               const struct balance_status_message *status,
                               const struct walker_wish *wish)
{
    struct stance stance = {.foot = {status->foot[0], status->foot[1]}, .next = SIDE_RIGHT};
    if (!aim(plan, status, wish, closed(&stance)))
        return STATUS_EMPTY;
    const struct footstep step = step_of_foot(&stance, plan->step);
    pattern_begin(plan->pattern, &stance);
    plan->committed = 1;
    plan->steps_total++;
    return pattern_extend(plan->pattern, 0, 0, &step, 1, &plan->segment);
}

static enum status further_step(struct walker_plan *plan,
                                const struct balance_status_message *status,
                                const struct walker_wish *wish, int64_t executing)
{
    const int64_t earliest = executing + SPLICE_LEAD_SAMPLES;
    if (earliest >= pattern_last_sample(plan->pattern) ||
        !pattern_due(plan->pattern, plan->committed, earliest, PERIOD_SLACK_SAMPLES))
        return STATUS_EMPTY;
    const unsigned free = pattern_free_step(plan->pattern, earliest);
    const unsigned first = free > plan->committed ? free : plan->committed;
    const struct stance stance = pattern_stance(plan->pattern, first);
    if (!aim(plan, status, wish, closed(&stance)))
        return STATUS_EMPTY; // what was sent ends at rest
    const struct footstep step = step_of_foot(&stance, plan->step);
    const enum status made =
        pattern_extend(plan->pattern, earliest, first, &step, 1, &plan->segment);
    if (made == STATUS_OK) {
        plan->committed = first + 1;
        plan->steps_total++;
    }
    return made;
}

// The plan takes over what the body leans beside it, slowly: what it takes shows a second later,
// when a fast force may be over.
static void take_lean(struct walker_plan *plan, const struct balance_status_message *status,
                      const struct walker_wish *wish, instant now)
{
    double lean_m[2];
    walker_plan_lean(plan, status, now, lean_m);
    for (int i = 0; i < 2; i++)
        plan->stack->load_m[i] +=
            wish->plans_lean ? LEAN_SHARE * (lean_m[i] + wish->lean_m[i] - plan->stack->load_m[i])
                             : 0;
}

// The velocity that the task's step is, for one period.
static enum status give_velocity(struct walker_plan *plan)
{
    const double velocity[] = {plan->step[TASK_X] / gait.period_s,
                               plan->step[TASK_Y] / gait.period_s,
                               plan->step[TASK_YAW] / gait.period_s};
    const enum status made = velocity_stack_give(plan->stack, velocity, &plan->segment);
    plan->steps_total += plan->stack->steps - plan->committed;
    plan->committed = plan->stack->steps;
    return made;
}

static struct pose2d end_of(const struct velocity_stack *stack)
{
    return pose2d_middle(stack->end[SIDE_RIGHT], stack->end[SIDE_LEFT]);
}

static enum status begin_velocity(struct walker_plan *plan,
                                  const struct balance_status_message *status,
                                  const struct walker_wish *wish)
{
    if (!aim(plan, status, wish, pose2d_middle(status->foot[SIDE_RIGHT], status->foot[SIDE_LEFT])))
        return STATUS_EMPTY;
    const enum status made = velocity_stack_begin(plan->stack, status->foot);
    plan->committed = 0;
    return made == STATUS_OK ? give_velocity(plan) : made;
}

static enum status further_velocity(struct walker_plan *plan,
                                    const struct balance_status_message *status,
                                    const struct walker_wish *wish, instant now)
{
    const int64_t executing = executed_at(status, now);
    const int64_t left = plan->stack->ticked - executing;
    if (plan->stack->broken || left < SPLICE_NEAREST_SAMPLES ||
        left > SPLICE_LEAD_SAMPLES + PERIOD_SLACK_SAMPLES ||
        !aim(plan, status, wish, end_of(plan->stack)))
        return STATUS_EMPTY; // what was sent ends at rest
    take_lean(plan, status, wish, now);
    return give_velocity(plan);
}

static bool begin(struct walker_plan *plan, const struct balance_status_message *status,
                  const struct walker_wish *wish, instant now)
{
    const enum status made = plan->pattern != NULL ? begin_steps(plan, status, wish)
                                                   : begin_velocity(plan, status, wish);
    if (made != STATUS_OK)
        return made != STATUS_EMPTY && complain(status_text(made));
    fill_head(plan, status, plan->last_plan_id + 1, 1, false, now);
    const enum splice splice =
        segment_buffer_begin(&plan->sent, &plan->segment, status->epoch, &plan->segment.sample[0]);
    if (splice != SPLICE_TAKEN)
        return complain(splice_text(splice));
    plan->offer = (struct plan_offer){++plan->last_plan_id, status->epoch, now};
    plan->segments = 1;
    plan->life = plan_life_step(plan->life, PLAN_BEGUN);
    return true;
}

static bool extend(struct walker_plan *plan, const struct balance_status_message *status,
                   const struct walker_wish *wish, instant now)
{
    const int64_t executing = executed_at(status, now);
    const enum status made = plan->pattern != NULL ? further_step(plan, status, wish, executing)
                                                   : further_velocity(plan, status, wish, now);
    if (made != STATUS_OK)
        return made != STATUS_EMPTY && complain(status_text(made));
    fill_head(plan, status, plan->offer.plan_id, plan->segments + 1, false, now);
    const enum splice splice =
        segment_buffer_splice(&plan->sent, &plan->segment, plan->offer.epoch, executing);
    if (splice != SPLICE_TAKEN)
        return complain(splice_text(splice));
    plan->segments++;
    return true;
}

bool walker_plan_look(struct walker_plan *plan, const struct balance_status_message *status,
                      const struct walker_wish *wish, instant now)
{
    plan->life = plan_life_step(
        plan->life, plan_event_of(&plan->offer, status, now, duration_ms(TAKE_PATIENCE_MS)));
    if (plan->life != PLAN_NONE)
        return plan->life == PLAN_TAKEN && extend(plan, status, wish, now);
    return status->phase == BALANCE_PHASE_STANDING && begin(plan, status, wish, now);
}

size_t walker_plan_segment_size_B(const struct walker_plan *plan)
{
    return offsetof(struct segment_message, sample) +
           plan->segment.count * sizeof plan->segment.sample[0];
}
