// Single-steps a child under ptrace, so that it can be killed or stopped between any two
// instructions. x86 and Arm alike.
//
// The child calls step_begin(), does what is to be stepped through, and calls step_end().
#pragma once

#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
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

// In the parent, for code that may block: as step_once, but false also when the instruction has not
// ended after 20 ms.
static inline bool step_once_or_block(pid_t pid)
{
    int status;
    ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL), 0);
    for (int i = 0; i < 200; i++) {
        pid_t found = waitpid(pid, &status, WNOHANG);
        ck_assert_int_ge(found, 0);
        if (found == pid)
            return WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
        usleep(i < 20 ? 1 : 110);
    }
    return false;
}

// In the parent: kills the child where it stands.
static inline void step_kill(pid_t pid)
{
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) == pid) // a last stop may still be reported before the end
        continue;
    ck_assert_int_eq(errno, ECHILD);
}
