#include "targets/hubo2/planner/planner_walk.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/invariant.h"
#include "base/log.h"
#include "walk/segments/pattern.h"
#include "walk/steps/route.h"
#include "walk/steps/step_stack.h"
#include "walk/body/walk_body.h"

#define SAMPLE_NS 10000000
#define SAMPLE_MAX 100000000 // no plan is longer than a week
// Balance changes nothing that is nearer, and has the steps some samples after they were sent;
#define SPLICE_LEAD_SAMPLES (STEP_STACK_LEAD + 10)
#define PERIOD_SLACK_SAMPLES 10 // ... they go no later than the planner's next turn would allow
#define PAST_SAMPLES 400        // a step so long over is forgotten
#define CHAIN_SAMPLES 2         // age of the command that an image shows carried out
#define GOAL_STEPS 1            // steps per message
#define REQUEST_STEPS 2
#define CLEARANCE_M 0.35 // from the robot's middle to an obstacle's edge
#define REAR_M 0.02      // a foot so far behind steps first
#define APART_M 0.03     // feet farther from side by side than this are brought together first
#define APART_RAD 0.06
#define FAILURES_LOGGED 5

// Where the pelvis is when the robot stands on these feet: the centre of mass, not the pelvis, is
// over the middle.
static struct pose2d pelvis_over(const struct planner_walk *walk,
                                 const struct pose2d foot[SIDE_COUNT])
{
    return pose2d_compose(pose2d_middle(foot[SIDE_RIGHT], foot[SIDE_LEFT]),
                          (struct pose2d){walk->pelvis_m[0], walk->pelvis_m[1], 0});
}

enum status planner_walk_init(struct planner_walk *walk, const struct robot_model *model)
{
    memset(walk, 0, sizeof *walk);
    return walk_body_standing(model, walk->pelvis_m);
}

void planner_walk_hear(struct planner_walk *walk, const struct segment_message *segment)
{
    // What does not fit is not held: the feet tell where the robot is, as well as they can.
    const enum splice splice = segment_buffer_resume(&walk->held, segment);
    (void)splice;
}

// The plan's sample that balance executed, or will execute, at `when`, by its last status.
static int64_t executed_at(const struct balance_status_message *status, instant when)
{
    int64_t told = status->sample < SAMPLE_MAX ? status->sample : SAMPLE_MAX;
    return (told > 0 ? told : 0) + instant_sub(when, status->time).ns / SAMPLE_NS;
}

// World to odometry: where balance believed the pelvis to be when the image was taken, against
// where it was seen.
static struct pose2d world_in_odometry(const struct planner_walk *walk,
                                       const struct planner_input *input)
{
    const struct balance_status_message *status = &input->status;
    struct pose2d pelvis = pelvis_over(walk, status->foot);
    if (status->phase == BALANCE_PHASE_EXECUTING) {
        int64_t index = executed_at(status, input->perception.image_time) - CHAIN_SAMPLES;
        const struct segment_sample *sample = segment_buffer_at(&walk->held, index > 0 ? index : 0);
        if (sample != NULL)
            pelvis =
                (struct pose2d){sample->pelvis_m[0], sample->pelvis_m[1], sample->pelvis_yaw_rad};
    }
    return pose2d_compose(pelvis,
                          pose2d_relative(input->perception.robot, (struct pose2d){0, 0, 0}));
}

