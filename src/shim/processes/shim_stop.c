// Processes that live, are dead, or are stopped: what the kernel says, and how a program stops and
// continues its own ones. A stopped process has no turn; its deadlines pass meanwhile.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/shim.h"

#define THREADS_FIELD 17 // of /proc/PID/stat, after the state
#define STEP_NS 100000
#define STEPS 20000

// ---- what the kernel says ----

// The fields from the state on; NULL: there is no such process.
static const char *state_of(int pid, char *text, size_t size_B)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    const int file = (int)KERNEL(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    const ssize_t length = KERNEL(SYS_read, file, text, size_B - 1);
    KERNEL(SYS_close, file);
    if (length <= 0)
        return NULL;
    text[length] = '\0';
    const char *end = strrchr(text, ')');
    return end == NULL || end[1] != ' ' ? NULL : end + 2;
}

// Its first thread may have ended before the others, which then still have its descriptors.
static bool has_ended(const char *state)
{
    const char *at = state;
    if (*state != 'Z' && *state != 'X')
        return false;
    for (int i = 0; i < THREADS_FIELD && at != NULL; i++)
        at = strchr(at + 1, ' ');
    return at == NULL || atoi(at) <= 1;
}

bool shim_process_is_dead(int pid)
{
    char text[512];
    const char *const state = state_of(pid, text, sizeof text);
    return state == NULL || has_ended(state);
}

bool shim_process_is_stopped(int pid)
{
    char text[512];
    const char *const state = state_of(pid, text, sizeof text);
    return state != NULL && *state == 'T';
}

// One more step: the kernel tells the parent right after the state has changed.
static void await_state(int pid, bool stopped)
{
    const struct timespec step = {.tv_nsec = STEP_NS};
    for (int i = 0; i < STEPS && shim_process_is_stopped(pid) != stopped; i++)
        if (shim_process_is_dead(pid))
            return;
        else
            KERNEL(SYS_nanosleep, &step, NULL);
    KERNEL(SYS_nanosleep, &step, NULL);
}

// ---- stopping and continuing ----

bool shim_is_stop(int number)
{
    return number == SIGSTOP || number == SIGCONT;
}

// As kill() names processes.
static bool is_named(pid_t which, pid_t pid)
{
    if (which > 0)
        return which == pid;
    if (which == -1)
        return pid != (pid_t)KERNEL(SYS_getpid);
    return KERNEL(SYS_getpgid, pid) == (which == 0 ? KERNEL(SYS_getpgid, 0) : -which);
}

static struct shim_task *task_at(unsigned i)
{
    return i < shim.page->task_count && i < SHIM_TASKS_MAX ? &shim.page->task[i] : NULL;
}

static void mark(pid_t pid, bool stopped)
{
    for (unsigned i = 0; task_at(i) != NULL; i++)
        if (task_at(i)->pid == pid)
            task_at(i)->stopped = stopped;
}

static bool is_first_of(unsigned task)
{
    for (unsigned i = 0; i < task; i++)
        if (task_at(i)->state != SHIM_TASK_FREE && task_at(i)->pid == task_at(task)->pid)
            return false;
    return task_at(task)->state != SHIM_TASK_FREE && task_at(task)->pid > 0;
}

// Another process of the program goes on.
static bool others_go_on(void)
{
    for (unsigned i = 0; task_at(i) != NULL; i++)
        if (task_at(i)->state != SHIM_TASK_FREE && !task_at(i)->stopped &&
            task_at(i)->pid != (pid_t)KERNEL(SYS_getpid))
            return true;
    return false;
}

// The turn goes on when the process is seen to be stopped. No handler runs before it is back.
static int stop_oneself(void)
{
    const pid_t own = (pid_t)KERNEL(SYS_getpid);
    sigset_t all, before;
    if (!others_go_on()) {
        shim_leak("stops itself, and nobody of its program goes on");
        return 0;
    }
    sigfillset(&all);
    sigdelset(&all, SIGSYS);
    KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(uint64_t));
    mark(own, true);
    shim_turn_stops();
    KERNEL(SYS_kill, own, SIGSTOP);
    shim_turn_returns();
    KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(uint64_t));
    return 0;
}

// How many other processes of the program the call has stopped or continued.
static unsigned change_others(pid_t which, int number)
{
    unsigned changed = 0;
    for (unsigned i = 0; task_at(i) != NULL; i++) {
        const pid_t pid = task_at(i)->pid;
        if (!is_first_of(i) || pid == (pid_t)KERNEL(SYS_getpid) || !is_named(which, pid))
            continue;
        mark(pid, number == SIGSTOP);
        KERNEL(SYS_kill, pid, number);
        await_state(pid, number == SIGSTOP);
        changed++;
    }
    return changed;
}

int shim_stop(pid_t which, int number)
{
    const bool oneself = is_named(which, (pid_t)KERNEL(SYS_getpid));
    const unsigned changed = change_others(which, number);
    int result = 0;
    if (changed == 0 && !oneself) { // nobody of this program
        result = (int)KERNEL(SYS_kill, which, number);
        if (result == 0 && number == SIGSTOP && !shim_process_is_dead(which))
            shim_leak("stops a process of another program");
    }
    if (result == 0)
        shim_record(IO_KILL, which, &number, sizeof number);
    if (oneself)
        return number == SIGSTOP ? stop_oneself()
                                 : (int)KERNEL(SYS_kill, KERNEL(SYS_getpid), number);
    return result;
}
