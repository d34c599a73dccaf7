// What comes with a frame beside its bytes: when, by which interface, and whether it is one's own.
#include <linux/net_tstamp.h>
#include <string.h>

#include "shim/sockets/shim_can_private.h"

bool shim_can_stamps(int descriptor, int option, const void *value, socklen_t size_B, int *result)
{
    struct can_socket *socket = shim_can_of(descriptor);
    int wanted = 0;
    if (socket == NULL)
        return false;
    if (value != NULL && size_B >= sizeof wanted)
        memcpy(&wanted, value, sizeof wanted);
    socket->stamps = wanted != 0 ? option : 0;
    socket->stamp_flags = wanted;
    *result = 0;
    return true;
}

static struct timespec stamp_of(const struct can_beside *beside)
{
    return shim_timespec(shim_base_ns(CLOCK_REALTIME) + clk_local_ns(shim.clk, beside->time_ns));
}

static void append_stamp(const struct can_socket *socket, struct msghdr *message, size_t room_B)
{
    const struct timespec t = stamp_of(&socket->last);
    const struct timeval coarse = {t.tv_sec, t.tv_nsec / 1000};
    struct timespec three[3] = {0}; // in software, unused, by hardware
    const int option = socket->stamps;
    if (option == SO_TIMESTAMP || option == SO_TIMESTAMP_NEW)
        shim_stamp_append(message, room_B, option, &coarse, sizeof coarse);
    if (option == SO_TIMESTAMPNS || option == SO_TIMESTAMPNS_NEW)
        shim_stamp_append(message, room_B, option, &t, sizeof t);
    if ((option != SO_TIMESTAMPING && option != SO_TIMESTAMPING_NEW) ||
        !(socket->stamp_flags & SOF_TIMESTAMPING_SOFTWARE))
        return;
    three[0] = t;
    shim_stamp_append(message, room_B, option, three, sizeof three);
}

static socklen_t tell_address(const struct can_socket *socket, void *address, socklen_t room_B)
{
    const struct sockaddr_can from = {.can_family = AF_CAN,
                                      .can_ifindex = (int)(FIRST_INDEX + socket->last.bus)};
    memcpy(address, &from, room_B < sizeof from ? room_B : sizeof from);
    return sizeof from;
}

// False: another kind of socket.
static struct can_socket *take_beside(int descriptor, int flags)
{
    struct can_socket *socket = shim_can_of(descriptor);
    if (socket == NULL || socket->taken == socket->given)
        return NULL;
    socket->last = socket->beside[socket->taken % BESIDE_MAX];
    if (!(flags & MSG_PEEK))
        socket->taken++;
    return socket;
}

void shim_can_received(int descriptor, struct msghdr *message, const struct msghdr *asked,
                       int flags)
{
    const struct can_socket *socket = take_beside(descriptor, flags);
    if (socket == NULL)
        return;
    if (asked->msg_name != NULL)
        message->msg_namelen = tell_address(socket, asked->msg_name, asked->msg_namelen);
    if (socket->last.own) // sent from this machine, and by this socket
        message->msg_flags |= MSG_DONTROUTE | MSG_CONFIRM;
    message->msg_controllen = 0;
    append_stamp(socket, message, asked->msg_control == NULL ? 0 : asked->msg_controllen);
}

void shim_can_received_from(int descriptor, struct sockaddr *address, socklen_t *length,
                            socklen_t room_B, int flags)
{
    const struct can_socket *socket = take_beside(descriptor, flags);
    if (socket != NULL && address != NULL && length != NULL)
        *length = tell_address(socket, address, room_B);
}

bool shim_can_stamp_of_last(int descriptor, struct timespec *stamp)
{
    const struct can_socket *socket = shim_can_of(descriptor);
    if (socket == NULL || socket->taken == 0)
        return false;
    *stamp = stamp_of(&socket->last);
    return true;
}

PUBLIC int getsockname(int descriptor, struct sockaddr *restrict address,
                       socklen_t *restrict length)
{
    const struct can_socket *socket = shim_on() ? shim_can_of(descriptor) : NULL;
    if (socket == NULL)
        return (int)KERNEL(SYS_getsockname, descriptor, address, length);
    const struct sockaddr_can own = {.can_family = AF_CAN, .can_ifindex = socket->index};
    memcpy(address, &own, *length < sizeof own ? *length : sizeof own);
    *length = sizeof own;
    return 0;
}
