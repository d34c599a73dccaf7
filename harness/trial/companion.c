#include "harness/trial/companion.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"

enum status companion_start(void (*body)(void *context), void *context, const char *what,
                            pid_t *pid)
{
    const pid_t parent = getpid();
    fflush(NULL);
    *pid = fork();
    if (*pid < 0) {
        log_error("%s: fork: %s; close other programs", what, strerror(errno));
        *pid = 0;
        return STATUS_SYSTEM;
    }
    if (*pid > 0)
        return STATUS_OK;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent)
        body(context);
    _exit(EXIT_FAILURE);
}

void companion_stop(pid_t pid)
{
    if (pid <= 0)
        return;
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

bool companion_pin(int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}
