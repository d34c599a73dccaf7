// Private to shim_foreign*.c: a program without a C library that we know, in the process of a host
// whose C library is ours.
//
// Both keep what belongs to a thread where the register FS points to, so that this is exchanged
// whenever the processor passes from one to the other: at a system call of the program's, at its
// end, and when a handler of the program's is called. GS, which programs for this processor leave
// alone, leads to struct foreign. FSGSBASE is needed: processors from 2012 on, Linux 5.9.
#pragma once

#include <pthread.h>
#include <setjmp.h>
#include <ucontext.h>

#include "shim/shim.h"

// Code that runs with either FS: the compiler may not use it.
#define EITHER __attribute__((no_stack_protector, noinline))

// Of each thread of the program.
struct foreign {
    uint64_t host_fs, program_fs; // in this place: FOREIGN_HOST, FOREIGN_PROGRAM
    void *signal_stack;
    struct robust_list_head *host_robust; // the host's own list; NULL: it has none but that
    int *cleared;                         // a word that is 0 when the thread has ended, and woken
    int task;
    _Atomic uint32_t id; // of the thread; 0: it has not begun yet
    gregset_t registers;
    sigset_t mask;
    jmp_buf end;
    pthread_t host;
    bool ended; // it has given its turn away for good
    struct foreign *next;
};
#define FOREIGN_HOST "0"
#define FOREIGN_PROGRAM "8"

// ---- passing over (shim_foreign.c) ----

// True: FS was the program's, and is the host's now.
static inline bool foreign_to_host(void)
{
    uint64_t now, host;
    __asm__ volatile("rdfsbase %0" : "=r"(now));
    __asm__ volatile("movq %%gs:" FOREIGN_HOST ", %0" : "=r"(host));
    if (now == host)
        return false;
    __asm__ volatile("movq %0, %%gs:" FOREIGN_PROGRAM "\n\twrfsbase %1"
                     :
                     : "r"(now), "r"(host)
                     : "memory");
    return true;
}

static inline void foreign_to_program(void)
{
    __asm__ volatile("movq %%gs:" FOREIGN_PROGRAM ", %%rax\n\twrfsbase %%rax"
                     :
                     :
                     : "rax", "memory");
}

static inline struct foreign *foreign_self(void)
{
    struct foreign *self;
    __asm__ volatile("rdgsbase %0" : "=r"(self));
    return self;
}

// With these registers, and the program's FS.
_Noreturn void foreign_go(const greg_t *registers, uint64_t fs);
// The calling thread is one of the program's from now on. False: no memory.
bool foreign_take(struct foreign *thread);
void foreign_drop(struct foreign *thread); // when it is dead

// ---- threads and children (shim_foreign_thread.c) ----

long foreign_clone(const long a[6], ucontext_t *context);
long foreign_fork(const long a[6], ucontext_t *context);
extern bool foreign_vforked; // this process is a copy that a vfork has made: it should not be one
_Noreturn void foreign_exit(int status); // of a thread

// ---- robust mutexes (shim_foreign_robust.c) ----

long foreign_robust_list(const long a[6]);
// By a thread that ends, but the first: what it holds has lost its owner; its list goes with it.
void foreign_robust_end(void);

// ---- signals (shim_foreign_signal.c) ----

void foreign_signals_begin(void);
long foreign_sigaction(const long a[6]);
long foreign_sigaltstack(const long a[6]);
