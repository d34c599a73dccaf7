// Message queues of POSIX: asked without blocking; whoever sends or receives wakes those who wait.
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>

#include "shim/shim.h"

// The kernel looks at the deadline only if it would block.
static const struct timespec past;

// After a call with a past deadline: whether to ask again. False: with errno.
static bool await_queue(mqd_t queue, short events, int64_t deadline_ns)
{
    if (errno != ETIMEDOUT)
        return false;
    if (shim_await(queue, events, deadline_ns) == 0)
        return true;
    errno = errno == EAGAIN ? ETIMEDOUT : errno;
    return false;
}

static ssize_t receive(mqd_t queue, char *bytes, size_t size_B, unsigned *priority,
                       const struct timespec *t)
{
    if (!shim_on())
        return KERNEL(SYS_mq_timedreceive, queue, bytes, size_B, priority, t);
    const int64_t deadline_ns = shim_until(CLOCK_REALTIME, t);
    for (;;) { // until there is a message, or the deadline
        const ssize_t got = KERNEL(SYS_mq_timedreceive, queue, bytes, size_B, priority, &past);
        if (got >= 0)
            shim_record(IO_ROOM, queue, NULL, 0);
        if (got >= 0 || !await_queue(queue, POLLIN, deadline_ns))
            return got;
    }
}

static int transmit(mqd_t queue, const char *bytes, size_t size_B, unsigned priority,
                    const struct timespec *t)
{
    if (!shim_on())
        return (int)KERNEL(SYS_mq_timedsend, queue, bytes, size_B, priority, t);
    const int64_t deadline_ns = shim_until(CLOCK_REALTIME, t);
    for (;;) { // until there is room, or the deadline
        const int sent = (int)KERNEL(SYS_mq_timedsend, queue, bytes, size_B, priority, &past);
        if (sent == 0)
            shim_record(IO_WRITE, queue, bytes, size_B);
        if (sent == 0 || !await_queue(queue, POLLOUT, deadline_ns))
            return sent;
    }
}

PUBLIC ssize_t mq_timedreceive(mqd_t queue, char *restrict bytes, size_t size_B,
                               unsigned *restrict priority, const struct timespec *restrict t)
{
    return receive(queue, bytes, size_B, priority, t);
}

PUBLIC ssize_t mq_receive(mqd_t queue, char *bytes, size_t size_B, unsigned *priority)
{
    return receive(queue, bytes, size_B, priority, NULL);
}

PUBLIC int mq_timedsend(mqd_t queue, const char *bytes, size_t size_B, unsigned priority,
                        const struct timespec *t)
{
    return transmit(queue, bytes, size_B, priority, t);
}

PUBLIC int mq_send(mqd_t queue, const char *bytes, size_t size_B, unsigned priority)
{
    return transmit(queue, bytes, size_B, priority, NULL);
}
