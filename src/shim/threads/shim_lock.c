// What threads wait for each other with. A lock that is free is taken as ever; for one that is not,
// the thread gives its turn away until somebody lets go.
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>

#include "shim/shim.h"

// Waits until somebody wakes the object; false: the deadline came first.
static bool wait_for(struct shim_object object, int64_t deadline_ns,
                     const struct shim_awaited *awaited)
{
    struct shim_wait wait = shim_wait_object(object, deadline_ns);
    wait.awaited = *awaited;
    for (;;) { // signals and timers do not count
        const enum shim_woken woken = shim_block(&wait);
        if (shim_was_woken())
            return true;
        if (woken == SHIM_DEADLINE)
            return false;
    }
}

// Unlocking is no point at which a thread is cancelled.
static void pace(void)
{
    int before;
    if (shim.page->puts < IO_BURST_MAX)
        return;
    (void)NEXT(pthread_setcancelstate)(PTHREAD_CANCEL_DISABLE, &before);
    shim_pace();
    (void)NEXT(pthread_setcancelstate)(before, NULL);
}

// Without a chance for others to run in between.
static void let_go(struct shim_object object, unsigned n)
{
    if (shim.page->task_count > 1 || shim_is_shared(&object))
        (void)shim_wake(object, n);
}

static void let_go_and_pace(struct shim_object object, unsigned n)
{
    let_go(object, n);
    pace();
}

// Where nobody waits at shared memory, it is not asked what is shared.
static struct shim_object to_wake(bool shared, const void *address)
{
    return shim_object_if(shared && shim.cell->sleepers > 0, address);
}

// ---- mutexes ----

static bool is_held_by_caller(const pthread_mutex_t *mutex)
{
    return mutex->__data.__owner == (int)KERNEL(SYS_gettid);
}

#define MUTEX_SHARED 128 // bits of the C library's
#define MUTEX_ROBUST 16

static struct shim_object of_mutex(const pthread_mutex_t *mutex)
{
    return shim_object_if(mutex->__data.__kind & MUTEX_SHARED, mutex);
}

// The end of its owner frees a robust one, which nobody but the lab tells.
static bool wait_for_owner(struct shim_object object, int64_t deadline_ns,
                           const struct shim_awaited *awaited)
{
    struct shim_wait wait = shim_wait_object(object, deadline_ns);
    wait.awaited = *awaited;
    wait.io = true;
    return shim_block(&wait) != SHIM_DEADLINE || shim_was_woken();
}

static int lock_until(pthread_mutex_t *mutex, int64_t deadline_ns)
{
    const int kind = mutex->__data.__kind;
    struct shim_awaited awaited = {0};
    shim_touch(SHIM_TRY_NS);
    for (;;) { // until it is had
        const int error = NEXT(pthread_mutex_trylock)(mutex);
        if (error == ENOTRECOVERABLE) // nor is it for those who wait
            let_go(of_mutex(mutex), UINT_MAX);
        if (error != EBUSY)
            return error;
        if (is_held_by_caller(mutex) && (kind & 3) == PTHREAD_MUTEX_ERRORCHECK)
            return EDEADLK;
        if (awaited.kind == 0)
            awaited = shim_awaits(SHIM_AWAITS_MUTEX, 0, mutex);
        if (!(kind & MUTEX_ROBUST ? wait_for_owner : wait_for)(of_mutex(mutex), deadline_ns,
                                                               &awaited))
            return ETIMEDOUT;
    }
}

PUBLIC int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return shim_on() ? lock_until(mutex, SHIM_NEVER) : NEXT(pthread_mutex_lock)(mutex);
}

// Who tries again and again spins.
PUBLIC int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    if (shim_on())
        shim_touch(SHIM_TRY_NS);
    return NEXT(pthread_mutex_trylock)(mutex);
}

PUBLIC int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
                                   const struct timespec *restrict t)
{
    return shim_on() ? lock_until(mutex, shim_until(CLOCK_REALTIME, t))
                     : NEXT(pthread_mutex_timedlock)(mutex, t);
}

