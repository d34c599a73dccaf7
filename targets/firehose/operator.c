// Operator of the hose: waits until the robot stands, closes its hand, and has it pull or go.
//
//   operator [stiff] [lean | carry | expect=N] [release=S] [limit=N] [step=M] [gain=G]
//            pull=M | haul=M | goal=X,Y,DEG
//
// pull=M: straight on by so many metres, without looking, in steps of 0.1 m, or of what step= says
// before it. haul=M: the same on a straight line, by motion capture. goal: of the chest, by motion
// capture. lean: the centre of mass leans against the hose's pull; carry: also against what hangs
// from the hand; expect=N: against a pull of N newton, felt or not. stiff: the arm does not give
// way. release=S: so long after the last step the hand opens; without it the hose stays in the
// hand. limit=N: a hand that feels more for 60 ms, 130 N without it, opens before the robot is
// pulled down, and the robot stops. gain=G: times the gains by which the walking task comes nearer.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "message/message.h"
#include "robot/participant.h"
#include "task_command.h"
#include "task_status.h"
#include "wrist_status.h"

#define GOAL_MAX_M 50.0
#define GOAL_MAX_DEG 180.0
#define LOOK_MS 50
#define NAME_LENGTH_MAX 16
#define WEIGH_S 3.0 // standing, before the hand closes
#define GRASP_S 1.0 // before it pulls
#define STEP_M 0.10
#define STEP_MIN_M 0.01
#define EXPECT_MAX_N 100.0
#define GAIN_MAX 2.0 // from where each step would lead beyond the goal
#define FEEL_MS 20
#define LIMIT_N 130.0 // the limit of the pull is below 80 N, and what hangs is some 40 N
#define LIMIT_MIN_N 20.0
#define LIMIT_LOOKS 4 // in a row: a jerk of the arm is over sooner, a hose that is caught is not
#define AGAIN_S 0.5   // everything is said again so often: who restarts, is told

struct wishes {
    struct task_command_message task;
    double release_s; // below 0: never
    double limit_N;
};

static bool read_word(const char *word, struct wishes *wishes)
{
    struct task_command_message *task = &wishes->task;
    double degrees, metres;
    char rest;
    if (strcmp(word, "stiff") == 0) {
        task->comply = 0;
    } else if (strcmp(word, "lean") == 0) {
        task->compensate = 1;
    } else if (strcmp(word, "carry") == 0) {
        task->compensate = 2;
    } else if (sscanf(word, "expect=%lf%c", &task->expect_n, &rest) == 1) {
        return task->expect_n > 0 && task->expect_n <= EXPECT_MAX_N;
    } else if (sscanf(word, "release=%lf%c", &wishes->release_s, &rest) == 1) {
        return wishes->release_s >= 0;
    } else if (sscanf(word, "limit=%lf%c", &wishes->limit_N, &rest) == 1) {
        return wishes->limit_N >= LIMIT_MIN_N;
    } else if (sscanf(word, "step=%lf%c", &task->step_m, &rest) == 1) {
        return task->step_m >= STEP_MIN_M && task->step_m <= STEP_M;
    } else if (sscanf(word, "gain=%lf%c", &task->gain, &rest) == 1) {
        return task->gain > 0 && task->gain <= GAIN_MAX;
    } else if (sscanf(word, "pull=%lf%c", &metres, &rest) == 1 ||
               sscanf(word, "haul=%lf%c", &metres, &rest) == 1) {
        task->kind = word[0] == 'h' ? 3 : 1;
        task->steps = ceil(metres / task->step_m);
        return metres > 0 && metres <= 100;
    } else if (sscanf(word, "goal=%lf,%lf,%lf%c", &task->goal_x_m, &task->goal_y_m, &degrees,
                      &rest) == 3) {
        task->kind = 2;
        task->goal_yaw_rad = degrees * M_PI / 180;
        return fabs(task->goal_x_m) <= GOAL_MAX_M && fabs(task->goal_y_m) <= GOAL_MAX_M &&
               fabs(degrees) <= GOAL_MAX_DEG;
    } else {
        return false;
    }
    return true;
}

// Which word says what an earlier one says, or gives a second task; 0: none.
static int said_twice(int argc, char **argv)
{
    static const char *const about[] = {"stiff", "lean carry expect", "release", "limit", "step",
                                        "gain",  "pull haul goal"};
    for (size_t kind = 0; kind < sizeof about / sizeof about[0]; kind++) {
        unsigned said = 0;
        for (int i = 1; i < argc; i++) {
            char word[NAME_LENGTH_MAX] = "";
            (void)sscanf(argv[i], "%15[a-z]", word);
            if (word[0] && strstr(about[kind], word) && ++said == 2)
                return i;
        }
    }
    return 0;
}

static bool read_words(int argc, char **argv, struct wishes *wishes)
{
    *wishes = (struct wishes){
        .task = {.step_m = STEP_M, .comply = 1, .gain = 1}, .release_s = -1, .limit_N = LIMIT_N};
    const int twice = said_twice(argc, argv);
    if (twice > 0) {
        log_error("%s: is one word too many; give each word once, and one task", argv[twice]);
        return false;
    }
    for (int i = 1; i < argc; i++)
        if (!read_word(argv[i], wishes)) {
            log_error("%s: is not known, or out of range; write for example goal=4,0,0 or pull=5",
                      argv[i]);
            return false;
        }
    if (wishes->task.kind == 0)
        log_error("there is nothing to do; write for example goal=4,0,0 or pull=5");
    return wishes->task.kind != 0;
}

