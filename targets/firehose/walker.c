// walker: steps towards the goal by motion capture, or straight on; 20 looks a second, not
// real-time. What it does is in walker_plan.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "robot/participant.h"
#include "targets/firehose/files.h"
#include "targets/firehose/walker_plan.h"
#include "task_command.h"
#include "task_status.h"
#include "wrist_status.h"

#define PERIOD_MS 50
#define POSE_AGE_MAX_MS 200 // the robot stops without a younger one
#define STATUS_AGE_MAX_MS 100
#define FORCE_AGE_MAX_MS 200
#define GRAVITY_M_S2 9.81
#define STEP_S 0.8
#define TASK_CARRY 2 // task_command.msg's `compensate`

// Ahead and aside. A hose hardly pulls sideways, though it hangs beside: more is a sensor's
// mistake.
static const double lean_max_m[2] = {0.06, 0.02}, carry_max_m[2] = {0.12, 0.04};

struct walker {
    struct channel *balance_status, *mocap, *command, *wrist, *segment, *status;
    struct walker_plan plan;
    struct task_command_message task;
    struct balance_status_message balance;
    struct mocap_message pose;
    struct wrist_status_message force;
    bool told, balanced, seen, felt;
    uint64_t sequence; // of the newest pose
    uint64_t reached_id;
    double robot_kg;
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
    walker->felt = newest(walker->wrist, &walker->force, sizeof walker->force) &&
                   recent(now, instant_ns(walker->force.time_ns), FORCE_AGE_MAX_MS) &&
                   walker->force.valid;
    // A pose is new if its number is: a frozen system says the same one again and again.
    if (newest(walker->mocap, &pose, sizeof pose) && finite_pose(&pose) &&
        pose.sequence > walker->sequence) {
        walker->sequence = pose.sequence;
        walker->pose = pose;
    }
    walker->seen = walker->sequence > 0 && recent(now, walker->pose.taken, POSE_AGE_MAX_MS);
}

static struct walker_wish wish(const struct walker *walker)
{
    const struct task_command_message *task = &walker->task;
    struct walker_wish wish = {
        .kind = walker->told && task->id != walker->reached_id ? (int)task->kind : WALKER_STAND,
        .pose_known = walker->seen,
        .chest = {walker->pose.x_m, walker->pose.y_m, walker->pose.yaw_rad},
        .taken = walker->pose.taken,
        .goal = {task->goal_x_m, task->goal_y_m, task->goal_yaw_rad},
        .pull_step_m = task->step_m,
        .pull_steps = task->steps,
    };
    if (!walker->told || !task->compensate || !walker->felt)
        return wish;
    // The moment of the force about the feet, against that of the weight: of what pulls, high above
    // them, and of what hangs from the hand, ahead of them and beside.
    const struct wrist_status_message *force = &walker->force;
    const double height_m = 0.568, weight_N = walker->robot_kg * GRAVITY_M_S2;
    const double pull_N[2] = {force->slow_x_n, force->slow_y_n};
    const double hand_m[2] = {force->hand_x_m, force->hand_y_m};
    const bool carries = task->compensate == TASK_CARRY;
    const double *most_m = carries ? carry_max_m : lean_max_m;
    for (int i = 0; i < 2; i++) {
        const double hangs_N = carries ? force->slow_z_n : 0;
        const double lean_m = (hand_m[i] * hangs_N - height_m * pull_N[i]) / weight_N;
        wish.lean_m[i] = fmin(fmax(lean_m, -most_m[i]), most_m[i]);
    }
    return wish;
}

static void publish(struct channel *channel, const void *message, size_t size_B, instant now)
{
    // A full channel costs this one frame; the next one replaces it anyway.
    const enum status put = channel_put(channel, message, size_B, now);
    (void)put;
}

static void report(struct walker *walker, const struct walker_wish *wish, instant now)
{
    const struct walker_plan *plan = &walker->plan;
    const struct segment_sample *sample = walker_plan_at(plan, &walker->balance, now);
    if (plan->reached && plan->plan_id == 0 && walker->told && walker->balanced &&
        walker->balance.phase == BALANCE_PHASE_STANDING)
        walker->reached_id = walker->task.id;
    const struct task_status_message status = {
        .time_ns = now.ns,
        .command_id = walker->task.id,
        .reached_id = walker->reached_id,
        .walking = plan->plan_id != 0,
        .both_feet = sample == NULL || sample->support == SUPPORT_BOTH,
        .pose_fresh = walker->seen,
        .steps = plan->steps_total,
        .reference_m_s = plan->plan_id != 0 ? plan->step[TASK_X] / STEP_S : 0,
        .error_x_m = plan->error[TASK_X],
        .error_y_m = plan->error[TASK_Y],
        .error_yaw_rad = plan->error[TASK_YAW],
        .lean_x_m = wish->lean_m[0],
        .lean_y_m = wish->lean_m[1],
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
        {"wrist-status", CHANNEL_READ, sizeof walker->force, &walker->wrist},
        {"segment", CHANNEL_WRITE, sizeof walker->plan.segment, &walker->segment},
        {"task-status", CHANNEL_WRITE, sizeof(struct task_status_message), &walker->status}};
    struct robot_model *model;
    enum status status = files_robot(&model);
    if (status == STATUS_OK)
        status = walker_plan_init(&walker->plan, model);
    if (status == STATUS_OK)
        walker->robot_kg = model->mass_kg;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && status == STATUS_OK; i++)
        status = participant_channel(wanted[i].name, wanted[i].role, wanted[i].size_B,
                                     wanted[i].channel);
    return status == STATUS_OK ? participant_join(clk) : status;
}

int main(int argc, char **argv)
{
    static struct walker walker;
    struct clk *clk;
    if (participant_begin(argc, argv) != STATUS_OK || start(&walker, &clk) != STATUS_OK)
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
        report(&walker, &wanted, now);
    }
}