PUBLIC int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock,
                                   const struct timespec *restrict t)
{
    return shim_on() ? lock_until(mutex, shim_until(clock, t))
                     : NEXT(pthread_mutex_clocklock)(mutex, clock, t);
}

PUBLIC int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    const bool shared = mutex->__data.__kind & MUTEX_SHARED;
    const int error = NEXT(pthread_mutex_unlock)(mutex);
    if (error == 0 && shim_on())
        let_go_and_pace(to_wake(shared, mutex), 1);
    return error;
}

// ---- conditions: nothing but the waiting tasks themselves ----

#define CONDITION_SHARED 1 // bits of the C library's
#define CONDITION_MONOTONIC 2

static bool is_condition_shared(const pthread_cond_t *condition)
{
    return condition->__data.__wrefs & CONDITION_SHARED;
}

static int wait_on(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline_ns)
{
    const struct shim_object object = shim_object_if(is_condition_shared(condition), condition);
    const bool shared = mutex->__data.__kind & MUTEX_SHARED;
    const int error = NEXT(pthread_mutex_unlock)(mutex);
    if (error != 0)
        return error;
    let_go(to_wake(shared, mutex), 1);
    const struct shim_awaited awaited = shim_awaits(SHIM_AWAITS_CONDITION, 0, condition);
    const bool woken = wait_for(object, deadline_ns, &awaited);
    const int locked = pthread_mutex_lock(mutex);
    pthread_testcancel();
    return locked != 0 ? locked : woken ? 0 : ETIMEDOUT;
}

PUBLIC int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex)
{
    return shim_on() ? wait_on(condition, mutex, SHIM_NEVER)
                     : NEXT(pthread_cond_wait)(condition, mutex);
}

PUBLIC int pthread_cond_clockwait(pthread_cond_t *restrict condition,
                                  pthread_mutex_t *restrict mutex, clockid_t clock,
                                  const struct timespec *restrict t)
{
    if (!shim_on())
        return NEXT(pthread_cond_clockwait)(condition, mutex, clock, t);
    return shim_ns_of(t) < 0 ? EINVAL : wait_on(condition, mutex, shim_until(clock, t));
}

PUBLIC int pthread_cond_timedwait(pthread_cond_t *restrict condition,
                                  pthread_mutex_t *restrict mutex,
                                  const struct timespec *restrict t)
{
    if (!shim_on())
        return NEXT(pthread_cond_timedwait)(condition, mutex, t);
    const bool monotonic = condition->__data.__wrefs & CONDITION_MONOTONIC;
    return pthread_cond_clockwait(condition, mutex, monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME,
                                  t);
}

PUBLIC int pthread_cond_signal(pthread_cond_t *condition)
{
    if (!shim_on())
        return NEXT(pthread_cond_signal)(condition);
    let_go_and_pace(to_wake(is_condition_shared(condition), condition), 1);
    return 0;
}

PUBLIC int pthread_cond_broadcast(pthread_cond_t *condition)
{
    if (!shim_on())
        return NEXT(pthread_cond_broadcast)(condition);
    let_go_and_pace(to_wake(is_condition_shared(condition), condition), UINT_MAX);
    return 0;
}

// ---- semaphores ----

// As the C library lays them out.
struct semaphore {
    uint64_t value;
    int shared; // a bit of FUTEX_WAIT
};

static bool is_semaphore_shared(const sem_t *semaphore)
{
    return ((const struct semaphore *)semaphore)->shared != 0;
}

static int take_until(sem_t *semaphore, int64_t deadline_ns)
{
    struct shim_wait wait = {0};
    for (;;) { // until it is had
        if (NEXT(sem_trywait)(semaphore) == 0)
            return 0;
        if (errno != EAGAIN)
            return -1;
        if (wait.object.space == 0) {
            wait = shim_wait_object(shim_object_if(is_semaphore_shared(semaphore), semaphore),
                                    deadline_ns);
            wait.awaited = shim_awaits(SHIM_AWAITS_SEMAPHORE, 0, semaphore);
        }
        const enum shim_woken woken = shim_block(&wait);
        pthread_testcancel();
        if (shim_was_woken() || woken == SHIM_WOKEN)
            continue;
        errno = woken == SHIM_DEADLINE ? ETIMEDOUT : EINTR;
        if (woken == SHIM_DEADLINE || !shim_restarts)
            return -1;
    }
}

