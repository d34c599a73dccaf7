#include "harness/cell/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/cell/cell.h"

#define EXIT_NOT_EXECUTED 127
#define HANDED_OVER 3 // descriptor number of inherit[0] in the program
#define PROGRAM_NICE 0
#define PROGRAM_NICE_UNRANKED 5 // when the init could not raise itself

// Leaves no descriptor open above the standard ones but those handed over.
static bool hand_over(const int inherit[SPAWN_INHERIT_MAX])
{
    int copy[SPAWN_INHERIT_MAX]; // dup2 onto itself would leave the close-on-exec flag set
    for (int i = 0; i < SPAWN_INHERIT_MAX; i++) {
        copy[i] = inherit[i] < 0 ? -1 : fcntl(inherit[i], F_DUPFD, HANDED_OVER + SPAWN_INHERIT_MAX);
        if (inherit[i] >= 0 && copy[i] < 0)
            return false;
    }
    (void)syscall(SYS_close_range, HANDED_OVER, HANDED_OVER + SPAWN_INHERIT_MAX - 1, 0);
    for (int i = 0; i < SPAWN_INHERIT_MAX; i++)
        if (copy[i] >= 0 && dup2(copy[i], HANDED_OVER + i) < 0)
            return false;
    (void)syscall(SYS_close_range, HANDED_OVER + SPAWN_INHERIT_MAX, ~0u, 0);
    return true;
}

static void become(const struct spawn_request *request, int output)
{
    char path[1024];
    char *arguments[SPAWN_ARGUMENTS_MAX + 2] = {path};
    size_t count = 1;
    snprintf(path, sizeof path, "%s%s", request->program[0] == '/' ? "" : CELL_BUILD "/",
             request->program);
    for (size_t i = 0; i < SPAWN_ARGUMENTS_MAX && request->arguments[i] != NULL; i++)
        arguments[count++] = request->arguments[i];
    (void)setpgid(0, 0); // a signal to its own group must not hit its peers
    errno = 0;
    int nice_now = getpriority(PRIO_PROCESS, 0);
    (void)setpriority(PRIO_PROCESS, 0, nice_now < 0 ? PROGRAM_NICE : PROGRAM_NICE_UNRANKED);
    if (request->priority > 0)
        (void)sched_setscheduler(0, SCHED_FIFO,
                                 &(struct sched_param){.sched_priority = request->priority});
    if (request->fixed_addresses)
        (void)personality(ADDR_NO_RANDOMIZE);
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    // What the machine refuses before the program is one says nothing about it: as if killed.
    if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 ||
        !hand_over(request->inherit))
        (void)kill(getpid(), SIGKILL);
    if (!cell_rights_take(request->role)) {
        dprintf(2, "cannot give up rights: %s\n", strerror(errno));
        _exit(EXIT_NOT_EXECUTED);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL); // a change of users forgets it
    execve(path, arguments, request->environment);
    dprintf(2, "cannot execute %s: %s\n", request->program, strerror(errno));
    _exit(EXIT_NOT_EXECUTED);
}

enum status spawn(const struct spawn_request *request, struct spawned *spawned)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return STATUS_SYSTEM;
    pid_t pid = fork();
    if (pid == 0)
        become(request, ends[1]);
    close(ends[1]);
    int pidfd = pid < 0 ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);
    // Non-blocking on the reading end alone: a program's own writes keep their meaning.
    if (pidfd < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) {
        close(ends[0]);
        if (pid > 0)
            kill(pid, SIGKILL); // the supervisor's next reaping takes it
        return STATUS_SYSTEM;
    }
    *spawned = (struct spawned){.pid = pid, .pidfd = pidfd, .output = ends[0]};
    return STATUS_OK;
}
