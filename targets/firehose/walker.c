// walker: steps towards the goal by motion capture, or straight on; 20 looks a second, not
// real-time. What it does is in walker_plan.h. With the argument `generator=velocity` it gives
// velocities each 0.1 s in place of steps; with `generator=velocity lean=plan` its plans lean, too.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "robot/participant.h"
#include "targets/firehose/files.h"
#include "targets/firehose/walker_plan.h"
#include "task_command.h"
#include "task_status.h"
#include "whole_body_status.h"

#define PERIOD_MS 50
#define POSE_AGE_MAX_MS 200 // the robot stops without a younger one
#define STATUS_AGE_MAX_MS 100
#define STEP_S 0.8
#define BEHIND_M 0.03 // a robot whose lean is so far behind takes the shortest steps
#define HASTE_MIN 0.1

struct walker {
    struct channel *balance_status, *mocap, *command, *whole_body, *segment, *status;
    struct walker_plan plan;
    struct task_command_message task;
    struct balance_status_message balance;
    struct mocap_message pose;
    struct whole_body_status_message body;
    bool told, balanced, seen, leans;
    bool by_velocity, plans_lean; // as the arguments say
    uint64_t sequence;            // of the newest pose
    uint64_t reached_id;
};

static bool newest(struct channel *channel, void *message, size_t size_B)
{
    struct channel_frame frame;
    const enum status got = channel_get(channel, message, size_B, CHANNEL_LAST, &frame);
    return (got == STATUS_OK || got == STATUS_MISSED) && frame.size_B == size_B;
}

static bool recent(instant now, instant said, int64_t age_max_ms)
{
    const duration age = instant_sub(now, said);
    return age.ns >= 0 && age.ns <= duration_ms(age_max_ms).ns;
}

static bool finite_pose(const struct mocap_message *pose)
{
    return isfinite(pose->x_m) && isfinite(pose->y_m) && isfinite(pose->yaw_rad);
}

static void listen(struct walker *walker, instant now)
{
    struct task_command_message task;
    if (newest(walker->command, &task, sizeof task)) {
        if (!walker->told || task.id != walker->task.id)
            walker_plan_forget(&walker->plan);
        walker->task = task;
        walker->told = true;
    }
    struct mocap_message pose;
    walker->balanced = newest(walker->balance_status, &walker->balance, sizeof walker->balance) &&
                       recent(now, walker->balance.time, STATUS_AGE_MAX_MS);
    walker->leans = newest(walker->whole_body, &walker->body, sizeof walker->body) &&
                    recent(now, instant_ns(walker->body.time_ns), STATUS_AGE_MAX_MS);
    // A pose is new if its number is: a frozen system says the same one again and again.
    if (newest(walker->mocap, &pose, sizeof pose) && finite_pose(&pose) &&
        pose.sequence > walker->sequence) {
        walker->sequence = pose.sequence;
        walker->pose = pose;
    }
    walker->seen = walker->sequence > 0 && recent(now, walker->pose.taken, POSE_AGE_MAX_MS);
}

// Share of a step that is taken on a line. A force that grows with the way is not to grow faster
// than the robot leans against it.
static double haste(const struct walker *walker)
{
    if (walker->task.kind != WALKER_HAUL || !walker->task.compensate || !walker->leans)
        return 1;
    return fmin(fmax(1 - walker->body.lean_behind_m / BEHIND_M, HASTE_MIN), 1);
}

// By velocities a robot that is to lean against a force and does not know it would fall: it stops.
static bool goes(const struct walker *walker)
{
    return walker->told && walker->task.id != walker->reached_id &&
           (!walker->by_velocity || !walker->task.compensate ||
            (walker->leans && walker->body.knows_force));
}

static struct walker_wish wish(const struct walker *walker)
{
    const struct task_command_message *task = &walker->task;
    struct walker_wish wish = {
        .kind = goes(walker) ? (int)task->kind : WALKER_STAND,
        .pose_known = walker->seen,
        .chest = {walker->pose.x_m, walker->pose.y_m, walker->pose.yaw_rad},
        .taken = walker->pose.taken,
        .goal = {task->goal_x_m, task->goal_y_m, task->goal_yaw_rad},
        .pull_step_m = task->step_m * haste(walker),
        .pull_steps = task->steps,
        .gain = task->gain,
        .plans_lean = walker->plans_lean,
    };
    if (walker->leans) {
        wish.lean_m[0] = walker->body.lean_x_m;
        wish.lean_m[1] = walker->body.lean_y_m;
    }
    return wish;
}

