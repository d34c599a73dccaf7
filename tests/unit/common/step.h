// Single-steps a child under ptrace, so that it can be killed or stopped between any two
// instructions. x86 and Arm alike.
//
// The child calls step_begin(), does what is to be stepped through, and calls step_end().
#pragma once

#include <check.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

// In the child.
static inline void step_begin(void)
{
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
}

static inline void step_end(void)
{
    raise(SIGSTOP);
}

// In the parent: waits until the child has reached step_begin().
static inline void step_meet(pid_t pid)
{
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
}

// In the parent: lets the stopped child execute one instruction. False when it has come to
// step_end().
static inline bool step_once(pid_t pid)
{
    int status;
    ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL), 0);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFSTOPPED(status));
    return WSTOPSIG(status) == SIGTRAP;
}

// In the parent: the child's state as /proc/PID/stat has it: R runs or is ready, S sleeps, t
// stopped by its tracer ... 0: there is none.
static inline char step_state(pid_t pid)
{
    char path[32], line[128] = "", state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fgets(line, sizeof line, file) != NULL && strrchr(line, ')') != NULL)
        sscanf(strrchr(line, ')'), ") %c", &state);
    fclose(file);
    return state;
}

// In the parent, for code that may block: as step_once, but false also when the child sleeps in the
// kernel instead of ending the instruction.
static inline bool step_once_or_block(pid_t pid)
{
    int status, asleep = 0;
    ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL), 0);
    for (int i = 0; asleep < 3; i++) { // ends: an instruction ends, or its system call sleeps
        pid_t found = waitpid(pid, &status, WNOHANG);
        ck_assert_int_ge(found, 0);
        if (found == pid)
            return WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
        if (i < 100) {
            sched_yield();
            continue;
        }
        asleep = step_state(pid) == 'S' ? asleep + 1 : 0;
        usleep(500);
    }
    return false;
}

// In the parent: brings a child that sleeps in an unfinished step to a stop, in which it stays
// until it is continued.
static inline void step_interrupt(pid_t pid)
{
    int status;
    kill(pid, SIGSTOP);
    while (waitpid(pid, &status, 0) == pid && WSTOPSIG(status) != SIGSTOP) // the step's own trap
        ck_assert_int_eq(ptrace(PTRACE_CONT, pid, NULL, NULL), 0);
}

// In the parent: waits until the child changes state, for at most about 20 s. False if it did not.
static inline bool step_await(pid_t pid, int *status)
{
    for (int i = 0; i < 20000; i++) {
        if (waitpid(pid, status, WNOHANG) == pid)
            return true;
        if (i < 100)
            sched_yield();
        else
            usleep(1000);
    }
    return false;
}

// In the parent: lets the stopped child go on to step_end() and to its exit. False if it does not
// get there, or ends otherwise than by exit code 0.
static inline bool step_finish(pid_t pid, bool at_step_end)
{
    int status = 0;
    if (!at_step_end) {
        ck_assert_int_eq(ptrace(PTRACE_CONT, pid, NULL, NULL), 0);
        if (!step_await(pid, &status) || !WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP)
            return false;
    }
    ck_assert_int_eq(ptrace(PTRACE_CONT, pid, NULL, NULL), 0);
    return step_await(pid, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// In the parent: kills the child where it stands.
static inline void step_kill(pid_t pid)
{
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) == pid) // a last stop may still be reported before the end
        continue;
    ck_assert_int_eq(errno, ECHILD);
}
