// Sockets of CAN (AF_CAN, SOCK_RAW, CAN_RAW) in virtual time: ports of the cell's embedded buses.
//
// What the program has is one end of a pair of sockets, so that it can be read, polled and copied
// as any descriptor. What it sends goes straight to the bus, with the time; what has come on the
// bus by the present is put into the other end whenever a wait is over. Where the kernel has
// SocketCAN makes no difference.
#include <fcntl.h>
#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "can/can.h"
#include "shim/shim.h"

#define SOCKETS_MAX 16
#define BUSES_MAX 8
#define FIRST_INDEX 100       // of an interface; the cell's own are below
#define STEP_NS SHIM_SLACK_NS // nobody is told of a frame more precisely
#define COPIES_MAX 64         // frames sent by copies of a descriptor, at a time
#define INNER_FLAGS (SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC)

// Of this process. The turn keeps its threads apart.
static struct can_socket {
    bool used;
    int descriptor; // the program's end; -1: it has closed it, but perhaps not all copies
    int inner;
    ino_t end, inner_end;  // of both: a program that closes all may open others in their place
    unsigned bus, number;  // of its buses and of its nodes there, once it is bound
    struct can_port *port; // NULL: it is not bound
    bool fd_frames;
    bool filters_set;
    unsigned filter_count;
    uint32_t error_mask;
    struct can_filter filter[CAN_FILTERS_MAX];
    bool has_held; // `held` has come, and found no room
    struct can_stamped held;
} sockets[SOCKETS_MAX];

static unsigned used; // of the table
static char buses[BUSES_MAX][IFNAMSIZ];

static ino_t inode_of(int descriptor)
{
    struct stat file;
    return KERNEL(SYS_fstat, descriptor, &file) == 0 ? file.st_ino : 0;
}

static struct can_socket *socket_of(int descriptor)
{
    for (unsigned i = 0; i < used; i++)
        if (sockets[i].used && sockets[i].descriptor == descriptor && descriptor >= 0) {
            if (inode_of(descriptor) == sockets[i].end)
                return &sockets[i];
            sockets[i].descriptor = -1;
        }
    return NULL;
}

// ---- interfaces ---------------------------------------------------------------------------------

static bool bus_exists(const char *name)
{
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/buses/%s", getenv("UKEMI_CELL"), name);
    return length > 0 && (size_t)length < sizeof path && name[0] != '.' &&
           strchr(name, '/') == NULL && KERNEL(SYS_access, path, F_OK) == 0;
}

// The index of the interface that a bus of the cell seems to be; 0: none is called so.
static unsigned index_of(const char *name)
{
    char own[IFNAMSIZ] = "";
    const int error = errno;
    memcpy(own, name, strnlen(name, IFNAMSIZ - 1));
    const bool exists = bus_exists(own);
    errno = error;
    for (unsigned i = 0; exists && i < BUSES_MAX; i++) {
        if (buses[i][0] == '\0')
            memcpy(buses[i], own, sizeof own);
        if (strcmp(buses[i], own) == 0)
            return FIRST_INDEX + i;
    }
    return 0;
}

PUBLIC unsigned if_nametoindex(const char *name)
{
    const unsigned index = shim_on() ? index_of(name) : 0;
    return index != 0 ? index : NEXT(if_nametoindex)(name);
}

static const char *name_of(int index)
{
    const unsigned i = (unsigned)index - FIRST_INDEX;
    return i < BUSES_MAX && buses[i][0] != '\0' ? buses[i] : NULL;
}

PUBLIC char *if_indextoname(unsigned index, char name[IFNAMSIZ])
{
    const char *found = shim_on() ? name_of((int)index) : NULL;
    return found != NULL ? memcpy(name, found, IFNAMSIZ) : NEXT(if_indextoname)(index, name);
}

// What is asked about an interface that is a bus. False: another one.
static bool answer_interface(unsigned long request, struct ifreq *asked)
{
    if (request == SIOCGIFNAME) {
        const char *name = name_of(asked->ifr_ifindex);
        if (name != NULL)
            memcpy(asked->ifr_name, name, IFNAMSIZ);
        return name != NULL;
    }
    const unsigned index =
        request == SIOCGIFINDEX || request == SIOCGIFMTU ? index_of(asked->ifr_name) : 0;
    if (index == 0)
        return false;
    if (request == SIOCGIFINDEX)
        asked->ifr_ifindex = (int)index;
    else
        asked->ifr_mtu = CANFD_MTU;
    return true;
}

PUBLIC int ioctl(int descriptor, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (shim_on() && answer_interface(request, argument))
        return 0;
    if (shim_on() && shim_is_stamp_request(request)) { // as on a socket that has received nothing
        errno = ENOENT;
        return -1;
    }
    return (int)KERNEL(SYS_ioctl, descriptor, request, argument);
}

