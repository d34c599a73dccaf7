// Children that are stopped and go on, and children of vfork.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/shim/calls.h"

#define STEP_US 100000
#define STEP_S 0.1

static volatile sig_atomic_t told, continued;

static void tell(int number)
{
    if (number == SIGCONT)
        continued++;
    else
        told++;
}

// A child that stops itself by this, goes on after two steps, and ends after one more.
static void stops_itself(void (*stop)(void))
{
    int status;
    const double begin_s = now_s();
    const pid_t child = fork();
    NEED(child >= 0);
    if (child == 0) {
        usleep(STEP_US);
        stop();
        NEED(continued == 1);
        NEED(TOOK(begin_s, 3 * STEP_S));
        usleep(STEP_US);
        _exit(6);
    }
    NEED(waitpid(child, &status, WUNTRACED) == child);
    NEED(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP && TOOK(begin_s, STEP_S));
    usleep(2 * STEP_US);
    NEED(waitpid(child, &status, WNOHANG) == 0);
    NEED(kill(child, SIGCONT) == 0);
    NEED(waitpid(child, &status, WCONTINUED) == child && WIFCONTINUED(status));
    NEED(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 6);
    NEED(TOOK(begin_s, 4 * STEP_S));
}

static void by_raise(void)
{
    raise(SIGSTOP);
}

static void by_kill(void)
{
    kill(getpid(), SIGSTOP);
}

// A supervisor stops its child, which sleeps, for longer than that; and kills one that is stopped.
static void is_stopped(void)
{
    siginfo_t info = {0};
    int status;
    const double begin_s = now_s();
    pid_t child = fork();
    NEED(child >= 0);
    if (child == 0) {
        usleep(2 * STEP_US);
        NEED(TOOK(begin_s, 4 * STEP_S));
        _exit(0);
    }
    usleep(STEP_US);
    NEED(kill(child, SIGSTOP) == 0);
    NEED(waitid(P_PID, (id_t)child, &info, WSTOPPED) == 0 && info.si_code == CLD_STOPPED);
    usleep(3 * STEP_US);
    NEED(kill(child, SIGCONT) == 0);
    NEED(waitpid(child, &status, 0) == child && status == 0 && TOOK(begin_s, 4 * STEP_S));
    child = fork();
    NEED(child >= 0);
    if (child == 0) {
        raise(SIGSTOP);
        _exit(1);
    }
    NEED(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    NEED(kill(child, SIGKILL) == 0);
    NEED(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

static void stops(void)
{
    NEED(signal(SIGCHLD, tell) != SIG_ERR && signal(SIGCONT, tell) != SIG_ERR);
    stops_itself(by_raise);
    stops_itself(by_kill);
    // Stopped, continued and ended; the kernel makes one signal of two that come together.
    NEED(told >= 4 && told <= 6);
    NEED(signal(SIGCHLD, SIG_DFL) != SIG_ERR);
    is_stopped();
}

static volatile int shared;

// What the child writes the parent sees, and nothing else happens before it has ended.
static void writes(void)
{
    int status;
    const pid_t child = vfork();
    NEED(child >= 0);
    if (child == 0) {
        shared = 2;
        _exit(3);
    }
    NEED(shared == 2 && waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
}

static pid_t launch(const char *program, volatile int *error)
{
    char *const words[] = {(char *)program, "-c", "sleep 0.1; exit 5", NULL};
    const pid_t child = vfork();
    NEED(child >= 0);
    if (child != 0)
        return child;
    (void)close(STDIN_FILENO);
    execvp(program, words);
    *error = errno;
    _exit(127);
}

static void launches(void)
{
    int status, error = 0;
    const double begin_s = now_s();
    NEED(waitpid(launch("sh", &error), &status, 0) > 0 && WEXITSTATUS(status) == 5);
    NEED(error == 0 && TOOK(begin_s, STEP_S) && fcntl(STDIN_FILENO, F_GETFD) >= 0);
    NEED(waitpid(launch("/no/such/program", &error), &status, 0) > 0);
    NEED(WEXITSTATUS(status) == 127 && error == ENOENT);
    const pid_t first = launch("sh", &error), second = launch("sh", &error);
    NEED(waitpid(first, &status, 0) == first && waitpid(second, &status, 0) == second);
    NEED(now_s() - begin_s < 5);
}

static void vforks(void)
{
    writes();
    launches();
}

const struct subject stop_subjects[] = {
    {"stops", stops}, {"vfork", vforks}, {"launches", launches}, {NULL, NULL}};
