// Small stacks: a system call by an instruction of the program's own uses nothing of them.
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/shim/calls.h"

#define FIBER_B 4096
#define BELOW_B 65536
#define UNTOUCHED 0xA5

static const struct timespec step = {.tv_nsec = 10000000};

static void sleeps_raw(void)
{
    (void)raw_call(SYS_nanosleep, (long)&step, 0);
}

static void asks_raw(void)
{
    (void)raw_call(SYS_getppid, 0, 0);
}

static void opens_raw(void)
{
    (void)raw_call(SYS_close, raw_call(SYS_open, (long)"/proc/self/stat", 0), 0);
}

// How much of its stack a fiber has used.
static size_t used_B(void (*run)(void))
{
    static ucontext_t main_context, fiber;
    static unsigned char area[BELOW_B + FIBER_B];
    size_t i = 0;
    memset(area, UNTOUCHED, sizeof area);
    NEED(getcontext(&fiber) == 0);
    fiber.uc_stack = (stack_t){.ss_sp = area + BELOW_B, .ss_size = FIBER_B};
    fiber.uc_link = &main_context;
    makecontext(&fiber, run, 0);
    NEED(swapcontext(&main_context, &fiber) == 0);
    while (i < sizeof area && area[i] == UNTOUCHED)
        i++;
    return sizeof area - i;
}

static void *in_a_thread(void *argument)
{
    (void)argument;
    NEED(used_B(sleeps_raw) < FIBER_B / 2 && used_B(asks_raw) < FIBER_B / 2);
    NEED(used_B(opens_raw) < FIBER_B / 2);
    return NULL;
}

static unsigned char large[BELOW_B];
static volatile sig_atomic_t within;

static void look(int number)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0), from = (uintptr_t)large;
    (void)number;
    within = here >= from && here < from + sizeof large;
    sleeps_raw();
}

// A stack for signals is the program's, by whatever way it says so.
static void signal_stack(bool by_instruction)
{
    const struct sigaction action = {.sa_handler = look, .sa_flags = SA_ONSTACK};
    const stack_t mine = {.ss_sp = large, .ss_size = sizeof large}, none = {.ss_flags = SS_DISABLE};
    stack_t old;
    NEED(sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE));
    NEED(by_instruction ? raw_call(SYS_sigaltstack, (long)&mine, 0) == 0
                        : sigaltstack(&mine, NULL) == 0);
    NEED(sigaction(SIGUSR1, &action, NULL) == 0);
    within = 0;
    NEED(raise(SIGUSR1) == 0 && within);
    sleeps_raw();
    NEED(sigaltstack(NULL, &old) == 0 && old.ss_sp == large && old.ss_flags == 0);
    NEED(by_instruction ? raw_call(SYS_sigaltstack, (long)&none, 0) == 0
                        : sigaltstack(&none, NULL) == 0);
    NEED(sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE));
}

static void small_stacks(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    (void)in_a_thread(NULL);
    NEED(pthread_attr_init(&attributes) == 0);
    NEED(pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN) == 0);
    for (int i = 0; i < 3; i++) {
        NEED(pthread_create(&thread, &attributes, in_a_thread, NULL) == 0);
        NEED(pthread_join(thread, NULL) == 0);
    }
    signal_stack(false);
    signal_stack(true);
    (void)in_a_thread(NULL);
}

const struct subject stack_subjects[] = {{"stacks", small_stacks}, {NULL, NULL}};
