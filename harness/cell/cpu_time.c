#include "harness/cell/cpu_time.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#define TICK_NS 10000000 // at most, of a kernel
#define NS_IN_S 1000000000

static struct rlimit started_with;
static bool begun;
static atomic_bool *was_up; // shared with descendants; NULL: none was to be had

void cpu_time_begin(void)
{
    begun = getrlimit(RLIMIT_CPU, &started_with) == 0;
    if (was_up == NULL) {
        void *page =
            mmap(NULL, sizeof *was_up, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        was_up = page == MAP_FAILED ? NULL : page;
    }
    if (was_up != NULL)
        atomic_store(was_up, false);
}

// By the clock that the kernel compares with the limit: CPUCLOCK_PROF of the process.
static bool has_used(pid_t child, rlim_t limit_s)
{
    const clockid_t ticks = (clockid_t)(~(unsigned)child << 3);
    struct timespec used;
    return limit_s != RLIM_INFINITY && clock_gettime(ticks, &used) == 0 &&
           (double)used.tv_sec * NS_IN_S + (double)used.tv_nsec + TICK_NS >=
               (double)limit_s * NS_IN_S;
}

bool cpu_time_look(pid_t child, int signal)
{
    struct rlimit limit = started_with;
    if ((signal != SIGKILL && signal != SIGXCPU) || (!begun && getrlimit(RLIMIT_CPU, &limit) != 0))
        return false;
    const bool up = has_used(child, signal == SIGKILL ? limit.rlim_max : limit.rlim_cur);
    if (up && was_up != NULL)
        atomic_store(was_up, true);
    return up;
}

bool cpu_time_await(pid_t child)
{
    siginfo_t end = {0};
    while (waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT) != 0)
        if (errno != EINTR)
            return false;
    return end.si_code != CLD_EXITED && cpu_time_look(child, end.si_status);
}

bool cpu_time_was_up(void)
{
    return was_up != NULL && atomic_load(was_up);
}
