#include "harness/trial/awake.h"

#include <sched.h>
#include <stdint.h>

#include "harness/trial/companion.h"

int awake_core(void)
{
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        return -1;
    int core = CPU_SETSIZE - 1;
    while (core >= 0 && !CPU_ISSET(core, &mine))
        core--;
    return core;
}

// What counts must not be optimised away, and must not be a pause instruction, at which a host may
// take the core.
static void count(void *context)
{
    const int core = *(const int *)context;
    const struct sched_param idle = {.sched_priority = 0};
    if ((core >= 0 && !companion_pin(core)) || sched_setscheduler(0, SCHED_IDLE, &idle) != 0)
        return;
    for (volatile uint64_t counted = 0;;)
        counted = counted + 1;
}

enum status awake_start(int core, pid_t *pid)
{
    return companion_start(count, &core, "keeping a core awake", pid);
}

void awake_stop(pid_t pid)
{
    companion_stop(pid);
}
