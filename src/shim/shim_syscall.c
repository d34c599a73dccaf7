// syscall(): what programs and language runtimes ask of the kernel past the C library's functions.
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "shim/shim.h"

// ---- futex ----

static int64_t futex_deadline_ns(int operation, const struct timespec *t)
{
    if (t == NULL || (operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        return shim_after(t);
    return shim_until(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, t);
}

static long futex_wait_as_task(const uint32_t *word, int operation, uint32_t value,
                               const struct timespec *t)
{
    const int64_t deadline_ns = futex_deadline_ns(operation, t);
    while (*(const volatile uint32_t *)word == value) {
        const struct shim_wait wait = shim_wait_object(word, deadline_ns);
        const enum shim_woken woken = shim_block(&wait);
        if (shim_was_woken())
            return 0;
        if (woken == SHIM_WOKEN)
            continue;
        errno = woken == SHIM_DEADLINE ? ETIMEDOUT : EINTR;
        return -1;
    }
    errno = EAGAIN;
    return -1;
}

// Also those of the C library's own that sleep in the kernel.
static long futex_wake_tasks(const uint32_t *word, int operation, uint32_t n)
{
    const unsigned woken = shim_wake(word, n);
    return woken + KERNEL(SYS_futex, word, operation, n);
}

static long futex(const long argument[6])
{
    const uint32_t *word = (const uint32_t *)argument[0];
    const int operation = (int)argument[1], command = operation & FUTEX_CMD_MASK;
    if (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET)
        return futex_wait_as_task(word, operation, (uint32_t)argument[2],
                                  (const struct timespec *)argument[3]);
    if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET)
        return futex_wake_tasks(word, operation, (uint32_t)argument[2]);
    shim_leak("futex operation %d", command);
    return shim_kernel(SYS_futex, argument[0], argument[1], argument[2], argument[3], argument[4],
                       argument[5]);
}

// ---- the rest ----

// Calls that read real time or may block, and are the C library's functions by another name.
static bool answer(long number, const long a[6], long *result)
{
    switch (number) {
    case SYS_futex:
        *result = futex(a);
        return true;
    case SYS_clock_gettime:
        *result = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
        return true;
    case SYS_gettimeofday:
        *result = gettimeofday((struct timeval *)a[0], (void *)a[1]);
        return true;
    case SYS_time:
        *result = time((time_t *)a[0]);
        return true;
    case SYS_nanosleep:
        *result = nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
        return true;
    case SYS_clock_nanosleep:
        errno = clock_nanosleep((clockid_t)a[0], (int)a[1], (const struct timespec *)a[2],
                                (struct timespec *)a[3]);
        *result = errno == 0 ? 0 : -1;
        return true;
    case SYS_getrandom:
        *result = getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
        return true;
    case SYS_poll:
        *result = poll((struct pollfd *)a[0], (nfds_t)a[1], (int)a[2]);
        return true;
    case SYS_select:
        *result = select((int)a[0], (fd_set *)a[1], (fd_set *)a[2], (fd_set *)a[3],
                         (struct timeval *)a[4]);
        return true;
    case SYS_epoll_wait:
        *result = epoll_wait((int)a[0], (struct epoll_event *)a[1], (int)a[2], (int)a[3]);
        return true;
    case SYS_read:
        *result = read((int)a[0], (void *)a[1], (size_t)a[2]);
        return true;
    case SYS_write:
        *result = write((int)a[0], (const void *)a[1], (size_t)a[2]);
        return true;
    default:
        return false;
    }
}

static bool may_block(long number)
{
    static const long calls[] = {
        SYS_ppoll,       SYS_pselect6, SYS_epoll_pwait, SYS_epoll_pwait2,    SYS_recvfrom,
        SYS_recvmsg,     SYS_sendto,   SYS_sendmsg,     SYS_accept,          SYS_accept4,
        SYS_connect,     SYS_wait4,    SYS_waitid,      SYS_rt_sigtimedwait, SYS_clone,
        SYS_fork,        SYS_vfork,    SYS_clone3,      SYS_rt_sigreturn,    SYS_timerfd_create,
        SYS_timer_create};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (calls[i] == number)
            return true;
    return false;
}

long shim_answer(long number, const long a[6], const char *way)
{
    long result;
    if (shim.clk != NULL && shim_self >= 0) {
        if (answer(number, a, &result))
            return result;
        if (may_block(number))
            shim_leak("system call %ld by way of %s", number, way);
    }
    return shim_kernel(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

PUBLIC long syscall(long number, ...)
{
    va_list arguments;
    long a[6];
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(arguments, long);
    va_end(arguments);
    return shim_answer(number, a, "syscall()");
}