static void publish(struct channel *channel, const void *message, size_t size_B, instant now)
{
    // A full channel costs this one frame; the next one replaces it anyway.
    const enum status put = channel_put(channel, message, size_B, now);
    (void)put;
}

static void report(struct walker *walker, instant now)
{
    const struct walker_plan *plan = &walker->plan;
    const struct segment_sample *sample = walker_plan_at(plan, &walker->balance, now);
    if (plan->reached && plan->life == PLAN_NONE && walker->told && walker->balanced &&
        walker->balance.phase == BALANCE_PHASE_STANDING)
        walker->reached_id = walker->task.id;
    double lean_m[2];
    walker_plan_lean(plan, &walker->balance, now, lean_m);
    const struct task_status_message status = {
        .time_ns = now.ns,
        .command_id = walker->task.id,
        .reached_id = walker->reached_id,
        .walking = plan->life != PLAN_NONE,
        .both_feet = sample == NULL || sample->support == SUPPORT_BOTH,
        .pose_fresh = walker->seen,
        .steps = plan->steps_total,
        .reference_m_s = plan->life != PLAN_NONE ? plan->step[TASK_X] / STEP_S : 0,
        .error_x_m = plan->error[TASK_X],
        .error_y_m = plan->error[TASK_Y],
        .error_yaw_rad = plan->error[TASK_YAW],
        .lean_x_m = lean_m[0],
        .lean_y_m = lean_m[1],
    };
    publish(walker->status, &status, sizeof status, now);
}

static enum status start(struct walker *walker, struct clk **clk)
{
    const struct {
        const char *name;
        enum channel_role role;
        size_t size_B;
        struct channel **channel;
    } wanted[] = {
        {"balance-status", CHANNEL_READ, sizeof walker->balance, &walker->balance_status},
        {"mocap", CHANNEL_READ, sizeof walker->pose, &walker->mocap},
        {"task-command", CHANNEL_READ, sizeof walker->task, &walker->command},
        {"whole-body-status", CHANNEL_READ, sizeof walker->body, &walker->whole_body},
        {"segment", CHANNEL_WRITE, sizeof walker->plan.segment, &walker->segment},
        {"task-status", CHANNEL_WRITE, sizeof(struct task_status_message), &walker->status}};
    struct robot_model *model = NULL;
    enum status status = files_robot(&model);
    if (status == STATUS_OK)
        status = walker_plan_init(&walker->plan, model, walker->by_velocity);
    robot_model_free(model); // the plan has taken what it needs
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && status == STATUS_OK; i++)
        status = participant_channel(wanted[i].name, wanted[i].role, wanted[i].size_B,
                                     wanted[i].channel);
    return status == STATUS_OK ? participant_join(clk) : status;
}

// The words are taken; what is left is the participant's.
static enum status read_arguments(int argc, char **argv, struct walker *walker)
{
    walker->by_velocity = argc > 1 && strcmp(argv[1], "generator=velocity") == 0;
    walker->plans_lean = walker->by_velocity && argc == 3 && strcmp(argv[2], "lean=plan") == 0;
    const int taken = walker->by_velocity + walker->plans_lean;
    return participant_begin(argc == 1 + taken ? 1 : argc, argv);
}

int main(int argc, char **argv)
{
    static struct walker walker;
    struct clk *clk;
    if (read_arguments(argc, argv, &walker) != STATUS_OK || start(&walker, &clk) != STATUS_OK)
        return 2;
    struct clk_period period = clk_period_start(clk, instant_ns(0), duration_ms(PERIOD_MS));
    for (;;) {
        clk_period_wait(clk, &period);
        const instant now = clk_now(clk);
        listen(&walker, now);
        const struct walker_wish wanted = wish(&walker);
        if (walker.balanced && walker_plan_look(&walker.plan, &walker.balance, &wanted, now))
            publish(walker.segment, &walker.plan.segment, walker_plan_segment_size_B(&walker.plan),
                    now);
        report(&walker, now);
    }
}