PUBLIC int sem_wait(sem_t *semaphore)
{
    return shim_on() ? take_until(semaphore, SHIM_NEVER) : NEXT(sem_wait)(semaphore);
}

PUBLIC int sem_trywait(sem_t *semaphore)
{
    if (shim_on())
        shim_touch(SHIM_TRY_NS);
    return NEXT(sem_trywait)(semaphore);
}

PUBLIC int sem_getvalue(sem_t *restrict semaphore, int *restrict value)
{
    if (shim_on())
        shim_touch(SHIM_TRY_NS);
    return NEXT(sem_getvalue)(semaphore, value);
}

PUBLIC int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict t)
{
    return shim_on() ? take_until(semaphore, shim_until(CLOCK_REALTIME, t))
                     : NEXT(sem_timedwait)(semaphore, t);
}

PUBLIC int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
                         const struct timespec *restrict t)
{
    return shim_on() ? take_until(semaphore, shim_until(clock, t))
                     : NEXT(sem_clockwait)(semaphore, clock, t);
}

PUBLIC int sem_post(sem_t *semaphore)
{
    const bool shared = is_semaphore_shared(semaphore);
    const int result = NEXT(sem_post)(semaphore);
    if (result == 0 && shim_on())
        let_go_and_pace(to_wake(shared, semaphore), 1);
    return result;
}

// The C library maps named ones past us.
PUBLIC sem_t *sem_open(const char *name, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    const unsigned value = flags & O_CREAT ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    shim_places_forget();
    return NEXT(sem_open)(name, flags, mode, value);
}

PUBLIC int sem_close(sem_t *semaphore)
{
    shim_places_forget();
    return NEXT(sem_close)(semaphore);
}

// ---- read-write locks ----

typedef int try_lock(pthread_rwlock_t *lock);

static int rwlock_until(try_lock *try, pthread_rwlock_t *lock, int64_t deadline_ns)
{
    struct shim_awaited awaited = {0};
    shim_touch(SHIM_TRY_NS);
    for (;;) { // until it is had
        const int error = try(lock);
        if (error != EBUSY)
            return error;
        if (lock->__data.__cur_writer == (int)KERNEL(SYS_gettid))
            return EDEADLK;
        if (awaited.kind == 0)
            awaited = shim_awaits(SHIM_AWAITS_RWLOCK, 0, lock);
        if (!wait_for(shim_object_if(lock->__data.__shared != 0, lock), deadline_ns, &awaited))
            return ETIMEDOUT;
    }
}

PUBLIC int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    if (shim_on())
        shim_touch(SHIM_TRY_NS);
    return NEXT(pthread_rwlock_tryrdlock)(lock);
}

PUBLIC int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    if (shim_on())
        shim_touch(SHIM_TRY_NS);
    return NEXT(pthread_rwlock_trywrlock)(lock);
}

PUBLIC int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    return shim_on() ? rwlock_until(NEXT(pthread_rwlock_tryrdlock), lock, SHIM_NEVER)
                     : NEXT(pthread_rwlock_rdlock)(lock);
}

PUBLIC int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    return shim_on() ? rwlock_until(NEXT(pthread_rwlock_trywrlock), lock, SHIM_NEVER)
                     : NEXT(pthread_rwlock_wrlock)(lock);
}

PUBLIC int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
                                      const struct timespec *restrict t)
{
    return shim_on()
               ? rwlock_until(NEXT(pthread_rwlock_tryrdlock), lock, shim_until(CLOCK_REALTIME, t))
               : NEXT(pthread_rwlock_timedrdlock)(lock, t);
}

