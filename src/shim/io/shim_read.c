// Reads, receives and accepts that would block.
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim/shim.h"

void shim_room(int descriptor)
{
    if (shim.cell->writers > 0)
        shim_record(IO_ROOM, descriptor, NULL, 0);
    else
        shim_look();
}

// ---- sockets ----

// Nothing was there: waits as a blocking call does. False: with errno, what the call says.
static bool await_data(int descriptor, int flags, int64_t *deadline_ns)
{
    if ((flags & MSG_DONTWAIT) || !shim_is_blocking(descriptor)) {
        shim_look();
        shim_timers();
        errno = EAGAIN;
        return false;
    }
    if (*deadline_ns == 0)
        *deadline_ns = shim_socket_deadline(descriptor, SO_RCVTIMEO);
    return shim_await(descriptor, flags & MSG_ERRQUEUE ? POLLERR : POLLIN, *deadline_ns) == 0;
}

static ssize_t receive_once(int descriptor, struct msghdr *message, int flags, int64_t *deadline_ns)
{
    const struct msghdr asked = *message;
    for (;;) { // until something comes, or the deadline
        *message = asked;
        const ssize_t got =
            KERNEL(SYS_recvmsg, descriptor, message, (flags & ~MSG_WAITALL) | MSG_DONTWAIT);
        if (got >= 0 && asked.msg_controllen > 0 && shim.cell->stamping)
            shim_stamp_replace(descriptor, message, asked.msg_controllen, (size_t)got, flags);
        if (got >= 0)
            shim_can_received(descriptor, message, &asked, flags);
        if (got >= 0)
            shim_room(descriptor);
        if (got >= 0 || errno != EAGAIN || !await_data(descriptor, flags, deadline_ns))
            return got;
    }
}

PUBLIC ssize_t recvmsg(int descriptor, struct msghdr *message, int flags)
{
    int64_t deadline_ns = 0;
    if (!shim_on())
        return KERNEL(SYS_recvmsg, descriptor, message, flags);
    return receive_once(descriptor, message, flags, &deadline_ns);
}

// As much as is wanted, if that is what the caller said.
static ssize_t receive_all(int descriptor, void *bytes, size_t size_B, int flags, ssize_t done,
                           int64_t *deadline_ns)
{
    while ((size_t)done < size_B) {
        struct iovec part = {(char *)bytes + done, size_B - (size_t)done};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
        const ssize_t got = receive_once(descriptor, &message, flags, deadline_ns);
        if (got <= 0)
            return done;
        done += got;
    }
    return done;
}

PUBLIC ssize_t recvfrom(int descriptor, void *restrict bytes, size_t size_B, int flags,
                        struct sockaddr *restrict address, socklen_t *restrict length)
{
    if (!shim_on())
        return KERNEL(SYS_recvfrom, descriptor, bytes, size_B, flags, address, length);
    const socklen_t asked = length != NULL ? *length : 0;
    int64_t deadline_ns = 0;
    for (;;) { // until something comes, or the deadline
        if (length != NULL)
            *length = asked;
        const ssize_t got = KERNEL(SYS_recvfrom, descriptor, bytes, size_B,
                                   (flags & ~MSG_WAITALL) | MSG_DONTWAIT, address, length);
        if (got >= 0)
            shim_can_received_from(descriptor, address, length, asked, flags);
        if (got >= 0)
            shim_room(descriptor);
        if (got > 0 && (flags & MSG_WAITALL) && !(flags & (MSG_DONTWAIT | MSG_PEEK)))
            return receive_all(descriptor, bytes, size_B, flags, got, &deadline_ns);
        if (got >= 0 || errno != EAGAIN || !await_data(descriptor, flags, &deadline_ns))
            return got;
    }
}

PUBLIC ssize_t __recvfrom_chk(int descriptor, void *restrict bytes, size_t size_B, size_t room_B,
                              int flags, struct sockaddr *restrict address,
                              socklen_t *restrict length);
PUBLIC ssize_t __recvfrom_chk(int descriptor, void *restrict bytes, size_t size_B, size_t room_B,
                              int flags, struct sockaddr *restrict address,
                              socklen_t *restrict length)
{
    (void)room_B;
    return recvfrom(descriptor, bytes, size_B, flags, address, length);
}

