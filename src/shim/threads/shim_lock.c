// What threads wait for each other with. A lock that is free is taken as ever; for one that is not,
// the thread gives its turn away until somebody lets go.
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

#include "shim/shim.h"

// Waits until somebody wakes the object; false: the deadline came first.
static bool wait_for(const void *object, int64_t deadline_ns)
{
    for (;;) { // signals and timers do not count
        const struct shim_wait wait = shim_wait_object(object, deadline_ns);
        const enum shim_woken woken = shim_block(&wait);
        if (shim_was_woken())
            return true;
        if (woken == SHIM_DEADLINE)
            return false;
    }
}

// ---- mutexes ----

static bool is_held_by_caller(const pthread_mutex_t *mutex)
{
    return mutex->__data.__owner == (int)KERNEL(SYS_gettid);
}

static int lock_until(pthread_mutex_t *mutex, int64_t deadline_ns)
{
    for (;;) { // until it is had
        const int error = NEXT(pthread_mutex_trylock)(mutex);
        if (error != EBUSY)
            return error;
        if (is_held_by_caller(mutex) && (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK)
            return EDEADLK;
        if (!wait_for(mutex, deadline_ns))
            return ETIMEDOUT;
    }
}

static void let_go(const void *object, unsigned n)
{
    if (shim.page->task_count > 1)
        (void)shim_wake(object, n);
}

PUBLIC int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return shim_on() ? lock_until(mutex, SHIM_NEVER) : NEXT(pthread_mutex_lock)(mutex);
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
    const int error = NEXT(pthread_mutex_unlock)(mutex);
    if (error == 0 && shim_on())
        let_go(mutex, 1);
    return error;
}

// ---- conditions: nothing but the waiting tasks themselves ----

#define CONDITION_MONOTONIC 2 // a bit of the C library's: pthread_condattr_setclock

static int wait_on(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline_ns)
{
    const int error = pthread_mutex_unlock(mutex);
    if (error != 0)
        return error;
    const bool woken = wait_for(condition, deadline_ns);
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
    let_go(condition, 1);
    return 0;
}

PUBLIC int pthread_cond_broadcast(pthread_cond_t *condition)
{
    if (!shim_on())
        return NEXT(pthread_cond_broadcast)(condition);
    let_go(condition, UINT_MAX);
    return 0;
}

// ---- semaphores ----

static int take_until(sem_t *semaphore, int64_t deadline_ns)
{
    for (;;) { // until it is had
        if (NEXT(sem_trywait)(semaphore) == 0)
            return 0;
        if (errno != EAGAIN)
            return -1;
        const struct shim_wait wait = shim_wait_object(semaphore, deadline_ns);
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
    const int result = NEXT(sem_post)(semaphore);
    if (result == 0 && shim_on())
        let_go(semaphore, 1);
    return result;
}

// ---- read-write locks ----

typedef int try_lock(pthread_rwlock_t *lock);

static int rwlock_until(try_lock *try, pthread_rwlock_t *lock, int64_t deadline_ns)
{
    for (;;) { // until it is had
        const int error = try(lock);
        if (error != EBUSY)
            return error;
        if (lock->__data.__cur_writer == (int)KERNEL(SYS_gettid))
            return EDEADLK;
        if (!wait_for(lock, deadline_ns))
            return ETIMEDOUT;
    }
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
    const int error = NEXT(pthread_rwlock_unlock)(lock);
    if (error == 0 && shim_on())
        let_go(lock, UINT_MAX);
    return error;
}

// ---- spin locks ----

PUBLIC int pthread_spin_lock(pthread_spinlock_t *lock)
{
    if (!shim_on())
        return NEXT(pthread_spin_lock)(lock);
    while (NEXT(pthread_spin_trylock)(lock) == EBUSY)
        (void)wait_for((const void *)lock, SHIM_NEVER);
    return 0;
}

PUBLIC int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    const int error = NEXT(pthread_spin_unlock)(lock);
    if (shim_on())
        let_go((const void *)lock, 1);
    return error;
}

// ---- barriers ----

// As the C library lays them out.
struct barrier {
    unsigned in, round, count;
};

PUBLIC int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    if (!shim_on())
        return NEXT(pthread_barrier_wait)(barrier);
    if (shim_sleepers(barrier) + 1 < ((const struct barrier *)barrier)->count) {
        (void)wait_for(barrier, SHIM_NEVER);
        return 0;
    }
    (void)shim_wake(barrier, UINT_MAX);
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
    (void)shim_wake(*control, UINT_MAX);
}

PUBLIC int pthread_once(pthread_once_t *control, void (*function)(void))
{
    if ((*control & ONCE_DONE) != 0)
        return 0;
    if (!shim_on())
        return NEXT(pthread_once)(control, function);
    while ((*(volatile pthread_once_t *)control & 3) == ONCE_BEGUN)
        (void)wait_for(control, SHIM_NEVER);
    if ((*control & ONCE_DONE) != 0)
        return 0;
    __attribute__((cleanup(finish))) pthread_once_t *mine = control;
    *mine = ONCE_BEGUN;
    function();
    *mine = ONCE_DONE;
    return 0;
}
