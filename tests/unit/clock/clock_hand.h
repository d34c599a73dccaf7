// The hand: a process beside the lab that single-steps a participant (or the coordinator itself)
// and kills or stops it between any two instructions, while the lab goes on by itself. x86 and Arm
// alike.
//
// The stepped process calls hand_await() once, then hand_mark() at the two ends of what is to be
// stepped through. The lab posts a request and goes on; hand->state tells how far the hand is.
#pragma once

#include <check.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HAND_MARK SIGUSR2
#define HAND_PLACES_ALL UINT32_MAX // as a place: step to the end and let go
#define HAND_PATIENCE_MS 60000     // when a test gives up

enum hand_deed { HAND_KILL, HAND_STOP };

enum hand_state {
    HAND_IDLE,     // no request
    HAND_ASKED,    // posted
    HAND_STEPPING, // has hold of the process
    HAND_ASLEEP,   // the process sleeps in the kernel, in the middle of its steps
    HAND_DONE,     // the deed is done
    HAND_PASSED,   // the process came to its second mark first; it has been let go
    HAND_LOST,     // it ended by itself
};

struct hand { // shared by all processes of a test
    _Atomic uint32_t state;
    pid_t self;
    pid_t pid;
    enum hand_deed deed;
    uint32_t place;     // the deed is done after so many instructions
    long skip_to_nr;    // first run to the end of this system call, or -1
    uint32_t steps;     // instructions executed
    uint32_t asleep_at; // the instruction in which it slept, as far as that has been seen
    _Atomic int64_t done_at_ns;
};

static struct hand *hand;

static inline int64_t hand_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void hand_pause(void)
{
    const struct timespec pause = {.tv_nsec = 100000};
    nanosleep(&pause, NULL);
}

// Functions of libraries are bound at the start of the program, so that the steps are those of the
// clock and not those of the dynamic linker.
__attribute__((constructor)) static void hand_bind_now(int count, char **arguments)
{
    if (count > 0 && getenv("LD_BIND_NOW") == NULL) {
        setenv("LD_BIND_NOW", "1", 1);
        execv("/proc/self/exe", arguments);
    }
}

// ---- in the stepped process ----

static inline void hand_await(void)
{
    signal(HAND_MARK, SIG_IGN); // a tracer sees it all the same
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    while (atomic_load(&hand->state) < HAND_STEPPING)
        hand_pause();
}

static inline void hand_mark(void)
{
    raise(HAND_MARK);
}

// ---- the hand itself ----

static inline char hand_process_state(pid_t pid)
{
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return '?';
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *name_end = strrchr(text, ')');
    if (name_end == NULL || name_end[1] == '\0')
        return '?';
    return name_end[2];
}

// Lets the process go on (`how`) to its next stop; 0 when it has ended. Says so when it sleeps
// meanwhile. Signals of its own reach it.
static inline int hand_go(int how, int *status)
{
    static long pass_on;
    if (ptrace(how, hand->pid, NULL, pass_on) != 0 && errno == ESRCH)
        return 0;
    pid_t found;
    while ((found = waitpid(hand->pid, status, __WALL)) < 0 && errno == EINTR) // the timer
        if (how == PTRACE_SINGLESTEP && atomic_load(&hand->state) == HAND_STEPPING &&
            hand_process_state(hand->pid) == 'S') {
            hand->asleep_at = hand->steps;
            atomic_store(&hand->state, HAND_ASLEEP);
        }
    const int sign = found == hand->pid && WIFSTOPPED(*status) ? WSTOPSIG(*status) : 0;
    pass_on = sign == (SIGTRAP | 0x80) || sign == SIGTRAP || sign == HAND_MARK ? 0 : sign;
    return sign;
}

static inline bool hand_skip(int *status)
{
    struct __ptrace_syscall_info call;
    bool inside = false;
    do {
        if (hand_go(PTRACE_SYSCALL, status) != (SIGTRAP | 0x80))
            return false;
        long got = ptrace(PTRACE_GET_SYSCALL_INFO, hand->pid, sizeof call, &call);
        if (got <= 0)
            return false;
        if (call.op == PTRACE_SYSCALL_INFO_ENTRY)
            inside = (long)call.entry.nr == hand->skip_to_nr;
    } while (!inside || call.op != PTRACE_SYSCALL_INFO_EXIT);
    return true;
}