// Steps from `stance` towards the goal, around obstacles; *final: the feet are then there.
static unsigned steps_to_goal(const struct planner_walk *walk, const struct gait_parameters *gait,
                              const struct planner_input *input, struct stance stance,
                              struct footstep *step, bool *final)
{
    struct pose2d world = world_in_odometry(walk, input);
    struct pose2d goal = pose2d_compose(world, input->perception.goal);
    struct obstacle obstacle[ROBOT_OBSTACLES_MAX];
    unsigned obstacles = input->perception.obstacle_count;
    obstacles = obstacles < ROBOT_OBSTACLES_MAX ? obstacles : ROBOT_OBSTACLES_MAX;
    for (unsigned i = 0; i < obstacles; i++) {
        const struct obstacle *seen = &input->perception.obstacle[i];
        struct pose2d at = pose2d_compose(world, (struct pose2d){seen->x_m, seen->y_m, 0});
        obstacle[i] = (struct obstacle){at.x_m, at.y_m, seen->radius_m};
    }
    unsigned count = 0;
    *final = !footsteps_toward(gait, &stance, &goal, &step[0]);
    while (!*final && count < GOAL_STEPS) {
        struct pose2d next =
            route_next(footsteps_centre(&stance), goal, obstacle, obstacles, CLEARANCE_M);
        if (!footsteps_toward(gait, &stance, &next, &step[count]) &&
            !footsteps_toward(gait, &stance, &goal, &step[count]))
            break;
        stance = footsteps_after(stance, step[count]);
        count++;
        struct footstep further;
        *final = !footsteps_toward(gait, &stance, &goal, &further);
    }
    return count;
}

static unsigned steps_requested(struct planner_walk *walk, struct footstep *step, bool *final)
{
    invariant(walk->requested_given <= walk->requested_count);
    unsigned count = walk->requested_count - walk->requested_given;
    count = count < REQUEST_STEPS ? count : REQUEST_STEPS;
    memcpy(step, &walk->requested[walk->requested_given], count * sizeof *step);
    walk->requested_given += count;
    *final = walk->requested_given == walk->requested_count;
    return count;
}

// The steps as a plan from `earliest` on, in walk->trial. INVALID also: a foot is nowhere.
static enum status lay_out(struct planner_walk *walk, int64_t earliest, unsigned first,
                           const struct footstep *step, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!isfinite(step[i].pose.x_m + step[i].pose.y_m + step[i].pose.yaw_rad))
            return STATUS_INVALID;
    return timeline_change(&walk->trial, earliest, earliest - PAST_SAMPLES, first, step, count);
}

static void fill(struct planner_walk *walk, const struct planner *planner,
                 const struct planner_input *input, unsigned first, const struct footstep *step,
                 unsigned count, bool final)
{
    expects(count <= FOOTSTEPS_MAX);
    struct footsteps_message *steps = &walk->steps;
    *steps = (struct footsteps_message){.plan_id = planner->offer.plan_id,
                                        .number = planner->segments + 1,
                                        .epoch = input->status.epoch,
                                        .request_id = planner->request_id,
                                        .time = input->now,
                                        .gait = (uint32_t)planner->plan_gait,
                                        .final = final,
                                        .first = first,
                                        .count = count};
    for (unsigned i = 0; i < count; i++)
        steps->step[i] = (struct planned_step){.side = step[i].side, .pose = step[i].pose};
    walk->committed = first + count;
    walk->timeline = walk->trial;
}

static enum made failed(struct planner_walk *walk, const char *what, const char *why)
{
    if (walk->failures++ < FAILURES_LOGGED)
        log_error("%s cannot be made: %s", what, why);
    return MADE_NOTHING;
}

// The foot that stands farther back steps first; the right one if they stand side by side.
static enum side rear_foot(const struct stance *stance)
{
    struct pose2d left = pose2d_relative(stance->foot[SIDE_RIGHT], stance->foot[SIDE_LEFT]);
    return left.x_m < -REAR_M ? SIDE_LEFT : SIDE_RIGHT;
}

// After a recovery the feet may stand far apart: then the first step only brings them together.
static bool feet_apart(const struct stance *stance, struct footstep *step)
{
    if (!footsteps_close(stance, step))
        return false;
    const struct pose2d *now = &stance->foot[step->side];
    return pose2d_distance_m(*now, step->pose) > APART_M ||
           fabs(remainder(now->yaw_rad - step->pose.yaw_rad, 2 * M_PI)) > APART_RAD;
}

