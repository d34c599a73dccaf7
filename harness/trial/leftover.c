#include "harness/trial/leftover.h"

#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 1000
#define NS_PER_S 1000000000
#define WORKED_MIN_NS 1000000 // starting alone takes less

void leftover_none(struct leftover *leftover)
{
    *leftover = (struct leftover){.pidfd = -1};
}

void leftover_forget(struct leftover *leftover)
{
    if (leftover->pidfd >= 0)
        close(leftover->pidfd);
    leftover_none(leftover);
}

static bool is_gone(const struct leftover *leftover, int patience_ms)
{
    struct pollfd end = {.fd = leftover->pidfd, .events = POLLIN};
    return poll(&end, 1, patience_ms) != 0;
}

static int64_t cpu_time_ns(const struct leftover *leftover)
{
    struct timespec used;
    if (clock_gettime(leftover->clock, &used) != 0)
        return 0;
    return (int64_t)used.tv_sec * NS_PER_S + used.tv_nsec;
}

static const char *remember(struct leftover *leftover, int pid)
{
    leftover_forget(leftover);
    if (pid <= 1)
        return "but it left no process at work";
    leftover->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    clockid_t clock;
    if (leftover->pidfd < 0 || clock_getcpuclockid(pid, &clock) != 0 || is_gone(leftover, 0))
        return "but the process that it left is not there";
    leftover->clock = clock;
    leftover->applied_ns = cpu_time_ns(leftover);
    return NULL;
}

const char *leftover_doubt(struct leftover *leftover, const char *action, int left)
{
    if (strcmp(action, "apply") == 0)
        return remember(leftover, left);
    if (leftover->pidfd < 0)
        return "but it had left no process at work";
    if (strcmp(action, "effect") != 0)
        return is_gone(leftover, PATIENCE_MS) ? NULL
                                              : "but the process that it left is still there";
    if (cpu_time_ns(leftover) - leftover->applied_ns < WORKED_MIN_NS)
        return "but the process that it left has not worked";
    return NULL;
}

const char *demotion_doubt(const char *action, int pid)
{
    const bool real_time = (sched_getscheduler(pid) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO;
    if (strcmp(action, "apply") == 0)
        return real_time ? "but the process has its real-time priority" : NULL;
    return real_time ? NULL : "but the process has no real-time priority";
}