PUBLIC int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
                                      const struct timespec *restrict t)
{
    return shim_on()
               ? rwlock_until(NEXT(pthread_rwlock_trywrlock), lock, shim_until(CLOCK_REALTIME, t))
               : NEXT(pthread_rwlock_timedwrlock)(lock, t);
}

PUBLIC int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                                      const struct timespec *restrict t)
{
    return shim_on() ? rwlock_until(NEXT(pthread_rwlock_tryrdlock), lock, shim_until(clock, t))
                     : NEXT(pthread_rwlock_clockrdlock)(lock, clock, t);
}

PUBLIC int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                                      const struct timespec *restrict t)
{
    return shim_on() ? rwlock_until(NEXT(pthread_rwlock_trywrlock), lock, shim_until(clock, t))
                     : NEXT(pthread_rwlock_clockwrlock)(lock, clock, t);
}

PUBLIC int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    const bool shared = lock->__data.__shared != 0;
    const int error = NEXT(pthread_rwlock_unlock)(lock);
    if (error == 0 && shim_on())
        let_go_and_pace(to_wake(shared, lock), UINT_MAX);
    return error;
}

// ---- spin locks ----

PUBLIC int pthread_spin_lock(pthread_spinlock_t *lock)
{
    if (!shim_on())
        return NEXT(pthread_spin_lock)(lock);
    if (NEXT(pthread_spin_trylock)(lock) == 0)
        return 0;
    const struct shim_awaited awaited = shim_awaits(SHIM_AWAITS_SPIN, 0, (const void *)lock);
    while (NEXT(pthread_spin_trylock)(lock) == EBUSY)
        (void)wait_for(shim_object_at((const void *)lock), SHIM_NEVER, &awaited);
    return 0;
}

PUBLIC int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    if (shim_on())
        shim_touch(SHIM_TRY_NS);
    return NEXT(pthread_spin_trylock)(lock);
}

PUBLIC int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    const int error = NEXT(pthread_spin_unlock)(lock);
    if (shim_on())
        let_go_and_pace(to_wake(true, (const void *)lock), 1);
    return error;
}

// ---- barriers ----

// As the C library lays them out.
struct barrier {
    unsigned in, round, count;
    int shared;
};

PUBLIC int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    const struct barrier *const own = (const struct barrier *)barrier;
    if (!shim_on())
        return NEXT(pthread_barrier_wait)(barrier);
    const struct shim_object object = shim_object_if(own->shared != 0, barrier);
    if (shim_sleepers(object) + 1 < own->count) {
        const struct shim_awaited awaited = shim_awaits(SHIM_AWAITS_BARRIER, 0, barrier);
        (void)wait_for(object, SHIM_NEVER, &awaited);
        return 0;
    }
    let_go_and_pace(object, UINT_MAX);
    return PTHREAD_BARRIER_SERIAL_THREAD;
}

// ---- once ----

#define ONCE_BEGUN 1 // as the C library has it
#define ONCE_DONE 2

// Also when an exception leaves the function: the next caller tries again.
static void finish(pthread_once_t **control)
{
    if (**control != ONCE_DONE)
        **control = 0;
    (void)shim_wake(shim_mine(*control), UINT_MAX);
}

PUBLIC int pthread_once(pthread_once_t *control, void (*function)(void))
{
    if ((*control & ONCE_DONE) != 0)
        return 0;
    if (!shim_on())
        return NEXT(pthread_once)(control, function);
    const struct shim_awaited awaited = shim_awaits(SHIM_AWAITS_OTHER, 0, control);
    while ((*(volatile pthread_once_t *)control & 3) == ONCE_BEGUN)
        (void)wait_for(shim_mine(control), SHIM_NEVER, &awaited);
    if ((*control & ONCE_DONE) != 0)
        return 0;
    __attribute__((cleanup(finish))) pthread_once_t *mine = control;
    *mine = ONCE_BEGUN;
    function();
    *mine = ONCE_DONE;
    return 0;
}
