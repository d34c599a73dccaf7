#include "targets/hubo2/planner_walk.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/log.h"
#include "walk/route.h"
#include "walk/walk_body.h"

#define SAMPLE_NS 10000000
#define SAMPLE_MAX 100000000    // no plan is longer than a week
#define SPLICE_LEAD_SAMPLES 15  // a segment is sent so long before its first sample
#define PERIOD_SLACK_SAMPLES 10 // ... and no later than the planner's next turn would allow
#define CHAIN_SAMPLES 2         // age of the command that an image shows carried out
#define GOAL_STEPS 1            // steps per segment
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
    enum status status = walk_body_standing(model, walk->pelvis_m);
    for (int gait = 0; gait < GAIT_COUNT && status == STATUS_OK; gait++)
        status = pattern_create(model, gait_parameters((enum gait)gait), &walk->pattern[gait]);
    return status;
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
        const struct segment_sample *sample = segment_buffer_at(&walk->sent, index > 0 ? index : 0);
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
    unsigned count = walk->requested_count - walk->requested_given;
    count = count < REQUEST_STEPS ? count : REQUEST_STEPS;
    memcpy(step, &walk->requested[walk->requested_given], count * sizeof *step);
    walk->requested_given += count;
    *final = walk->requested_given == walk->requested_count;
    return count;
}

static void fill_head(struct planner_walk *walk, const struct planner *planner,
                      const struct planner_input *input, bool final)
{
    struct segment_message *segment = &walk->segment;
    segment->epoch = input->status.epoch;
    segment->request_id = planner->request_id;
    segment->time = input->now;
    segment->gait = (uint32_t)planner->plan_gait;
    segment->final = final;
    segment->padding = 0;
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
    struct pattern *pattern = walk->pattern[planner->plan_gait];
    struct stance stance = {.foot = {status->foot[0], status->foot[1]}};
    struct footstep step[REQUEST_STEPS + GOAL_STEPS];
    bool final;
    unsigned count = first_steps(walk, planner, input, &stance, step, &final);
    if (count == 0 && planner->request_id == 0)
        return final ? MADE_ARRIVED : MADE_NOTHING;
    pattern_begin(pattern, &stance);
    enum status made = pattern_extend(pattern, 0, 0, step, count, &walk->segment);
    if (made != STATUS_OK)
        return failed(walk, "a plan", status_text(made));
    walk->committed = count;
    walk->segment.plan_id = planner->last_plan_id + 1;
    walk->segment.segment_number = 1;
    fill_head(walk, planner, input, final);
    enum splice splice =
        segment_buffer_begin(&walk->sent, &walk->segment, status->epoch, &walk->segment.sample[0]);
    return splice == SPLICE_TAKEN ? MADE_SEGMENT : failed(walk, "a plan", splice_text(splice));
}

enum made planner_walk_extend(struct planner_walk *walk, const struct planner *planner,
                              const struct planner_input *input)
{
    const struct balance_status_message *status = &input->status;
    struct pattern *pattern = walk->pattern[planner->plan_gait];
    int64_t now = executed_at(status, input->now);
    int64_t earliest = now + SPLICE_LEAD_SAMPLES;
    if (earliest >= pattern_last_sample(pattern) || walk->committed == 0 ||
        !pattern_due(pattern, walk->committed, earliest, PERIOD_SLACK_SAMPLES))
        return MADE_NOTHING;
    unsigned free = pattern_free_step(pattern, earliest);
    unsigned first = free > walk->committed ? free : walk->committed;
    struct stance stance = pattern_stance(pattern, first);
    struct footstep step[REQUEST_STEPS + GOAL_STEPS];
    bool final;
    unsigned count =
        planner->request_id != 0
            ? steps_requested(walk, step, &final)
            : steps_to_goal(walk, gait_parameters(planner->plan_gait), input, stance, step, &final);
    enum status made = pattern_extend(pattern, earliest, first, step, count, &walk->segment);
    if (made != STATUS_OK)
        return failed(walk, "a segment", status_text(made));
    walk->committed = first + count;
    walk->segment.plan_id = planner->plan_id;
    walk->segment.segment_number = planner->segments + 1;
    fill_head(walk, planner, input, final);
    enum splice splice = segment_buffer_splice(&walk->sent, &walk->segment, planner->epoch, now);
    return splice == SPLICE_TAKEN ? MADE_SEGMENT : failed(walk, "a segment", splice_text(splice));
}

size_t planner_walk_segment_size_B(const struct planner_walk *walk)
{
    return offsetof(struct segment_message, sample) +
           walk->segment.count * sizeof walk->segment.sample[0];
}