struct operator_channels {
    struct channel *balance, *walk, *wrist, *task, *gripper;
    double limit_N;
    unsigned beyond; // looks in a row at which the hand felt more
    bool strained;   // the hand has felt too much
};

static enum status open_channels(struct operator_channels *at)
{
    enum status status = participant_channel("balance-status", CHANNEL_READ,
                                             sizeof(struct balance_status_message), &at->balance);
    if (status == STATUS_OK)
        status = participant_channel("task-status", CHANNEL_READ,
                                     sizeof(struct task_status_message), &at->walk);
    if (status == STATUS_OK)
        status = participant_channel("wrist-status", CHANNEL_READ,
                                     sizeof(struct wrist_status_message), &at->wrist);
    if (status == STATUS_OK)
        status = participant_channel("task-command", CHANNEL_WRITE,
                                     sizeof(struct task_command_message), &at->task);
    if (status == STATUS_OK)
        status = participant_channel("gripper", CHANNEL_WRITE, sizeof(struct gripper_message),
                                     &at->gripper);
    return status;
}

static void publish(struct channel *channel, const void *message, size_t size_B, instant now)
{
    const enum status put = channel_put(channel, message, size_B, now);
    (void)put; // it is said again
}

static void say(const struct operator_channels *at, struct task_command_message *task, bool closed,
                instant now)
{
    const struct gripper_message gripper = {.time = now, .closed = closed};
    task->time_ns = now.ns;
    task->grasped = closed;
    publish(at->gripper, &gripper, sizeof gripper, now);
    publish(at->task, task, sizeof *task, now);
}

static bool standing(const struct operator_channels *at)
{
    struct balance_status_message status;
    const enum status got = channel_get(at->balance, &status, sizeof status, CHANNEL_LAST, NULL);
    return (got == STATUS_OK || got == STATUS_MISSED) && status.phase == BALANCE_PHASE_STANDING;
}

static bool reached(const struct operator_channels *at, uint64_t id)
{
    struct task_status_message status;
    const enum status got = channel_get(at->walk, &status, sizeof status, CHANNEL_LAST, NULL);
    return (got == STATUS_OK || got == STATUS_MISSED) && status.reached_id == id;
}

static double felt_N(const struct operator_channels *at)
{
    struct wrist_status_message wrist;
    const enum status got = channel_get(at->wrist, &wrist, sizeof wrist, CHANNEL_LAST, NULL);
    if ((got != STATUS_OK && got != STATUS_MISSED) || !wrist.valid)
        return 0;
    return sqrt(wrist.force_n[0] * wrist.force_n[0] + wrist.force_n[1] * wrist.force_n[1] +
                wrist.force_n[2] * wrist.force_n[2]);
}

// Whether the hand feels too much now, and did not before.
static bool strains(struct operator_channels *at)
{
    at->beyond = felt_N(at) > at->limit_N ? at->beyond + 1 : 0;
    if (at->strained || at->beyond < LIMIT_LOOKS)
        return false;
    at->strained = true;
    return true;
}

// Says the same for some time, or that the hand opens and the robot stops, once it has felt too
// much.
static void go_on(struct clk *clk, struct operator_channels *at, struct task_command_message *task,
                  bool closed, double time_s)
{
    const instant end = instant_add(clk_now(clk), duration_s(time_s));
    instant again = clk_now(clk);
    while (instant_before(clk_now(clk), end)) {
        const bool too_much = strains(at);
        if (at->strained)
            task->kind = 0;
        if (too_much || !instant_before(clk_now(clk), again)) {
            say(at, task, closed && !at->strained, clk_now(clk));
            again = instant_add(clk_now(clk), duration_s(AGAIN_S));
        }
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(FEEL_MS)));
    }
}

int main(int argc, char **argv)
{
    struct wishes wishes;
    struct operator_channels at = {0};
    struct clk *clk;
    log_program(argv[0]);
    if (argc > 1 && strcmp(argv[1], "--check") == 0)
        return read_words(argc - 1, argv + 1, &wishes) ? 0 : 2;
    if (!read_words(argc, argv, &wishes) || open_channels(&at) != STATUS_OK ||
        participant_join(&clk) != STATUS_OK)
        return 2;
    at.limit_N = wishes.limit_N;
    struct task_command_message task = {.step_m = STEP_M, .gain = 1, .comply = wishes.task.comply};
    while (!standing(&at))
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(LOOK_MS)));
    go_on(clk, &at, &task, false, WEIGH_S);
    go_on(clk, &at, &task, true, GRASP_S);
    wishes.task.id = 1;
    while (!reached(&at, wishes.task.id))
        go_on(clk, &at, &wishes.task, true, AGAIN_S);
    go_on(clk, &at, &wishes.task, true, wishes.release_s >= 0 ? wishes.release_s : 1e6);
    for (;;)
        go_on(clk, &at, &wishes.task, false, AGAIN_S);
}
