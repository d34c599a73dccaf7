// What the limit of CPU time ended, and what only looks like it.
#include "tests/unit/common/unit.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cell/cpu_time.h"

#define NO_LIMIT RLIM_INFINITY

static void limit(rlim_t soft, rlim_t hard)
{
    const struct rlimit both = {soft, hard};
    ck_assert_int_eq(setrlimit(RLIMIT_CPU, &both), 0);
}

// Computes until it is ended; of its own making is this limit, if any.
static pid_t computing(rlim_t own_s)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    if (own_s != NO_LIMIT)
        limit(own_s, own_s);
    for (volatile unsigned long turns = 0;; turns++)
        continue;
}

// By which signal it ended is a claim, too.
static bool is_told(pid_t child, int by)
{
    int end = 0;
    const bool told = cpu_time_await(child);
    ck_assert_int_eq(waitpid(child, &end, 0), child);
    ck_assert(WIFSIGNALED(end));
    ck_assert_int_eq(WTERMSIG(end), by);
    ck_assert(cpu_time_was_up() == told);
    return told;
}

START_TEST(the_soft_limit_ends_by_a_signal_of_its_own)
{
    limit(1, NO_LIMIT);
    cpu_time_begin();
    ck_assert(is_told(computing(NO_LIMIT), SIGXCPU));
}
END_TEST

START_TEST(what_is_killed_before_its_time_is_up_is_not)
{
    static const int by[] = {SIGKILL, SIGXCPU};
    limit(1, 1);
    cpu_time_begin();
    for (unsigned i = 0; i < 2; i++) {
        const pid_t child = computing(NO_LIMIT);
        usleep(100000);
        ck_assert_int_eq(kill(child, by[i]), 0);
        ck_assert(!is_told(child, by[i]));
    }
}
END_TEST

START_TEST(nor_is_what_a_limit_of_its_own_making_ended)
{
    limit(5, 5);
    cpu_time_begin();
    ck_assert(!is_told(computing(1), SIGKILL));
}
END_TEST

START_TEST(the_hard_limit_kills_and_is_remembered)
{
    int end;
    limit(1, 1);
    cpu_time_begin();
    const pid_t between = fork();
    if (between == 0)
        _exit(cpu_time_await(computing(NO_LIMIT)) ? 0 : 1);
    ck_assert_int_eq(waitpid(between, &end, 0), between);
    ck_assert_int_eq(end, 0);
    ck_assert(cpu_time_was_up());
    cpu_time_begin();
    ck_assert(!cpu_time_was_up());
}
END_TEST

UNIT_MAIN("cpu_time", the_soft_limit_ends_by_a_signal_of_its_own,
          what_is_killed_before_its_time_is_up_is_not, nor_is_what_a_limit_of_its_own_making_ended,
          the_hard_limit_kills_and_is_remembered)
