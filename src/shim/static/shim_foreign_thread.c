// Threads and children of a statically linked program. Each of its threads is one of the host's
// C library, so that our code can run in it; it goes on where the program's own call was.
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/static/shim_foreign.h"

#define THREAD_STACK_B (256 << 10) // of the host's; the program has its own

// Of this process, but the first. The turn keeps them apart.
static struct foreign *threads;

// ---- children -----------------------------------------------------------------------------------

bool foreign_vforked;

// Memory is not shared, as vfork would have it: the parent may go on before the child has executed
// something, and does not see what it has written.
long foreign_fork(const long a[6], ucontext_t *context)
{
    const long flags = a[0];
    const pid_t child = fork();
    if (child > 0 && (flags & CLONE_PARENT_SETTID))
        *(int *)a[2] = child;
    if (child != 0)
        return child;
    threads = NULL;
    foreign_vforked = (flags & CLONE_VFORK) != 0;
    if (a[1] != 0)
        context->uc_mcontext.gregs[REG_RSP] = a[1];
    if (flags & CLONE_CHILD_SETTID)
        *(int *)a[3] = (int)KERNEL(SYS_gettid);
    foreign_self()->cleared = flags & CLONE_CHILD_CLEARTID ? (int *)a[3] : NULL;
    if (flags & CLONE_SETTLS)
        foreign_self()->program_fs = (uint64_t)a[4];
    return 0;
}

// ---- threads ------------------------------------------------------------------------------------

static void wake(_Atomic uint32_t *word)
{
    KERNEL(SYS_futex, word, FUTEX_WAKE, 1);
}

// What waits for the program's thread to end looks at this word.
static void clear_word(int *word)
{
    if (word == NULL)
        return;
    *(volatile int *)word = 0;
    (void)shim_wake(shim_mine(word), UINT32_MAX);
    KERNEL(SYS_futex, word, FUTEX_WAKE, INT32_MAX);
}

static void *run(void *argument)
{
    struct foreign *thread = argument;
    const bool taken = foreign_take(thread);
    thread->id = (uint32_t)KERNEL(SYS_gettid);
    wake(&thread->id);
    shim_task_begin(thread->task);
    if (!taken || !shim_raw_begin())
        shim_leak("a thread of a static program is not seen");
    if (setjmp(thread->end) == 0) {
        KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, &thread->mask, NULL, sizeof(uint64_t));
        foreign_go(thread->registers, thread->program_fs);
    }
    foreign_robust_end();
    clear_word(thread->cleared);
    shim_wake(shim_mine(&shim), UINT32_MAX);
    thread->ended = true;
    shim_task_end();
    return NULL;
}

static bool start(struct foreign *thread)
{
    pthread_attr_t attributes;
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, THREAD_STACK_B);
    const int error = NEXT(pthread_create)(&thread->host, &attributes, run, thread);
    (void)pthread_attr_destroy(&attributes);
    while (error == 0 && thread->id == 0) // it needs no turn for this
        KERNEL(SYS_futex, &thread->id, FUTEX_WAIT, 0, NULL);
    errno = error;
    return error == 0;
}

// Those that have ended are awaited by the next that makes one: that is no matter of chance, so
// that the memory of both lies where it did in any other run.
static void reap(void)
{
    for (struct foreign **link = &threads; *link != NULL;) {
        struct foreign *thread = *link;
        if (!thread->ended) {
            link = &thread->next;
            continue;
        }
        *link = thread->next;
        (void)NEXT(pthread_join)(thread->host, NULL);
        foreign_drop(thread);
        free(thread);
    }
}

static struct foreign *new_thread(void)
{
    struct foreign *thread = calloc(1, sizeof *thread);
    if (thread == NULL)
        return NULL;
    thread->task = shim_task_new();
    if (thread->task >= 0)
        return thread;
    free(thread);
    return NULL;
}

static long create(const long a[6], const ucontext_t *context)
{
    const long flags = a[0];
    sigset_t all;
    reap();
    struct foreign *thread = new_thread();
    errno = EAGAIN;
    if (thread == NULL)
        return -1;
    memcpy(thread->registers, context->uc_mcontext.gregs, sizeof thread->registers);
    thread->registers[REG_RSP] = a[1];
    thread->program_fs = flags & CLONE_SETTLS ? (uint64_t)a[4] : foreign_self()->program_fs;
    thread->cleared = flags & CLONE_CHILD_CLEARTID ? (int *)a[3] : NULL;
    sigfillset(&all);
    sigdelset(&all, SIGSYS);
    // No handler before the thread knows who it is.
    KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, &all, &thread->mask, sizeof(uint64_t));
    const bool started = start(thread);
    KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, &thread->mask, NULL, sizeof(uint64_t));
    if (!started) {
        shim_task_drop(thread->task);
        free(thread);
        return -1;
    }
    thread->next = threads;
    threads = thread;
    if (flags & CLONE_PARENT_SETTID)
        *(int *)a[2] = (int)thread->id;
    if (flags & CLONE_CHILD_SETTID)
        *(int *)a[3] = (int)thread->id;
    return thread->id;
}

long foreign_clone(const long a[6], ucontext_t *context)
{
    if (a[0] & CLONE_THREAD)
        return create(a, context);
    if ((a[0] & CLONE_VM) && !(a[0] & CLONE_VFORK))
        shim_leak("clone makes a process that shares memory");
    return foreign_fork(a, context);
}

// ---- ends ---------------------------------------------------------------------------------------

_Noreturn void foreign_exit(int status)
{
    struct foreign *self = foreign_self();
    if (shim_self > 0 && self->id != 0)
        longjmp(self->end, 1);
    // The process lives on until its last thread ends; the lab takes this thread's end for its.
    clear_word(self->cleared);
    while (!shim_alone()) {
        const struct shim_wait wait = shim_wait_object(shim_mine(&shim), SHIM_NEVER);
        (void)shim_block(&wait);
    }
    _exit(status);
}
