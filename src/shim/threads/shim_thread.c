// Threads: each is a task of the page, and runs only in its turn.
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "shim/shim.h"

struct thread {
    bool used, done, detached;
    pthread_t id;
    int task;
    void *(*function)(void *);
    int (*function_c11)(void *); // in place of the other
    void *argument;
    int rounds; // of its own destructors
};

// Of this process. The turn keeps its threads apart.
static struct thread threads[SHIM_TASKS_MAX];

static struct thread *thread_of(pthread_t id)
{
    for (int i = 0; i < SHIM_TASKS_MAX; i++)
        if (threads[i].used && pthread_equal(threads[i].id, id))
            return &threads[i];
    return NULL;
}

// One that is not in the table is the process's first.
int shim_thread_task(pthread_t id)
{
    const struct thread *thread = thread_of(id);
    if (thread != NULL)
        return thread->done ? -1 : thread->task;
    if (pthread_equal(id, pthread_self()))
        return shim_own_task();
    for (unsigned i = 0; i < shim.page->task_count && i < SHIM_TASKS_MAX; i++)
        if (shim.page->task[i].state != SHIM_TASK_FREE &&
            shim.page->schedule[i].thread == (int)KERNEL(SYS_getpid))
            return (int)i;
    return -1;
}

void shim_threads_forget(void)
{
    for (int i = 0; i < SHIM_TASKS_MAX; i++)
        threads[i].used = false;
}

// ---- beginning and end ----

static pthread_key_t end_key;

// After all that the thread itself has to undo: its own destructors may wait, too.
static void end(void *argument)
{
    struct thread *thread = argument;
    if (++thread->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
        (void)pthread_setspecific(end_key, thread);
        return;
    }
    thread->done = true;
    thread->used = !thread->detached;
    shim_abandon();
    shim_stack_end();
    shim_wake(shim_mine(thread), UINT32_MAX);
    shim_wake(shim_mine(&shim), UINT32_MAX);
    shim_task_end();
}

static void *begin(void *argument)
{
    struct thread *thread = argument;
    void *result;
    shim_task_begin(thread->task);
    shim_stack_begin();
    (void)shim_raw_begin();
    (void)pthread_setspecific(end_key, thread);
    result = thread->function_c11 != NULL ? (void *)(intptr_t)thread->function_c11(thread->argument)
                                          : thread->function(thread->argument);
    return result;
}

static struct thread *new_thread(void)
{
    for (int i = 0; i < SHIM_TASKS_MAX; i++)
        if (!threads[i].used)
            return &threads[i];
    return NULL;
}

// By the C library, without what its scheduler means to the kernel.
static int create_of(struct thread *thread, const pthread_attr_t *attributes)
{
    pthread_attr_t rest;
    if (attributes == NULL)
        return NEXT(pthread_create)(&thread->id, NULL, begin, thread);
    int error = shim_schedule_attributes(thread->task, attributes, &rest);
    if (error != 0)
        return error;
    error = NEXT(pthread_create)(&thread->id, &rest, begin, thread);
    (void)pthread_attr_destroy(&rest);
    return error;
}

static int create(pthread_t *id, const pthread_attr_t *attributes, const struct thread *asked)
{
    static bool has_key;
    if (!has_key && pthread_key_create(&end_key, end) != 0)
        return EAGAIN;
    has_key = true;
    struct thread *thread = new_thread();
    const int task = thread == NULL ? -1 : shim_task_new();
    if (task < 0)
        return EAGAIN;
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attributes != NULL)
        (void)pthread_attr_getdetachstate(attributes, &detached);
    *thread = *asked;
    thread->used = true;
    thread->detached = detached == PTHREAD_CREATE_DETACHED;
    thread->task = task;
    const int error = create_of(thread, attributes);
    if (error == 0) {
        *id = thread->id;
        return 0;
    }
    thread->used = false;
    shim_task_drop(task);
    return error;
}

PUBLIC int pthread_create(pthread_t *restrict id, const pthread_attr_t *restrict attributes,
                          void *(*function)(void *), void *restrict argument)
{
    if (!shim_on())
        return NEXT(pthread_create)(id, attributes, function, argument);
    const struct thread asked = {.function = function, .argument = argument};
    return create(id, attributes, &asked);
}

int shim_thread_create(pthread_t *id, int (*function)(void *), void *argument)
{
    const struct thread asked = {.function_c11 = function, .argument = argument};
    return create(id, NULL, &asked);
}

// The process lives on until its last thread ends, but the lab takes the end of this thread for the
// end of the process.
static _Noreturn void end_main_thread(void)
{
    while (!shim_alone()) {
        const struct shim_wait wait = shim_wait_object(shim_mine(&shim), SHIM_NEVER);
        (void)shim_block(&wait);
    }
    exit(0);
}

PUBLIC void pthread_exit(void *result)
{
    if (shim_on() && shim_self == 0)
        end_main_thread();
    NEXT(pthread_exit)(result);
    abort();
}

// ---- joining ----

static int join(pthread_t id, void **result, int64_t deadline_ns)
{
    struct thread *thread = thread_of(id);
    const struct shim_awaited awaited =
        shim_awaits(SHIM_AWAITS_THREAD, thread != NULL ? thread->task : -1, NULL);
    while (thread != NULL && !thread->done && !pthread_equal(id, pthread_self())) {
        struct shim_wait wait = shim_wait_object(shim_mine(thread), deadline_ns);
        wait.awaited = awaited;
        if (shim_block(&wait) == SHIM_DEADLINE && !thread->done)
            return ETIMEDOUT;
        pthread_testcancel();
    }
    if (thread != NULL)
        thread->used = false;
    return NEXT(pthread_join)(id, result);
}

PUBLIC int pthread_join(pthread_t id, void **result)
{
    return shim_on() ? join(id, result, SHIM_NEVER) : NEXT(pthread_join)(id, result);
}

PUBLIC int pthread_tryjoin_np(pthread_t id, void **result)
{
    if (!shim_on())
        return NEXT(pthread_tryjoin_np)(id, result);
    const struct thread *thread = thread_of(id);
    if (thread != NULL && !thread->done)
        return EBUSY;
    return join(id, result, SHIM_NEVER);
}

PUBLIC int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *t)
{
    if (!shim_on())
        return NEXT(pthread_timedjoin_np)(id, result, t);
    return join(id, result, shim_until(CLOCK_REALTIME, t));
}

PUBLIC int pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock,
                                const struct timespec *t)
{
    if (!shim_on())
        return NEXT(pthread_clockjoin_np)(id, result, clock, t);
    return join(id, result, shim_until(clock, t));
}

PUBLIC int pthread_detach(pthread_t id)
{
    struct thread *thread = shim_on() ? thread_of(id) : NULL;
    if (thread != NULL) {
        thread->detached = true;
        thread->used = !thread->done;
    }
    return NEXT(pthread_detach)(id);
}

// What waits looks whether it has been cancelled.
PUBLIC int pthread_cancel(pthread_t id)
{
    const int error = NEXT(pthread_cancel)(id);
    const struct thread *thread = error == 0 && shim_on() ? thread_of(id) : NULL;
    if (thread != NULL)
        shim_task_stir(thread->task);
    return error;
}