PUBLIC ssize_t recv(int descriptor, void *bytes, size_t size_B, int flags)
{
    return recvfrom(descriptor, bytes, size_B, flags, NULL, NULL);
}

PUBLIC ssize_t __recv_chk(int descriptor, void *bytes, size_t size_B, size_t room_B, int flags);
PUBLIC ssize_t __recv_chk(int descriptor, void *bytes, size_t size_B, size_t room_B, int flags)
{
    (void)room_B;
    return recv(descriptor, bytes, size_B, flags);
}

// The time-out is looked at after each message only, as Linux does.
PUBLIC int recvmmsg(int descriptor, struct mmsghdr *messages, unsigned count, int flags,
                    struct timespec *t)
{
    if (!shim_on())
        return (int)KERNEL(SYS_recvmmsg, descriptor, messages, count, flags, t);
    const int64_t until_ns = shim_after(t);
    for (unsigned i = 0; i < count; i++) {
        int64_t deadline_ns = 0;
        const int more = i > 0 && (flags & MSG_WAITFORONE) ? MSG_DONTWAIT : 0;
        const ssize_t got = receive_once(descriptor, &messages[i].msg_hdr,
                                         (flags & ~MSG_WAITFORONE) | more, &deadline_ns);
        if (got < 0)
            return i > 0 ? (int)i : -1;
        messages[i].msg_len = (unsigned)got;
        if (shim_now_ns() >= until_ns)
            return (int)i + 1;
    }
    return (int)count;
}

PUBLIC int accept4(int descriptor, struct sockaddr *restrict address, socklen_t *restrict length,
                   int flags)
{
    if (!shim_on())
        return (int)KERNEL(SYS_accept4, descriptor, address, length, flags);
    if (shim_is_blocking(descriptor) &&
        shim_await(descriptor, POLLIN, shim_socket_deadline(descriptor, SO_RCVTIMEO)) != 0)
        return -1;
    const int got = (int)KERNEL(SYS_accept4, descriptor, address, length, flags);
    if (got >= 0)
        shim_room(descriptor);
    return got;
}

PUBLIC int accept(int descriptor, struct sockaddr *restrict address, socklen_t *restrict length)
{
    return accept4(descriptor, address, length, 0);
}

// ---- read ----

// Pipes, eventfd and the like. True: with a result.
static bool await_pipe(int descriptor)
{
    if (shim_is_file(descriptor))
        return true;
    if (shim_is_blocking(descriptor))
        return shim_await(descriptor, POLLIN, SHIM_NEVER) == 0;
    shim_look();
    shim_timers();
    return true;
}

PUBLIC ssize_t read(int descriptor, void *bytes, size_t size_B)
{
    if (!shim_on())
        return KERNEL(SYS_read, descriptor, bytes, size_B);
    if (shim_chance_file(descriptor)) {
        shim_chance_fill(bytes, size_B);
        return (ssize_t)size_B;
    }
    if (size_B > 0) {
        const ssize_t got = recv(descriptor, bytes, size_B, 0);
        if (got >= 0 || errno != ENOTSOCK)
            return got;
    }
    if (!await_pipe(descriptor))
        return -1;
    const ssize_t got = KERNEL(SYS_read, descriptor, bytes, size_B);
    if (got > 0 && shim.cell->writers > 0 && !shim_is_file(descriptor))
        shim_room(descriptor);
    return got;
}

PUBLIC ssize_t __read_chk(int descriptor, void *bytes, size_t size_B, size_t room_B);
PUBLIC ssize_t __read_chk(int descriptor, void *bytes, size_t size_B, size_t room_B)
{
    (void)room_B;
    return read(descriptor, bytes, size_B);
}

PUBLIC ssize_t readv(int descriptor, const struct iovec *parts, int count)
{
    if (!shim_on() || count < 1)
        return KERNEL(SYS_readv, descriptor, parts, count);
    struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)count};
    const ssize_t received = recvmsg(descriptor, &message, 0);
    if (received >= 0 || errno != ENOTSOCK)
        return received;
    if (!await_pipe(descriptor))
        return -1;
    const ssize_t got = KERNEL(SYS_readv, descriptor, parts, count);
    if (got > 0 && shim.cell->writers > 0 && !shim_is_file(descriptor))
        shim_room(descriptor);
    return got;
}
