// Threads, mutexes and conditions of C11. In the C library they are those of POSIX by another name,
// which its own calls do not lead to us.
#include <pthread.h>
#include <sched.h>
#include <threads.h>

#include "shim/shim.h"

static int status_of(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    case ENOMEM:
    case EAGAIN:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

// ---- threads ----

PUBLIC int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    if (!shim_on())
        return NEXT(thrd_create)(thread, function, argument);
    return status_of(shim_thread_create(thread, function, argument));
}

PUBLIC int thrd_join(thrd_t thread, int *result)
{
    void *got = NULL;
    if (!shim_on())
        return NEXT(thrd_join)(thread, result);
    const int error = pthread_join(thread, &got);
    if (error == 0 && result != NULL)
        *result = (int)(intptr_t)got;
    return status_of(error);
}

PUBLIC int thrd_detach(thrd_t thread)
{
    return shim_on() ? status_of(pthread_detach(thread)) : NEXT(thrd_detach)(thread);
}

PUBLIC void thrd_exit(int result)
{
    pthread_exit((void *)(intptr_t)result);
}

PUBLIC int thrd_sleep(const struct timespec *t, struct timespec *left)
{
    const int error = clock_nanosleep(CLOCK_REALTIME, 0, t, left);
    return error == 0 ? 0 : error == EINTR ? -1 : -2; // as the standard has it
}

PUBLIC void thrd_yield(void)
{
    (void)sched_yield();
}

// ---- mutexes ----

PUBLIC int mtx_lock(mtx_t *mutex)
{
    return shim_on() ? status_of(pthread_mutex_lock((pthread_mutex_t *)mutex))
                     : NEXT(mtx_lock)(mutex);
}

PUBLIC int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict t)
{
    return shim_on() ? status_of(pthread_mutex_timedlock((pthread_mutex_t *)mutex, t))
                     : NEXT(mtx_timedlock)(mutex, t);
}

PUBLIC int mtx_unlock(mtx_t *mutex)
{
    return shim_on() ? status_of(pthread_mutex_unlock((pthread_mutex_t *)mutex))
                     : NEXT(mtx_unlock)(mutex);
}

// ---- conditions ----

PUBLIC int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    if (!shim_on())
        return NEXT(cnd_wait)(condition, mutex);
    return status_of(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

PUBLIC int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
                         const struct timespec *restrict t)
{
    if (!shim_on())
        return NEXT(cnd_timedwait)(condition, mutex, t);
    return status_of(pthread_cond_clockwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex,
                                            CLOCK_REALTIME, t));
}

PUBLIC int cnd_signal(cnd_t *condition)
{
    return status_of(pthread_cond_signal((pthread_cond_t *)condition));
}

PUBLIC int cnd_broadcast(cnd_t *condition)
{
    return status_of(pthread_cond_broadcast((pthread_cond_t *)condition));
}

// ---- once ----

PUBLIC void call_once(once_flag *flag, void (*function)(void))
{
    (void)pthread_once((pthread_once_t *)flag, function);
}