// ---- making -------------------------------------------------------------------------------------

int shim_can_socket(int type, int protocol)
{
    int ends[2];
    unsigned i = 0;
    while (i < SOCKETS_MAX && sockets[i].used)
        i++;
    if ((type & 0xf) != SOCK_RAW || protocol != CAN_RAW || i == SOCKETS_MAX) {
        errno = i == SOCKETS_MAX ? EMFILE : EPROTONOSUPPORT;
        return -1;
    }
    if (KERNEL(SYS_socketpair, AF_UNIX, INNER_FLAGS, 0, ends) != 0)
        return -1;
    if (!(type & SOCK_NONBLOCK))
        KERNEL(SYS_fcntl, ends[0], F_SETFL, 0);
    if (!(type & SOCK_CLOEXEC))
        KERNEL(SYS_fcntl, ends[0], F_SETFD, 0);
    sockets[i] = (struct can_socket){.used = true,
                                     .descriptor = ends[0],
                                     .inner = ends[1],
                                     .end = inode_of(ends[0]),
                                     .inner_end = inode_of(ends[1])};
    used = i < used ? used : i + 1;
    return ends[0];
}

static void attend_copies(struct can_socket *socket);

// Those of which no descriptor is left give their nodes back.
static void bury(void)
{
    for (unsigned i = 0; i < used; i++)
        if (sockets[i].used && sockets[i].descriptor < 0)
            attend_copies(&sockets[i]);
}

static bool has_node(unsigned bus, unsigned number)
{
    for (unsigned i = 0; i < used; i++)
        if (sockets[i].used && sockets[i].port != NULL && sockets[i].bus == bus &&
            sockets[i].number == number)
            return true;
    return false;
}

static bool listen_as_asked(const struct can_socket *socket)
{
    static const struct can_filter all = {0};
    return socket->port == NULL ||
           can_listen(socket->port, socket->filters_set ? socket->filter : &all,
                      socket->filters_set ? socket->filter_count : 1,
                      socket->error_mask) == STATUS_OK;
}

static int bind_to(struct can_socket *socket, const struct sockaddr_can *address)
{
    const char *name = name_of(address->can_ifindex);
    if (name == NULL || socket->port != NULL) {
        errno = name == NULL ? ENODEV : EINVAL;
        return -1;
    }
    bury();
    socket->bus = (unsigned)address->can_ifindex - FIRST_INDEX;
    socket->number = 0;
    while (has_node(socket->bus, socket->number))
        socket->number++;
    const enum status status = can_open_as(shim.name, socket->number, name, &socket->port);
    if (status == STATUS_OK && listen_as_asked(socket))
        return 0;
    can_close(socket->port);
    socket->port = NULL;
    errno = status == STATUS_FULL ? EADDRINUSE : ENODEV;
    return -1;
}

bool shim_can_bind(int descriptor, const struct sockaddr *address, socklen_t length, int *result)
{
    struct can_socket *socket = socket_of(descriptor);
    struct sockaddr_can own = {0};
    if (socket == NULL)
        return false;
    memcpy(&own, address, length < sizeof own ? length : sizeof own);
    errno = EINVAL;
    *result = own.can_family == AF_CAN ? bind_to(socket, &own) : -1;
    return true;
}

// ---- options ------------------------------------------------------------------------------------

static bool set_filters(struct can_socket *socket, const void *value, socklen_t size_B)
{
    if (size_B % sizeof(struct can_filter) != 0 || size_B > sizeof socket->filter)
        return false;
    socket->filters_set = true;
    socket->filter_count = size_B / sizeof(struct can_filter);
    if (size_B > 0)
        memcpy(socket->filter, value, size_B);
    return true;
}

// False: refused.
static bool set_option(struct can_socket *socket, int option, const void *value, socklen_t size_B)
{
    int number = 0;
    if (option == CAN_RAW_FILTER)
        return set_filters(socket, value, size_B);
    if (size_B != sizeof number)
        return false;
    memcpy(&number, value, sizeof number);
    if (option == CAN_RAW_ERR_FILTER)
        socket->error_mask = (uint32_t)number & CAN_ERR_MASK;
    else if (option == CAN_RAW_FD_FRAMES)
        socket->fd_frames = number != 0;
    else // others of the host hear what it sends, and itself does not
        return (option == CAN_RAW_LOOPBACK && number == 1) ||
               (option == CAN_RAW_RECV_OWN_MSGS && number == 0);
    return true;
}

