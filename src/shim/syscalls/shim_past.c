// Functions of the C library that make threads or wait past us, and that nobody has missed so far:
// they are seen, and end the trial.
#include <aio.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <pty.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>

#include "shim/shim.h"

#define SEEN(result, name, parameters, ...)                                                        \
    PUBLIC result name parameters                                                                  \
    {                                                                                              \
        if (shim_on())                                                                             \
            shim_leak(#name "(), past the lab's sight");                                           \
        return NEXT(name)(__VA_ARGS__);                                                            \
    }

// Each has threads of the C library's own.
SEEN(int, aio_read, (struct aiocb * request), request)
SEEN(int, aio_write, (struct aiocb * request), request)
SEEN(int, aio_fsync, (int operation, struct aiocb *request), operation, request)
SEEN(int, aio_read64, (struct aiocb64 * request), request)
SEEN(int, aio_write64, (struct aiocb64 * request), request)
SEEN(int, aio_fsync64, (int operation, struct aiocb64 *request), operation, request)
SEEN(int, lio_listio,
     (int mode, struct aiocb *const requests[restrict], int count, struct sigevent *restrict event),
     mode, requests, count, event)
SEEN(int, lio_listio64,
     (int mode, struct aiocb64 *const requests[restrict], int count,
      struct sigevent *restrict event),
     mode, requests, count, event)
SEEN(int, getaddrinfo_a,
     (int mode, struct gaicb *requests[restrict], int count, struct sigevent *restrict event), mode,
     requests, count, event)

// Wait in the kernel for a pipe.
SEEN(ssize_t, splice,
     (int from, off64_t *from_at, int to, off64_t *to_at, size_t size_B, unsigned flags), from,
     from_at, to, to_at, size_B, flags)
SEEN(ssize_t, tee, (int from, int to, size_t size_B, unsigned flags), from, to, size_B, flags)
SEEN(ssize_t, vmsplice, (int to, const struct iovec *parts, size_t count, unsigned flags), to,
     parts, count, flags)

// In a thread of the C library's own, or at once: a signal.
PUBLIC int mq_notify(mqd_t queue, const struct sigevent *event)
{
    if (shim_on() && event != NULL && event->sigev_notify == SIGEV_THREAD)
        shim_leak("mq_notify(SIGEV_THREAD), past the lab's sight");
    return NEXT(mq_notify)(queue, event);
}

// A cell has no terminals.
#define NO_TERMINAL(name, parameters, ...)                                                         \
    PUBLIC int name parameters                                                                     \
    {                                                                                              \
        if (shim_on())                                                                             \
            shim_leak(#name "(): a cell has no pseudo-terminals");                                 \
        return NEXT(name)(__VA_ARGS__);                                                            \
    }

NO_TERMINAL(posix_openpt, (int flags), flags)
NO_TERMINAL(getpt, (void))
NO_TERMINAL(openpty,
            (int *master, int *slave, char *name, const struct termios *how,
             const struct winsize *size),
            master, slave, name, how, size)
NO_TERMINAL(forkpty,
            (int *master, char *name, const struct termios *how, const struct winsize *size),
            master, name, how, size)

PUBLIC int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    va_list rest;
    va_start(rest, argument);
    pid_t *const parent = va_arg(rest, pid_t *);
    void *const registers = va_arg(rest, void *);
    pid_t *const child = va_arg(rest, pid_t *);
    va_end(rest);
    if (shim_on())
        shim_leak("clone(), past the lab's sight");
    return NEXT(clone)(function, stack, flags, argument, parent, registers, child);
}
