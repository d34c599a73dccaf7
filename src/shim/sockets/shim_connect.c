// Connections: their ports, their making and their options.
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "shim/shim.h"

#define PORT_MIN 32768 // where Linux begins, too
#define PORT_MAX 60999
#define PORT_TRIES 1000

// Data shall not wait in the kernel for its own timers (Nagle's algorithm).
PUBLIC int socket(int family, int type, int protocol)
{
    if (family == AF_CAN && shim_on())
        return shim_can_socket(type, protocol);
    const int descriptor = (int)KERNEL(SYS_socket, family, type, protocol);
    const int on = 1;
    if (descriptor >= 0 && shim_on() && (family == AF_INET || family == AF_INET6) &&
        (type & 0xf) == SOCK_STREAM)
        (void)KERNEL(SYS_setsockopt, descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return descriptor;
}

// The kernel draws the ports of those who do not care; here they are counted.
static unsigned next_port(void)
{
    return PORT_MIN + shim.cell->ports++ % (PORT_MAX - PORT_MIN + 1);
}

// Whether the address is one of the Internet, and where its port stands.
static in_port_t *port_in(struct sockaddr_storage *address)
{
    if (address->ss_family == AF_INET)
        return &((struct sockaddr_in *)address)->sin_port;
    if (address->ss_family == AF_INET6)
        return &((struct sockaddr_in6 *)address)->sin6_port;
    return NULL;
}

// Binds to a port of ours in place of 0. Other errors than a port in use are the caller's.
static int bind_counted(int descriptor, struct sockaddr_storage *address, socklen_t length)
{
    int result = -1;
    for (unsigned tries = 0; tries < PORT_TRIES; tries++) {
        *port_in(address) = htons((in_port_t)next_port());
        result = (int)KERNEL(SYS_bind, descriptor, address, length);
        if (result == 0 || errno != EADDRINUSE)
            break;
    }
    return result;
}

void shim_name(int descriptor, const struct sockaddr *to)
{
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    const int error = errno;
    if (to == NULL || (to->sa_family != AF_INET && to->sa_family != AF_INET6))
        return;
    if (KERNEL(SYS_getsockname, descriptor, &own, &length) == 0 && port_in(&own) != NULL &&
        *port_in(&own) == 0)
        (void)bind_counted(descriptor, &own, length);
    errno = error;
}

PUBLIC int bind(int descriptor, const struct sockaddr *address, socklen_t length)
{
    struct sockaddr_storage own = {0};
    int result;
    if (shim_on() && shim_can_bind(descriptor, address, length, &result))
        return result;
    if (!shim_on() || length > sizeof own || length < sizeof(sa_family_t))
        return (int)KERNEL(SYS_bind, descriptor, address, length);
    memcpy(&own, address, length);
    if (port_in(&own) != NULL && *port_in(&own) == 0)
        return bind_counted(descriptor, &own, length);
    return (int)KERNEL(SYS_bind, descriptor, address, length);
}

PUBLIC int connect(int descriptor, const struct sockaddr *address, socklen_t length)
{
    if (shim_is_struck() && shim_struck_connect(descriptor, address, length))
        return -1;
    if (shim_on())
        shim_name(descriptor, address);
    if (!shim_on() || !shim_is_blocking(descriptor)) {
        const int result = (int)KERNEL(SYS_connect, descriptor, address, length);
        if (shim_on() && (result == 0 || errno == EINPROGRESS))
            shim_record(IO_CONNECT, descriptor, NULL, 0);
        return result;
    }
    int64_t deadline_ns = shim_socket_deadline(descriptor, SO_SNDTIMEO);
    const long flags = KERNEL(SYS_fcntl, descriptor, F_GETFL);
    KERNEL(SYS_fcntl, descriptor, F_SETFL, flags | O_NONBLOCK);
    int result = (int)KERNEL(SYS_connect, descriptor, address, length);
    while (result != 0 && errno == EAGAIN) { // a UNIX socket whose queue is full
        struct shim_wait wait = shim_wait_io(deadline_ns);
        shim.cell->writers++;
        const enum shim_woken woken = shim_block(&wait);
        shim.cell->writers--;
        result = (int)KERNEL(SYS_connect, descriptor, address, length);
        if (woken != SHIM_WOKEN)
            break;
    }
    KERNEL(SYS_fcntl, descriptor, F_SETFL, flags);
    if (result != 0 && errno != EINPROGRESS)
        return -1;
    shim_record(IO_CONNECT, descriptor, NULL, 0);
    if (result == 0)
        return 0;
    int error = 0;
    socklen_t size_B = sizeof error;
    if (shim_await(descriptor, POLLOUT, deadline_ns) != 0)
        return -1;
    KERNEL(SYS_getsockopt, descriptor, SOL_SOCKET, SO_ERROR, &error, &size_B);
    errno = error;
    return error == 0 ? 0 : -1;
}

PUBLIC int shutdown(int descriptor, int how)
{
    const int result = (int)KERNEL(SYS_shutdown, descriptor, how);
    if (result == 0 && shim_on())
        shim_record(IO_SHUTDOWN, descriptor, NULL, 0);
    return result;
}

PUBLIC int setsockopt(int descriptor, int level, int option, const void *value, socklen_t size_B)
{
    const bool stamps = option == SO_TIMESTAMP || option == SO_TIMESTAMPNS ||
                        option == SO_TIMESTAMPING || option == SO_TIMESTAMP_NEW ||
                        option == SO_TIMESTAMPNS_NEW || option == SO_TIMESTAMPING_NEW;
    if (shim_on() && level == SOL_SOCKET && stamps)
        return shim_stamp_option(descriptor, option, value, size_B);
    int result;
    if (shim_on() && shim_can_option(descriptor, level, option, value, size_B, &result))
        return result;
    return (int)KERNEL(SYS_setsockopt, descriptor, level, option, value, size_B);
}