bool shim_can_option(int descriptor, int level, int option, const void *value, socklen_t size_B,
                     int *result)
{
    struct can_socket *socket = level == SOL_CAN_RAW ? socket_of(descriptor) : NULL;
    if (socket == NULL)
        return false;
    *result = set_option(socket, option, value, size_B) && listen_as_asked(socket) ? 0 : -1;
    if (*result != 0)
        errno = ENOPROTOOPT;
    return true;
}

// ---- frames -------------------------------------------------------------------------------------

static bool hand_over(const struct can_socket *socket, const struct canfd_frame *frame,
                      size_t size_B)
{
    const bool fd = size_B == CANFD_MTU && socket->fd_frames;
    if ((!fd && size_B != CAN_MTU) || frame->len > (fd ? CANFD_MAX_DLEN : CAN_MAX_DLEN)) {
        errno = EINVAL;
        return false;
    }
    if (socket->port == NULL) {
        errno = ENXIO;
        return false;
    }
    const instant now = instant_ns(shim_now_ns());
    struct can_frame classical;
    memcpy(&classical, frame, sizeof classical);
    const enum status status =
        fd ? can_send_fd(socket->port, frame, now) : can_send(socket->port, &classical, now);
    errno = status == STATUS_FULL ? ENOBUFS : ENETDOWN;
    return status == STATUS_OK;
}

bool shim_can_send(int descriptor, const struct iovec *part, size_t count, ssize_t *sent)
{
    const struct can_socket *socket = socket_of(descriptor);
    struct canfd_frame frame = {0};
    size_t size_B = 0;
    if (socket == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const size_t room_B = size_B < sizeof frame ? sizeof frame - size_B : 0;
        const size_t own_B = part[i].iov_len < room_B ? part[i].iov_len : room_B;
        memcpy((char *)&frame + size_B, part[i].iov_base, own_B);
        size_B += part[i].iov_len;
    }
    *sent = hand_over(socket, &frame, size_B) ? (ssize_t)size_B : -1;
    if (*sent > 0)
        shim_record(IO_SEND, descriptor, &frame, size_B);
    else
        shim_look(); // who tries again and again sees time pass
    return true;
}

// False: there is no room.
static bool deliver(const struct can_socket *socket)
{
    const bool fd = (socket->held.fd.flags & CANFD_FDF) != 0;
    struct canfd_frame frame = socket->held.fd;
    if (fd && !socket->fd_frames)
        return true;
    if (!fd)
        frame.flags = frame.__res0 = frame.__res1 = 0;
    return KERNEL(SYS_write, socket->inner, &frame, fd ? CANFD_MTU : CAN_MTU) >= 0;
}

static void take_in(struct can_socket *socket)
{
    while (socket->has_held || can_receive(socket->port, &socket->held) == STATUS_OK) {
        socket->has_held = !deliver(socket);
        shim_nudge();
        if (socket->has_held)
            return;
    }
}

static bool has_inner(const struct can_socket *socket)
{
    return inode_of(socket->inner) == socket->inner_end;
}

static void end(struct can_socket *socket)
{
    if (has_inner(socket))
        KERNEL(SYS_close, socket->inner);
    can_close(socket->port);
    socket->used = false;
}

// Copies of the descriptor, which children may have, send by the pair. Nobody has one: it ends.
static void attend_copies(struct can_socket *socket)
{
    struct canfd_frame frame = {0};
    if (!has_inner(socket))
        end(socket);
    for (unsigned i = 0; socket->used && i < COPIES_MAX; i++) {
        const ssize_t got = KERNEL(SYS_read, socket->inner, &frame, sizeof frame);
        if (got > 0)
            (void)hand_over(socket, &frame, (size_t)got);
        else if (got == 0)
            end(socket);
        if (got <= 0)
            return;
    }
}

int64_t shim_can_pass(void)
{
    bool any = false;
    const int error = errno;
    for (unsigned i = 0; i < used; i++) {
        if (sockets[i].used)
            attend_copies(&sockets[i]);
        if (!sockets[i].used || sockets[i].port == NULL)
            continue;
        take_in(&sockets[i]);
        any = true;
    }
    errno = error;
    return any ? shim_now_ns() + STEP_NS : SHIM_NEVER;
}

// ---- ends ---------------------------------------------------------------------------------------

void shim_can_closed(int descriptor)
{
    struct can_socket *socket = socket_of(descriptor);
    if (socket != NULL)
        socket->descriptor = -1;
}

// The parent goes on feeding what both have.
void shim_can_forget(void)
{
    for (unsigned i = 0; i < used; i++)
        if (sockets[i].used && has_inner(&sockets[i]))
            KERNEL(SYS_close, sockets[i].inner);
    used = 0;
    memset(sockets, 0, sizeof sockets);
}
