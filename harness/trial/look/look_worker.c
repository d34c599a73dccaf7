// Looks at the process that a fault of load leaves at work: it is there, it works, it goes.
#include "harness/trial/look/look.h"

#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 1000
#define NS_PER_S 1000000000
#define WORKED_MIN_NS 1000000 // starting alone takes less

void look_remember_nothing(struct look_memory *memory)
{
    *memory = (struct look_memory){.pidfd = -1, .undone = INSTANT_NEVER};
}

void look_forget(struct look_memory *memory)
{
    if (memory->pidfd >= 0)
        close(memory->pidfd);
    look_remember_nothing(memory);
}

static bool is_gone(const struct look_memory *memory, int patience_ms)
{
    struct pollfd end = {.fd = memory->pidfd, .events = POLLIN};
    return poll(&end, 1, patience_ms) != 0;
}

static int64_t cpu_time_ns(const struct look_memory *memory)
{
    struct timespec used;
    if (clock_gettime(memory->clock, &used) != 0)
        return 0;
    return (int64_t)used.tv_sec * NS_PER_S + used.tv_nsec;
}

static const char *remember(struct look_memory *memory, int pid)
{
    look_forget(memory);
    if (pid <= 1)
        return "but it left no process at work";
    memory->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    clockid_t clock;
    if (memory->pidfd < 0 || clock_getcpuclockid(pid, &clock) != 0 || is_gone(memory, 0))
        return "but the process that it left is not there";
    memory->clock = clock;
    memory->applied_ns = cpu_time_ns(memory);
    return NULL;
}

static const char *doubt_worker(const struct look *look)
{
    struct look_memory *memory = look->memory;
    if (look->call->action == FAULT_ACTION_APPLY)
        return remember(memory, look->proof->left);
    if (memory->pidfd < 0)
        return "but it had left no process at work";
    if (look->call->action != FAULT_ACTION_EFFECT)
        return is_gone(memory, PATIENCE_MS) ? NULL : "but the process that it left is still there";
    if (cpu_time_ns(memory) - memory->applied_ns < WORKED_MIN_NS)
        return "but the process that it left has not worked";
    return NULL;
}

const struct looker look_worker = {.doubt = doubt_worker, .outlives_process = true};
