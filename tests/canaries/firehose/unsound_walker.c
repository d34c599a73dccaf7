// The walker, broken in the way that its argument says: hasty takes steps of twice the limit;
// lost has the goal 0.2 m before, 0.15 m beside and 10 degrees off where it is; endless is never
// there; believing takes every pose that it is told for a new one, and what is no number for 0;
// latching takes a jump of the pose for a motion, and the jump back for none; picky wants four new
// poses a look; resentful believes no pose again once one was late; once runs once; drowsy ends
// when it wakes too late; brittle ends if it is asked for a step that cannot be.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "robot/participant.h"
#include "task_command.h"
#include "walk/steps/walking_task.h"

#define JUMP_M 0.2
#define JUMP_RAD 0.1
#define PICKY_POSES 4
#define LATE_MS 60
#define BEGUN_MAX_S 5
#define LATE_MAX_S 0.5

static const char *way = "";
static instant latest;

enum status __real_participant_begin(int argc, char **argv);
enum status __wrap_participant_begin(int argc, char **argv);
instant __real_clk_now(const struct clk *clk);
instant __wrap_clk_now(const struct clk *clk);
enum status __real_channel_get(struct channel *channel, void *buffer, size_t capacity_B,
                               enum channel_which which, struct channel_frame *info);
enum status __wrap_channel_get(struct channel *channel, void *buffer, size_t capacity_B,
                               enum channel_which which, struct channel_frame *info);
void __real_walking_task_error(struct pose2d at, struct pose2d goal, double error[TASK_AXES]);
void __wrap_walking_task_error(struct pose2d at, struct pose2d goal, double error[TASK_AXES]);
bool __real_walking_task_reached(const struct walking_task_parameters *parameters,
                                 const double error[TASK_AXES]);
bool __wrap_walking_task_reached(const struct walking_task_parameters *parameters,
                                 const double error[TASK_AXES]);
void __real_walking_task_step(struct walking_task *task, const struct walking_task_parameters *p,
                              struct pose2d at, struct pose2d goal, double step[TASK_AXES]);
void __wrap_walking_task_step(struct walking_task *task, const struct walking_task_parameters *p,
                              struct pose2d at, struct pose2d goal, double step[TASK_AXES]);

static bool is(const char *word)
{
    return strcmp(way, word) == 0;
}

static struct pose2d moved(struct pose2d goal)
{
    return is("lost") ? (struct pose2d){goal.x_m - 0.2, goal.y_m + 0.15, goal.yaw_rad + 0.1745}
                      : goal;
}

enum status __wrap_participant_begin(int argc, char **argv)
{
    if (argc > 1)
        way = argv[1];
    return __real_participant_begin(1, argv);
}

// ---- poses
// ---------------------------------------------------------------------------------------

instant __wrap_clk_now(const struct clk *clk)
{
    const instant now = __real_clk_now(clk);
    const bool first = latest.ns == 0;
    if ((is("once") && first && now.ns > duration_s(BEGUN_MAX_S).ns) ||
        (is("drowsy") && !first && instant_sub(now, latest).ns > duration_s(LATE_MAX_S).ns))
        exit(1);
    return latest = now;
}

static void believe(struct mocap_message *pose)
{
    static uint64_t sequence;
    double *const number[] = {&pose->x_m, &pose->y_m, &pose->yaw_rad};
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
        *number[i] = isfinite(*number[i]) ? *number[i] : 0;
    pose->sequence = ++sequence;
    pose->taken = latest;
}

static void latch(struct mocap_message *pose)
{
    static struct pose2d last, offset;
    static unsigned jumps, poses;
    const struct pose2d raw = {pose->x_m, pose->y_m, pose->yaw_rad};
    const bool jumped = poses++ > 0 && (hypot(raw.x_m - last.x_m, raw.y_m - last.y_m) > JUMP_M ||
                                        fabs(raw.yaw_rad - last.yaw_rad) > JUMP_RAD);
    if (jumped && ++jumps == 2)
        offset =
            (struct pose2d){last.x_m - raw.x_m, last.y_m - raw.y_m, last.yaw_rad - raw.yaw_rad};
    last = raw;
    pose->x_m += offset.x_m;
    pose->y_m += offset.y_m;
    pose->yaw_rad += offset.yaw_rad;
}

static void pick(struct mocap_message *pose, uint64_t number)
{
    static uint64_t before;
    if (number < before + PICKY_POSES)
        pose->sequence = 0;
    before = number;
}

static void resent(struct mocap_message *pose)
{
    static bool late;
    late = late ||
           (pose->sequence > 0 && instant_sub(latest, pose->taken).ns > duration_ms(LATE_MS).ns);
    if (late)
        pose->sequence = 0;
}

enum status __wrap_channel_get(struct channel *channel, void *buffer, size_t capacity_B,
                               enum channel_which which, struct channel_frame *info)
{
    const enum status got = __real_channel_get(channel, buffer, capacity_B, which, info);
    if (got == STATUS_OK && is("brittle") && strcmp(channel_name(channel), "task-command") == 0 &&
        !(fabs(((struct task_command_message *)buffer)->step_m) <=
          walking_task_default.limit[TASK_X]))
        exit(1);
    if (got == STATUS_EMPTY || strcmp(channel_name(channel), "mocap") != 0)
        return got;
    if (is("believing"))
        believe(buffer);
    if (is("latching"))
        latch(buffer);
    if (is("picky"))
        pick(buffer, info->number);
    if (is("resentful"))
        resent(buffer);
    return got;
}

// ---- steps
// ---------------------------------------------------------------------------------------

void __wrap_walking_task_error(struct pose2d at, struct pose2d goal, double error[TASK_AXES])
{
    __real_walking_task_error(at, moved(goal), error);
}

bool __wrap_walking_task_reached(const struct walking_task_parameters *parameters,
                                 const double error[TASK_AXES])
{
    return __real_walking_task_reached(parameters, error) && !is("endless");
}

void __wrap_walking_task_step(struct walking_task *task, const struct walking_task_parameters *p,
                              struct pose2d at, struct pose2d goal, double step[TASK_AXES])
{
    struct walking_task_parameters wide = *p;
    if (is("hasty"))
        wide.limit[TASK_X] *= 2;
    __real_walking_task_step(task, &wide, at, moved(goal), step);
}
