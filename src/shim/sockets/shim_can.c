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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/sockets/shim_can_private.h"

#define SOCKETS_MAX 16
#define STEP_NS SHIM_SLACK_NS // nobody is told of a frame more precisely
#define COPIES_MAX 64         // frames sent by copies of a descriptor, at a time
#define INNER_FLAGS (SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC)

// Of this process. The turn keeps its threads apart.
static struct can_socket sockets[SOCKETS_MAX];

static unsigned used; // of the table

static ino_t inode_of(int descriptor)
{
    struct stat file;
    return KERNEL(SYS_fstat, descriptor, &file) == 0 ? file.st_ino : 0;
}

struct can_socket *shim_can_of(int descriptor)
{
    for (unsigned i = 0; i < used; i++)
        if (sockets[i].used && sockets[i].descriptor == descriptor && descriptor >= 0) {
            if (inode_of(descriptor) == sockets[i].end)
                return &sockets[i];
            sockets[i].descriptor = -1;
        }
    return NULL;
}

// ---- making -------------------------------------------------------------------------------------

int shim_can_socket(int type, int protocol)
{
    int ends[2];
    unsigned i = 0;
    while (i < SOCKETS_MAX && sockets[i].used)
        i++;
    if ((type & 0xf) != SOCK_RAW || protocol != CAN_RAW || i == SOCKETS_MAX) {
        if (protocol == CAN_BCM)
            shim_leak("a socket of CAN_BCM");
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

// Also one of another process of the participant's, if that is still alive.
static bool has_node(unsigned bus, unsigned number)
{
    const int owner = shim.page->can_node[bus][number];
    return owner != 0 && (owner == (int)KERNEL(SYS_getpid) || shim_is_child(owner));
}

// A socket that wants its own frames hears frames by a second node, and errors by its first.
static bool line_listens(const struct can_socket *socket, const struct can_line *line)
{
    static const struct can_filter all = {0};
    const bool hears = socket->wants_own == line->hears_own;
    const unsigned count = !hears ? 0 : socket->filters_set ? socket->filter_count : 1;
    return can_listen(line->port, socket->filters_set ? socket->filter : &all, count,
                      line->hears_own ? 0 : socket->error_mask) == STATUS_OK;
}

static bool listen_as_asked(const struct can_socket *socket)
{
    for (unsigned i = 0; i < socket->lines; i++)
        if (!line_listens(socket, &socket->line[i]))
            return false;
    return true;
}

// 0 or an error number.
static int add_line(struct can_socket *socket, unsigned bus, bool hears_own)
{
    struct can_line *line = &socket->line[socket->lines];
    if (socket->lines == LINES_MAX)
        return ENOBUFS;
    *line = (struct can_line){.bus = bus, .hears_own = hears_own};
    while (line->number < SHIM_CAN_NODES_MAX && has_node(bus, line->number))
        line->number++;
    if (line->number == SHIM_CAN_NODES_MAX)
        return EADDRINUSE;
    const enum status status =
        can_open_as(shim.name, line->number, shim_can_name((int)(FIRST_INDEX + bus)), &line->port);
    if (status != STATUS_OK)
        return status == STATUS_FULL ? EADDRINUSE : ENODEV;
    shim.page->can_node[bus][line->number] = (int)KERNEL(SYS_getpid);
    socket->lines++;
    return 0;
}

static void drop_lines(struct can_socket *socket, unsigned from)
{
    while (socket->lines > from) {
        const struct can_line *line = &socket->line[--socket->lines];
        shim.page->can_node[line->bus][line->number] = 0;
        can_close(line->port);
    }
}

static int add_lines(struct can_socket *socket, bool hears_own)
{
    const unsigned before = socket->lines;
    int error = 0;
    for (unsigned bus = 0; error == 0 && bus < BUSES_MAX; bus++)
        if (shim_can_name((int)(FIRST_INDEX + bus)) != NULL &&
            (socket->index == 0 || socket->index == (int)(FIRST_INDEX + bus)))
            error = add_line(socket, bus, hears_own);
    if (error == 0 && !listen_as_asked(socket))
        error = ENODEV;
    if (error != 0)
        drop_lines(socket, before);
    return error;
}

static int bind_to(struct can_socket *socket, const struct sockaddr_can *address)
{
    const bool all = address->can_ifindex == 0;
    (void)shim_can_index(""); // all are known then
    if (socket->bound || (!all && shim_can_name(address->can_ifindex) == NULL)) {
        errno = socket->bound ? EINVAL : ENODEV;
        return -1;
    }
    bury();
    socket->index = address->can_ifindex;
    int error = add_lines(socket, false);
    if (error == 0 && socket->wants_own)
        error = add_lines(socket, true);
    if (error != 0)
        drop_lines(socket, 0);
    socket->bound = error == 0;
    errno = error;
    return error == 0 ? 0 : -1;
}

bool shim_can_bind(int descriptor, const struct sockaddr *address, socklen_t length, int *result)
{
    struct can_socket *socket = shim_can_of(descriptor);
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

static bool set_own(struct can_socket *socket, bool wanted)
{
    const bool has_lines = socket->lines > 0 && socket->line[socket->lines - 1].hears_own;
    socket->wants_own = wanted;
    return !socket->bound || !wanted || has_lines || add_lines(socket, true) == 0;
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
    else if (option == CAN_RAW_RECV_OWN_MSGS)
        return set_own(socket, number != 0);
    else // others of the host hear what it sends
        return option == CAN_RAW_LOOPBACK && number == 1;
    return true;
}

bool shim_can_option(int descriptor, int level, int option, const void *value, socklen_t size_B,
                     int *result)
{
    struct can_socket *socket = level == SOL_CAN_RAW ? shim_can_of(descriptor) : NULL;
    if (socket == NULL)
        return false;
    *result = set_option(socket, option, value, size_B) && listen_as_asked(socket) ? 0 : -1;
    if (*result != 0)
        errno = ENOPROTOOPT;
    return true;
}

// ---- frames -------------------------------------------------------------------------------------

// By which it sends on this interface; 0: the one that it is bound to.
static struct can_line *line_of(struct can_socket *socket, int index)
{
    const int wanted = index != 0 ? index : socket->index;
    for (unsigned i = 0; i < socket->lines; i++)
        if (!socket->line[i].hears_own && (int)(FIRST_INDEX + socket->line[i].bus) == wanted)
            return &socket->line[i];
    return NULL;
}

static void note_own(struct can_socket *socket, const struct canfd_frame *frame)
{
    if (socket->wants_own)
        socket->own[socket->sent++ % OWN_MAX] = *frame;
}

static bool hand_over(struct can_socket *socket, const struct canfd_frame *frame, size_t size_B,
                      int index)
{
    const bool fd = size_B == CANFD_MTU && socket->fd_frames;
    const struct can_line *line = line_of(socket, index);
    if ((!fd && size_B != CAN_MTU) || frame->len > (fd ? CANFD_MAX_DLEN : CAN_MAX_DLEN)) {
        errno = EINVAL;
        return false;
    }
    if (line == NULL) {
        errno = ENXIO;
        return false;
    }
    const instant now = instant_ns(shim_now_ns());
    struct can_frame classical;
    memcpy(&classical, frame, sizeof classical);
    const enum status status =
        fd ? can_send_fd(line->port, frame, now) : can_send(line->port, &classical, now);
    if (status == STATUS_OK)
        note_own(socket, frame);
    errno = status == STATUS_FULL ? ENOBUFS : ENETDOWN;
    return status == STATUS_OK;
}

bool shim_can_send(int descriptor, const struct iovec *part, size_t count,
                   const struct sockaddr *to, ssize_t *sent)
{
    struct can_socket *socket = shim_can_of(descriptor);
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
    const int index = to == NULL ? 0 : ((const struct sockaddr_can *)to)->can_ifindex;
    *sent = hand_over(socket, &frame, size_B, index) ? (ssize_t)size_B : -1;
    if (*sent > 0)
        shim_record(IO_SEND, descriptor, &frame, size_B);
    else
        shim_look(); // who tries again and again sees time pass
    return true;
}

static bool is_same_frame(const struct canfd_frame *one, const struct canfd_frame *other)
{
    return one->can_id == other->can_id && one->len == other->len &&
           memcmp(one->data, other->data, one->len) == 0;
}

// The oldest that it has sent and not heard: another's frame may be the same, and comes before it.
static bool is_own(struct can_socket *socket, const struct canfd_frame *frame)
{
    if (socket->sent - socket->heard > OWN_MAX)
        socket->heard = socket->sent - OWN_MAX;
    for (uint32_t i = socket->heard; i != socket->sent; i++)
        if (is_same_frame(&socket->own[i % OWN_MAX], frame)) {
            socket->own[i % OWN_MAX] = socket->own[socket->heard++ % OWN_MAX];
            return true;
        }
    return false;
}

// False: there is no room.
static bool deliver(struct can_socket *socket, const struct can_line *line)
{
    const bool fd = (line->held.fd.flags & CANFD_FDF) != 0;
    struct canfd_frame frame = line->held.fd;
    if (fd && !socket->fd_frames)
        return true;
    if (!fd)
        frame.flags = frame.__res0 = frame.__res1 = 0;
    if (socket->given - socket->taken >= BESIDE_MAX ||
        KERNEL(SYS_write, socket->inner, &frame, fd ? CANFD_MTU : CAN_MTU) < 0)
        return false;
    socket->beside[socket->given++ % BESIDE_MAX] =
        (struct can_beside){.time_ns = line->held.time.ns,
                            .bus = line->bus,
                            .own = line->hears_own && is_own(socket, &frame)};
    return true;
}

// The line with the oldest frame that was not given yet; NULL: there is none.
static struct can_line *oldest(struct can_socket *socket)
{
    struct can_line *best = NULL;
    for (unsigned i = 0; i < socket->lines; i++) {
        struct can_line *line = &socket->line[i];
        if (!line->has_held)
            line->has_held = can_receive(line->port, &line->held) == STATUS_OK;
        if (line->has_held && (best == NULL || line->held.time.ns < best->held.time.ns))
            best = line;
    }
    return best;
}

static void take_in(struct can_socket *socket)
{
    for (struct can_line *line; (line = oldest(socket)) != NULL;) {
        line->has_held = !deliver(socket, line);
        shim_nudge();
        if (line->has_held)
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
    drop_lines(socket, 0);
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
            (void)hand_over(socket, &frame, (size_t)got, 0);
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
        if (!sockets[i].used || !sockets[i].bound)
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
    struct can_socket *socket = shim_can_of(descriptor);
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
