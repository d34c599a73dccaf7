// Operator of the scenarios: asks the robot to stand, to walk or to swing its arms, once it stands
// ready. Arguments: stand | arms | walk quasi-static|dynamic STEPS.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "robot/participant.h"
#include "targets/hrp3p/motion_core.h"
#include "task.h"

#define READY_NS 2000000000 // the robot stands by then

static bool read_task(int argc, char **argv, struct task_message *task)
{
    task->id = 1;
    if (argc == 2 && strcmp(argv[1], "stand") == 0)
        return true;
    if (argc == 2 && strcmp(argv[1], "arms") == 0) {
        task->kind = MOTION_ARMS;
        return true;
    }
    if (argc != 4 || strcmp(argv[1], "walk") != 0)
        return false;
    task->kind = MOTION_WALK;
    task->gait = strcmp(argv[2], "dynamic") == 0 ? GAIT_DYNAMIC : GAIT_QUASI_STATIC;
    task->steps = (int32_t)strtol(argv[3], NULL, 10);
    return task->steps > 0;
}

int main(int argc, char **argv)
{
    struct task_message task = {0};
    struct channel *channel;
    struct clk *clk;
    log_program(argv[0]);
    if (!read_task(argc, argv, &task)) {
        fputs("usage: operator stand | arms | walk quasi-static|dynamic STEPS\n", stderr);
        return 2;
    }
    if (participant_channel("task", CHANNEL_WRITE, sizeof task, &channel) != STATUS_OK ||
        participant_join(&clk) != STATUS_OK)
        return 3;
    clk_sleep_until(clk, instant_ns(READY_NS));
    if (task.kind != MOTION_STAND &&
        channel_put(channel, &task, sizeof task, clk_now(clk)) != STATUS_OK)
        return 3;
    for (;;)
        clk_sleep_until(clk, INSTANT_NEVER);
}
