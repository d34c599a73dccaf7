// Faults of processes: kill, terminate, stall, restart. Works on the process behind the pidfd it is
// given, and proves what it did from /proc.
//
//   process apply|effect|undo|settled KIND pid=PID [signal=NAME] [KEY=VALUE...]      pidfd of the
//   process as file descriptor 3
//
// Starting a process again is the supervisor's work; `undo` then only looks.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "faults/fault_main.h"

#define PATIENCE_MS 2000

static const struct {
    const char *name;
    int number;
} signals[] = {{"KILL", SIGKILL}, {"TERM", SIGTERM}, {"ABRT", SIGABRT},
               {"SEGV", SIGSEGV}, {"INT", SIGINT},   {"HUP", SIGHUP}};

static int signal_number(const char *name)
{
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (strcmp(signals[i].name, name) == 0)
            return signals[i].number;
    return -1;
}

static int send_signal(int number)
{
    if (syscall(SYS_pidfd_send_signal, FAULT_PIDFD, number, NULL, 0) == 0)
        return 0;
    fprintf(stderr, "cannot send signal %d: %s\n", number, strerror(errno));
    return -1;
}

// Whether the pidfd is of this process, so that its number may be used, too. It is never 1, whose
// group would be every process there is.
static bool is_behind_pidfd(int pid)
{
    char path[64], line[128];
    int found = -1;
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", FAULT_PIDFD);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "Pid:", 4) == 0)
            found = (int)strtol(line + 4, NULL, 10);
    (void)fclose(file); // only read
    return pid > 1 && found == pid;
}

// State letter of the process (man 5 proc), '-' when it is gone.
static char process_state(int pid)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return '-';
    const char *end = fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    (void)fclose(file); // only read
    if (end == NULL || end[1] != ' ')
        return '-';
    return end[2];
}

static bool is_dead(char state)
{
    return state == 'Z' || state == 'X' || state == '-';
}
static bool is_stopped(char state)
{
    return state == 'T';
}
static bool is_alive(char state)
{
    return !is_dead(state) && !is_stopped(state);
}

// Waits until the process is as wanted; returns the state seen last.
static char await_state(int pid, bool (*wanted)(char state))
{
    char state = process_state(pid);
    for (int waited_ms = 0; waited_ms < PATIENCE_MS && !wanted(state); waited_ms++) {
        poll(NULL, 0, 1);
        state = process_state(pid);
    }
    return state;
}

static enum fault_exit end_by(const struct fault_asked *asked, const char *name)
{
    const int number = signal_number(name);
    if (number < 0) {
        fprintf(stderr, "signal=%s: not one of KILL TERM ABRT SEGV INT HUP\n", name);
        return FAULT_CALLED_WRONGLY;
    }
    if (send_signal(number) != 0)
        return FAULT_FAILED;
    if (number == SIGKILL && is_behind_pidfd(asked->pid))
        (void)kill(-asked->pid,
                   SIGKILL); // what it has started is killed, not left to work on alone
    const bool dead = is_dead(await_state(asked->pid, is_dead));
    fault_prove(dead, 0, "pid %d after SIG%s: %s", asked->pid, name,
                dead ? "state Z, dead" : "still alive; one that ends later is asked by terminate");
    return FAULT_DONE;
}

static enum fault_exit apply_kill(const struct fault_asked *asked)
{
    const char *name = fault_find(asked, "signal");
    return end_by(asked, name == NULL ? "" : name);
}

static enum fault_exit apply_restart(const struct fault_asked *asked)
{
    return end_by(asked, "KILL");
}

static enum fault_exit undo_kill(const struct fault_asked *asked)
{
    const bool alive = is_alive(await_state(asked->pid, is_alive));
    fault_prove(alive, 0, "pid %d started again: %s", asked->pid,
                alive ? "alive and ready" : "not alive");
    return FAULT_DONE;
}

// ---- terminate ----------------------------------------------------------------------------------

// Whether the bit of a signal is set in one of the process's masks ("SigIgn"; man 5 proc).
static bool has_signal(int pid, const char *mask, int number)
{
    char path[64], line[128];
    unsigned long long bits = 0;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, mask, strlen(mask)) == 0 && line[strlen(mask)] == ':')
            bits = strtoull(line + strlen(mask) + 1, NULL, 16);
    if (file != NULL)
        (void)fclose(file); // only read
    return (bits >> (number - 1) & 1) != 0;
}

// Its handler may need time, which passes when this has answered: `effect` looks whether it ended.
static enum fault_exit apply_terminate(const struct fault_asked *asked)
{
    const char *name = fault_text(asked, "signal");
    const int number = signal_number(name);
    if (number < 0)
        return FAULT_CALLED_WRONGLY;
    const bool ignored = has_signal(asked->pid, "SigIgn", number);
    if (send_signal(number) != 0)
        return FAULT_FAILED;
    fault_prove(!ignored, 0, "pid %d was sent SIG%s, which it %s", asked->pid, name,
                ignored ? "ignores" : "does not ignore");
    return FAULT_DONE;
}

static enum fault_exit effect_terminate(const struct fault_asked *asked)
{
    const bool dead = asked->pid == 0 || is_dead(process_state(asked->pid));
    fault_prove(dead, 0, dead ? "it has ended" : "it has not ended");
    return FAULT_DONE;
}

// A signal that nobody has taken would end what runs now.
static enum fault_exit settled_terminate(const struct fault_asked *asked)
{
    const int number = signal_number(fault_text(asked, "signal"));
    const bool pending =
        asked->pid != 0 && number > 0 &&
        (has_signal(asked->pid, "SigPnd", number) || has_signal(asked->pid, "ShdPnd", number));
    fault_prove(!pending, 0, pending ? "the signal is pending" : "no such signal is pending");
    return FAULT_DONE;
}

// ---- stall --------------------------------------------------------------------------------------

static enum fault_exit apply_stall(const struct fault_asked *asked)
{
    if (send_signal(SIGSTOP) != 0)
        return FAULT_FAILED;
    const bool stopped = is_stopped(await_state(asked->pid, is_stopped));
    fault_prove(stopped, 0, "pid %d after SIGSTOP: %s", asked->pid,
                stopped ? "state T, stopped" : "not stopped");
    return FAULT_DONE;
}

static enum fault_exit undo_stall(const struct fault_asked *asked)
{
    if (send_signal(SIGCONT) != 0)
        return FAULT_FAILED;
    const bool alive = is_alive(await_state(asked->pid, is_alive));
    fault_prove(alive, 0, "pid %d after SIGCONT: %s", asked->pid,
                alive ? "no longer stopped" : "not running");
    return FAULT_DONE;
}

static const struct fault_entry entries[] = {
    {"kill", apply_kill, undo_kill, NULL, NULL, NULL},
    {"restart", apply_restart, undo_kill, NULL, NULL, NULL},
    {"terminate", apply_terminate, undo_kill, effect_terminate, settled_terminate, NULL},
    {"stall", apply_stall, undo_stall, NULL, NULL, NULL},
    {0},
};

int main(int argc, char **argv)
{
    // What came of it is also asked when the process is gone.
    const bool later =
        argc > 1 && (strcmp(argv[1], "effect") == 0 || strcmp(argv[1], "settled") == 0);
    return fault_main(argc, argv, later ? 0 : FAULT_NEEDS_PID, entries);
}
