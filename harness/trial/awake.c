#include "harness/trial/awake.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"

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
static _Noreturn void count(int core)
{
    const struct sched_param idle = {.sched_priority = 0};
    cpu_set_t set;
    CPU_ZERO(&set);
    if (core >= 0)
        CPU_SET(core, &set);
    if (core >= 0 && sched_setaffinity(0, sizeof set, &set) != 0)
        _exit(EXIT_FAILURE);
    if (sched_setscheduler(0, SCHED_IDLE, &idle) != 0)
        _exit(EXIT_FAILURE);
    for (volatile uint64_t counted = 0;;)
        counted = counted + 1;
}

enum status awake_start(int core, pid_t *pid)
{
    const pid_t parent = getpid();
    fflush(NULL);
    *pid = fork();
    if (*pid < 0) {
        log_error("keeping a core awake: fork: %s; close other programs", strerror(errno));
        *pid = 0;
        return STATUS_SYSTEM;
    }
    if (*pid > 0)
        return STATUS_OK;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    count(core);
}

void awake_stop(pid_t pid)
{
    if (pid <= 0)
        return;
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}