// The first steps of a plan; `stance` is left with the foot to swing first.
static unsigned first_steps(struct planner_walk *walk, const struct planner *planner,
                            const struct planner_input *input, struct stance *stance,
                            struct footstep *step, bool *final)
{
    const struct balance_status_message *status = &input->status;
    const struct gait_parameters *gait = gait_parameters(planner->plan_gait);
    stance->next = rear_foot(stance);
    bool apart = feet_apart(stance, &step[0]);
    struct stance together = apart ? footsteps_after(*stance, step[0]) : *stance;
    struct footstep further[REQUEST_STEPS + GOAL_STEPS];
    unsigned count;
    if (planner->request_id != 0) {
        walk->requested_given = 0;
        walk->requested_count = footsteps_walk(
            gait, &together, (enum balance_command_kind)status->request_kind, status->request_steps,
            status->request_angle_rad, walk->requested, PLANNER_REQUEST_STEPS_MAX);
        *final = walk->requested_count == 0;
        count = apart ? 0 : steps_requested(walk, further, final);
    } else {
        count = steps_to_goal(walk, gait, input, together, further, final);
    }
    if (apart)
        return 1;
    memcpy(step, further, count * sizeof *step);
    if (count > 0)
        stance->next = step[0].side;
    return count;
}

enum made planner_walk_begin(struct planner_walk *walk, const struct planner *planner,
                             const struct planner_input *input)
{
    const struct balance_status_message *status = &input->status;
    struct stance stance = {.foot = {status->foot[0], status->foot[1]}};
    struct footstep step[REQUEST_STEPS + GOAL_STEPS];
    bool final;
    unsigned count = first_steps(walk, planner, input, &stance, step, &final);
    if (count == 0 && planner->request_id == 0)
        return final ? MADE_ARRIVED : MADE_NOTHING;
    timeline_begin(&walk->trial, gait_parameters(planner->plan_gait), &stance);
    enum status made = lay_out(walk, 0, 0, step, count);
    if (made != STATUS_OK)
        return failed(walk, "a plan", status_text(made));
    fill(walk, planner, input, 0, step, count, final);
    walk->steps.plan_id = planner->last_plan_id + 1;
    walk->steps.number = 1;
    return MADE_STEPS;
}

enum made planner_walk_extend(struct planner_walk *walk, const struct planner *planner,
                              const struct planner_input *input)
{
    const struct balance_status_message *status = &input->status;
    const struct timeline *timeline = &walk->timeline;
    const int64_t earliest = executed_at(status, input->now) + SPLICE_LEAD_SAMPLES;
    if (earliest >= timeline_last_sample(timeline) || walk->committed == 0 ||
        !timeline_due(timeline, walk->committed, earliest, PERIOD_SLACK_SAMPLES))
        return MADE_NOTHING;
    unsigned free = timeline_free_step(timeline, earliest, PATTERN_LEAD_SAMPLES);
    unsigned first = free > walk->committed ? free : walk->committed;
    if (timeline_rests(timeline, first, earliest))
        return MADE_NOTHING; // too late: a new plan begins when it is over
    struct stance stance = timeline_stance(timeline, first);
    struct footstep step[REQUEST_STEPS + GOAL_STEPS];
    bool final;
    unsigned count =
        planner->request_id != 0
            ? steps_requested(walk, step, &final)
            : steps_to_goal(walk, gait_parameters(planner->plan_gait), input, stance, step, &final);
    walk->trial = *timeline;
    enum status made = lay_out(walk, earliest, first, step, count);
    if (made != STATUS_OK)
        return failed(walk, "further steps", status_text(made));
    fill(walk, planner, input, first, step, count, final);
    return MADE_STEPS;
}

size_t planner_walk_size_B(const struct planner_walk *walk)
{
    return offsetof(struct footsteps_message, step) +
           walk->steps.count * sizeof walk->steps.step[0];
}
