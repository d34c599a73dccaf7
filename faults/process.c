// Faults of processes: kill, stall, restart. Works on the process behind the pidfd it is given, and
// proves what it did from /proc.
//
//   process apply|undo KIND pid=PID [signal=NAME] [KEY=VALUE...]      pidfd of the process as file descriptor 3
//
// Prints "proven=0|1 evidence=..." (no wall times: the line becomes part of the trial's history).
// Exit status 0: it ran; 2: called wrongly; 3: the kernel refused. Starting a process again is the
// supervisor's work; `undo` then only looks.
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PIDFD 3
#define PATIENCE_MS 2000

struct call {
    const char *kind;
    int pid;
    const char *signal;
};

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
    if (syscall(SYS_pidfd_send_signal, PIDFD, number, NULL, 0) == 0)
        return 0;
    fprintf(stderr, "cannot send signal %d: %s\n", number, strerror(errno));
    return -1;
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

static int apply_kill(const struct call *call)
{
    int number = signal_number(call->signal);
    if (number < 0) {
        fprintf(stderr, "signal=%s: not one of KILL TERM ABRT SEGV INT HUP\n", call->signal);
        return 2;
    }
    if (send_signal(number) != 0)
        return 3;
    bool dead = is_dead(await_state(call->pid, is_dead));
    printf("proven=%d evidence=pid %d after SIG%s: %s\n", dead, call->pid, call->signal,
           dead ? "state Z, dead" : "still alive");
    return 0;
}

static int apply_stall(const struct call *call)
{
    if (send_signal(SIGSTOP) != 0)
        return 3;
    bool stopped = is_stopped(await_state(call->pid, is_stopped));
    printf("proven=%d evidence=pid %d after SIGSTOP: %s\n", stopped, call->pid,
           stopped ? "state T, stopped" : "not stopped");
    return 0;
}

static int undo_stall(const struct call *call)
{
    if (send_signal(SIGCONT) != 0)
        return 3;
    bool alive = is_alive(await_state(call->pid, is_alive));
    printf("proven=%d evidence=pid %d after SIGCONT: %s\n", alive, call->pid,
           alive ? "no longer stopped" : "not running");
    return 0;
}

static int undo_kill(const struct call *call)
{
    bool alive = is_alive(await_state(call->pid, is_alive));
    printf("proven=%d evidence=pid %d started again: %s\n", alive, call->pid,
           alive ? "alive and ready" : "not alive");
    return 0;
}

static const struct {
    const char *kind;
    int (*apply)(const struct call *call);
    int (*undo)(const struct call *call);
} kinds[] = {{"kill", apply_kill, undo_kill},
             {"restart", apply_kill, undo_kill},
             {"stall", apply_stall, undo_stall}};

// A process number, without a rest.
static bool parse_pid(const char *text, int *pid)
{
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    *pid = (int)number;
    return text[0] >= '1' && text[0] <= '9' && *end == '\0' && errno == 0 && number <= INT_MAX;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: process apply|undo kill|stall|restart pid=PID [signal=NAME]\n");
        return 2;
    }
    struct call call = {.kind = argv[2], .signal = strcmp(argv[2], "restart") == 0 ? "KILL" : ""};
    for (int i = 3; i < argc; i++) {
        if (strncmp(argv[i], "signal=", 7) == 0) {
            call.signal = argv[i] + 7;
        } else if (strncmp(argv[i], "pid=", 4) == 0) {
            if (!parse_pid(argv[i] + 4, &call.pid)) {
                fprintf(stderr, "%s: not a process number\n", argv[i]);
                return 2;
            }
        } else if (strchr(argv[i], '=') == NULL) { // what else the lab tells is for other programs
            fprintf(stderr, "%s: not KEY=VALUE\n", argv[i]);
            return 2;
        }
    }
    bool apply = strcmp(argv[1], "apply") == 0;
    if (call.pid <= 0 || (!apply && strcmp(argv[1], "undo") != 0)) {
        fprintf(stderr, "%s: give apply or undo, and pid=PID\n", argv[1]);
        return 2;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].kind, call.kind) == 0)
            return apply ? kinds[i].apply(&call) : kinds[i].undo(&call);
    fprintf(stderr, "%s: not one of kill, stall, restart\n", call.kind);
    return 2;
}