// Any report about the process, whatever the timer does.
static inline pid_t hand_wait(int *status)
{
    pid_t found;
    while ((found = waitpid(hand->pid, status, __WALL)) < 0 && errno == EINTR)
        continue;
    return found;
}

static inline enum hand_state hand_step(void)
{
    int status;
    int sign = hand_wait(&status) == hand->pid && WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
    while (sign != 0 && sign != HAND_MARK)
        sign = hand_go(PTRACE_CONT, &status);
    if (sign == 0)
        return HAND_LOST;
    if (hand->skip_to_nr >= 0 && !hand_skip(&status))
        return HAND_LOST;
    while (hand->steps < hand->place) {
        sign = hand_go(PTRACE_SINGLESTEP, &status);
        if (sign == 0)
            return HAND_LOST;
        if (sign == HAND_MARK) {
            ptrace(PTRACE_DETACH, hand->pid, NULL, NULL);
            return HAND_PASSED;
        }
        hand->steps += sign == SIGTRAP;
    }
    atomic_store(&hand->done_at_ns, hand_now_ns());
    kill(hand->pid, hand->deed == HAND_KILL ? SIGKILL : SIGSTOP);
    if (hand->deed == HAND_STOP) {
        ptrace(PTRACE_DETACH, hand->pid, NULL, NULL); // the signal is delivered before it moves
        return HAND_DONE;
    }
    while (hand_wait(&status) == hand->pid && WIFSTOPPED(status))
        continue;
    return HAND_DONE;
}

static inline void hand_tick(int sign)
{
    (void)sign;
}

static inline void hand_main(void)
{
    const struct sigaction tick = {.sa_handler = hand_tick}; // no SA_RESTART: interrupts waitpid
    const struct itimerval every_ms = {{.tv_usec = 1000}, {.tv_usec = 1000}};
    sigaction(SIGALRM, &tick, NULL);
    setitimer(ITIMER_REAL, &every_ms, NULL);
    for (;;) {
        while (atomic_load(&hand->state) != HAND_ASKED)
            hand_pause();
        const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD;
        if (ptrace(PTRACE_SEIZE, hand->pid, NULL, options) != 0) {
            atomic_store(&hand->state, HAND_LOST);
            continue;
        }
        atomic_store(&hand->state, HAND_STEPPING);
        atomic_store(&hand->state, hand_step());
    }
}

// ---- in the lab ----

// Pins the lab, the hand and whom they start later to one core: a step costs a third then. And it
// is two changes of process: on a machine with other work each would wait for its turn. Without the
// right to this, the test is only slower.
static inline void hand_start(void)
{
    setpriority(PRIO_PROCESS, 0, -15);
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET((unsigned)sched_getcpu(), &core);
    (void)sched_setaffinity(0, sizeof core, &core);
    hand = mmap(NULL, sizeof *hand, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(hand, MAP_FAILED);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        hand_main();
    }
    ck_assert_int_gt(pid, 0);
    hand->self = pid;
}

static inline void hand_end(void)
{
    kill(hand->self, SIGKILL);
    waitpid(hand->self, NULL, 0);
    munmap(hand, sizeof *hand);
    hand = NULL;
}

static inline void hand_ask(pid_t pid, enum hand_deed deed, uint32_t place, long skip_to_nr)
{
    hand->pid = pid;
    hand->deed = deed;
    hand->place = place;
    hand->skip_to_nr = skip_to_nr;
    hand->steps = 0;
    hand->asleep_at = HAND_PLACES_ALL;
    atomic_store(&hand->state, HAND_ASKED);
}

// Waits until the hand is at `state` or beyond.
static inline enum hand_state hand_await_state(enum hand_state state)
{
    const int64_t give_up_ns = hand_now_ns() + (int64_t)HAND_PATIENCE_MS * 1000000;
    while (atomic_load(&hand->state) < (uint32_t)state) {
        ck_assert_msg(hand_now_ns() < give_up_ns, "the hand is stuck after %u instructions",
                      hand->steps);
        hand_pause();
    }
    return atomic_load(&hand->state);
}
