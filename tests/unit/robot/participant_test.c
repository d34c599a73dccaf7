// robot, start of a program: its arguments, and what it is when the trial starts.
#include "tests/unit/common/unit.h"

#include <sched.h>

#include "tests/unit/common/clock_lab.h"
#include "robot/participant.h"

#define PRIORITY 7
#define PRIORITY_TEXT "7"

START_TEST(a_program_without_options_refuses_arguments)
{
    char name[] = "build/daemon", option[] = "--rate-hz";
    char *alone[] = {name, NULL}, *more[] = {name, option, NULL};
    ck_assert_int_eq(participant_begin(1, alone), STATUS_OK);
    ck_assert_int_eq(participant_begin(2, more), STATUS_INVALID);
}
END_TEST

// Whether the kernel lets processes of this test be real-time.
static bool real_time_is_allowed(void)
{
    const pid_t pid = fork();
    if (pid == 0) {
        unsetenv("UKEMI_CELL");
        _exit(clk_realtime(PRIORITY) != STATUS_OK);
    }
    int end;
    ck_assert_int_eq(waitpid(pid, &end, 0), pid);
    return WIFEXITED(end) && WEXITSTATUS(end) == 0;
}

static void join_and_stay(void)
{
    struct clk *clk;
    if (setenv("UKEMI_PRIORITY", PRIORITY_TEXT, 1) != 0 || participant_join(&clk) != STATUS_OK)
        _exit(1);
    for (;;)
        pause();
}

// The policy that a process has when it has joined, before the lab lets the trial start.
static int policy_before_the_start(enum clk_mode mode)
{
    struct lab lab;
    open_lab(&lab, mode);
    struct member *member = add(&lab, "p", 1, false, NULL);
    member->before = join_and_stay;
    start(&lab, member);
    struct sched_param parameter;
    const int policy = sched_getscheduler(member->pid);
    ck_assert_int_eq(sched_getparam(member->pid, &parameter), 0);
    ck_assert_int_eq(parameter.sched_priority, policy == SCHED_FIFO ? PRIORITY : 0);
    close_lab(&lab);
    return policy;
}

// Else a loaded machine keeps it from its first cycles for most of a second.
START_TEST(in_real_time_a_process_has_its_priority_before_the_trial_starts)
{
    ck_assert_int_eq(policy_before_the_start(CLK_WALL),
                     real_time_is_allowed() ? SCHED_FIFO : SCHED_OTHER);
    ck_assert_int_eq(policy_before_the_start(CLK_VIRTUAL), SCHED_OTHER);
}
END_TEST

UNIT_MAIN("participant", a_program_without_options_refuses_arguments,
          in_real_time_a_process_has_its_priority_before_the_trial_starts)
