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
#include "harness/cell/cell_inside.h"

#define EXIT_NOT_EXECUTED 127
#define HANDED_OVER 3 // descriptor number of inherit[0] in the program
#define ENVIRONMENT_MAX 512
#define LOCATED_MORE 2048 // than it says in a cell with file systems of its own
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

// Where that is, of which `text` speaks; in memory of the process that becomes the program.
static char *located(const char *text)
{
    const size_t size = strlen(text) + LOCATED_MORE;
    char *result = malloc(size);
    // What the machine refuses before the program is one says nothing about it: as if killed.
    if (result == NULL || !cell_locate(text, result, size))
        (void)kill(getpid(), SIGKILL);
    return result;
}

static bool is_same_variable(const char *one, const char *other)
{
    const size_t length = strcspn(one, "=");
    return strncmp(one, other, length + 1) == 0;
}

static bool is_among(const char *variable, char *const *some)
{
    for (; *some != NULL; some++)
        if (is_same_variable(variable, *some))
            return true;
    return false;
}

static void locate_environment(const struct spawn_request *request,
                               char *environment[ENVIRONMENT_MAX + 1])
{
    char *more[CELL_MORE + 1];
    size_t count = 0;
    cell_environment(request->environment, more);
    for (size_t i = 0; more[i] != NULL; i++)
        environment[count++] = located(more[i]);
    for (char *const *given = request->environment; count < ENVIRONMENT_MAX && *given != NULL;
         given++)
        if (!is_among(*given, more))
            environment[count++] = located(*given);
    environment[count] = NULL;
}

static void become(const struct spawn_request *request, int output, int errors)
{
    char in_cell[1024];
    char *arguments[SPAWN_ARGUMENTS_MAX + 2] = {NULL}, *environment[ENVIRONMENT_MAX + 1];
    size_t count = 0;
    snprintf(in_cell, sizeof in_cell, "%s%s", request->program[0] == '/' ? "" : CELL_BUILD "/",
             request->program);
    arguments[count++] = located(in_cell);
    for (size_t i = 0; i < SPAWN_ARGUMENTS_MAX && request->arguments[i] != NULL; i++)
        arguments[count++] = located(request->arguments[i]);
    locate_environment(request, environment);
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGXFSZ, SIG_DFL); // the lab itself is told by write
    (void)setpgid(0, 0);            // a signal to its own group must not hit its peers
    errno = 0;
    int nice_now = getpriority(PRIO_PROCESS, 0);
    (void)setpriority(PRIO_PROCESS, 0, nice_now < 0 ? PROGRAM_NICE : PROGRAM_NICE_UNRANKED);
    if (request->priority > 0)
        (void)sched_setscheduler(0, SCHED_FIFO,
                                 &(struct sched_param){.sched_priority = request->priority});
    if (request->fixed_addresses)
        (void)personality(ADDR_NO_RANDOMIZE);
    const int input =
        request->input != 0 ? request->input : open("/dev/null", O_RDONLY | O_CLOEXEC);
    // What the machine refuses before the program is one says nothing about it: as if killed.
    if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0 ||
        !hand_over(request->inherit))
        (void)kill(getpid(), SIGKILL);
    if (!cell_rights_take(request->role)) {
        dprintf(2, "cannot give up rights: %s\n", strerror(errno));
        _exit(EXIT_NOT_EXECUTED);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL); // a change of users forgets it
    execve(arguments[0], arguments, environment);
    dprintf(2, "cannot execute %s: %s\n", request->program, strerror(errno));
    _exit(EXIT_NOT_EXECUTED);
}

static void close_both(const int ends[2])
{
    if (ends[0] >= 0)
        close(ends[0]);
    if (ends[1] >= 0)
        close(ends[1]);
}

// Two pipes, or one whose end both outputs share.
static bool make_pipes(bool apart, int output[2], int errors[2])
{
    errors[0] = errors[1] = -1;
    if (pipe2(output, O_CLOEXEC) != 0)
        return false;
    if (!apart || pipe2(errors, O_CLOEXEC) == 0)
        return true;
    close_both(output);
    return false;
}

// Non-blocking on the reading end alone: a program's own writes keep their meaning.
static bool unblock(int end)
{
    return end < 0 || fcntl(end, F_SETFL, O_NONBLOCK) == 0;
}

enum status spawn(const struct spawn_request *request, struct spawned *spawned)
{
    int output[2], errors[2];
    if (!make_pipes(request->errors_apart, output, errors))
        return STATUS_SYSTEM;
    pid_t pid = fork();
    if (pid == 0)
        become(request, output[1], request->errors_apart ? errors[1] : output[1]);
    cell_count(pid);
    int pidfd = pid < 0 ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);
    if (pidfd < 0 || !unblock(output[0]) || !unblock(errors[0])) {
        close_both(output);
        close_both(errors);
        if (pid > 0)
            kill(pid, SIGKILL); // the supervisor's next reaping takes it
        return STATUS_SYSTEM;
    }
    close(output[1]);
    if (errors[1] >= 0)
        close(errors[1]);
    *spawned =
        (struct spawned){.pid = pid, .pidfd = pidfd, .output = output[0], .errors = errors[0]};
    return STATUS_OK;
}
