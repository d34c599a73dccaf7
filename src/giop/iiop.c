// GIOP over TCP. Sockets do not block; waiting is poll()'s, until a deadline.
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "giop/transport.h"

struct stream {
    int fd;    // -1: none
    bool held; // this end asked for it, and has not closed it for good
    uint8_t *bytes;
    size_t have_B;
    bool handed; // what it has was handed out
};

struct iiop {
    struct giop_transport base;
    int listener; // -1: none
    char host[64];
    uint16_t port;
    unsigned turn; // the stream that is looked at first, so that none is left out
    struct pollfd *polls;
    struct stream stream[];
};

static int64_t iiop_now_ns(const struct giop_transport *transport)
{
    struct timespec now;
    (void)transport;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// How long poll may wait, rounded up; at most a minute: callers look again.
static int left_ms(int64_t until_ns)
{
    const int64_t left_ns = until_ns - iiop_now_ns(NULL);
    const int64_t most_ns = INT64_C(60000000000);
    return left_ns <= 0 ? 0 : (int)(((left_ns < most_ns ? left_ns : most_ns) + 999999) / 1000000);
}

// False: the deadline came first.
static bool await(int fd, short what, int64_t until_ns)
{
    for (;;) {
        struct pollfd poll_one = {.fd = fd, .events = what};
        const int wait_ms = left_ms(until_ns);
        if (poll(&poll_one, 1, wait_ms) > 0)
            return true;
        if (wait_ms == 0)
            return false;
    }
}

static bool iiop_close(struct giop_transport *transport, unsigned connection, bool for_good)
{
    struct stream *stream = &((struct iiop *)transport)->stream[connection];
    if (stream->fd >= 0)
        close(stream->fd);
    stream->fd = -1;
    stream->have_B = 0;
    stream->handed = false;
    stream->held &= !for_good;
    return false;
}

static void iiop_free(struct giop_transport *transport)
{
    struct iiop *iiop = (struct iiop *)transport;
    for (unsigned i = 0; i < transport->connection_count; i++) {
        iiop_close(transport, i, true);
        free(iiop->stream[i].bytes);
    }
    if (iiop->listener >= 0)
        close(iiop->listener);
    free(iiop->polls);
    free(iiop);
}

// -1: all are in use.
static int free_stream(const struct iiop *iiop)
{
    for (unsigned i = 0; i < iiop->base.connection_count; i++)
        if (iiop->stream[i].fd < 0 && !iiop->stream[i].held)
            return (int)i;
    return -1;
}

static void begin_stream(struct iiop *iiop, unsigned connection, int fd)
{
    const int on = 1;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    iiop->stream[connection].fd = fd;
    iiop->stream[connection].have_B = 0;
    iiop->stream[connection].handed = false;
}

static int resolve(const char *host, uint16_t port, bool listen, struct addrinfo **found)
{
    char service[8];
    const struct addrinfo hints = {.ai_flags =
                                       AI_NUMERICHOST | AI_NUMERICSERV | (listen ? AI_PASSIVE : 0),
                                   .ai_socktype = SOCK_STREAM};
    snprintf(service, sizeof service, "%u", port);
    return getaddrinfo(strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, service, &hints, found);
}

static enum status iiop_connect(struct giop_transport *transport, const struct ior_profile *profile,
                                int64_t until_ns, unsigned *connection)
{
    struct iiop *iiop = (struct iiop *)transport;
    const int place = free_stream(iiop);
    struct addrinfo *to;
    if (profile->tag != IOR_TAG_IIOP || resolve(profile->host, profile->port, false, &to) != 0)
        return STATUS_INVALID;
    const int fd =
        place < 0 ? -1 : socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool connected = fd >= 0 && connect(fd, to->ai_addr, to->ai_addrlen) == 0;
    enum status status = connected ? STATUS_OK : place < 0 ? STATUS_FULL : STATUS_DEAD;
    if (!connected && fd >= 0 && errno == EINPROGRESS) {
        int error = 0;
        socklen_t size = sizeof error;
        if (!await(fd, POLLOUT, until_ns))
            status = STATUS_TIMEOUT;
        else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0)
            status = STATUS_OK;
    }
    freeaddrinfo(to);
    if (status == STATUS_OK) {
        begin_stream(iiop, (unsigned)place, fd);
        iiop->stream[place].held = true;
        *connection = (unsigned)place;
    } else if (fd >= 0) {
        close(fd);
    }
    return status;
}

static enum status iiop_send(struct giop_transport *transport, unsigned connection,
                             const uint8_t *bytes, size_t size_B, int64_t until_ns)
{
    struct stream *stream = &((struct iiop *)transport)->stream[connection];
    while (size_B > 0) { // ends: sends something, or the deadline comes
        const ssize_t sent = stream->fd < 0 ? -1 : send(stream->fd, bytes, size_B, MSG_NOSIGNAL);
        if (sent > 0) {
            bytes += sent;
            size_B -= (size_t)sent;
            continue;
        }
        const bool full = stream->fd >= 0 && sent < 0 && (errno == EAGAIN || errno == EINTR);
        if (full && await(stream->fd, POLLOUT, until_ns))
            continue;
        iiop_close(transport, connection, false);
        return full ? STATUS_TIMEOUT : STATUS_DEAD;
    }
    return STATUS_OK;
}

// ---- receiving ----------------------------------------------------------------------------------

// How many bytes a stream is to have: a head, then all that it counts. 0: it is not sound.
static size_t wanted(const struct iiop *iiop, const struct stream *stream)
{
    struct giop_head head;
    if (stream->have_B < GIOP_HEAD_B)
        return GIOP_HEAD_B;
    if (giop_head_read(stream->bytes, &head) != STATUS_OK ||
        head.size_B > iiop->base.message_max_B - GIOP_HEAD_B)
        return 0;
    return GIOP_HEAD_B + head.size_B;
}

// OK: a whole message is there. EMPTY: not yet. DEAD, CORRUPT.
static enum status read_stream(struct iiop *iiop, struct stream *stream)
{
    if (stream->handed) {
        stream->have_B = 0;
        stream->handed = false;
    }
    for (;;) { // ends: reads something each time, up to a whole message
        const size_t size_B = wanted(iiop, stream);
        if (size_B == 0)
            return STATUS_CORRUPT;
        if (size_B == stream->have_B)
            return STATUS_OK;
        const ssize_t got =
            recv(stream->fd, stream->bytes + stream->have_B, size_B - stream->have_B, 0);
        if (got <= 0)
            return got < 0 && (errno == EAGAIN || errno == EINTR) ? STATUS_EMPTY : STATUS_DEAD;
        stream->have_B += (size_t)got;
    }
}

static void accept_stream(struct iiop *iiop)
{
    const int fd = accept4(iiop->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    const int place = free_stream(iiop);
    if (fd >= 0 && place >= 0)
        begin_stream(iiop, (unsigned)place, fd);
    else if (fd >= 0)
        close(fd); // too many
}

static enum status look(struct iiop *iiop, unsigned *connection, const uint8_t **bytes,
                        size_t *size_B)
{
    const unsigned count = iiop->base.connection_count;
    for (unsigned n = 0; n < count; n++) {
        const unsigned i = (iiop->turn + n) % count;
        struct stream *stream = &iiop->stream[i];
        const enum status status = stream->fd < 0 ? STATUS_EMPTY : read_stream(iiop, stream);
        if (status == STATUS_EMPTY)
            continue;
        iiop->turn = i + 1;
        *connection = i;
        *bytes = stream->bytes;
        *size_B = stream->have_B;
        stream->handed = true;
        if (status == STATUS_DEAD)
            iiop_close(&iiop->base, i, false);
        return status;
    }
    return STATUS_EMPTY;
}

static enum status iiop_receive(struct giop_transport *transport, int64_t until_ns,
                                unsigned *connection, const uint8_t **bytes, size_t *size_B)
{
    struct iiop *iiop = (struct iiop *)transport;
    const unsigned count = transport->connection_count;
    for (;;) { // ends: with a message, or at the deadline
        const enum status status = look(iiop, connection, bytes, size_B);
        if (status != STATUS_EMPTY)
            return status;
        for (unsigned i = 0; i < count; i++)
            iiop->polls[i] = (struct pollfd){.fd = iiop->stream[i].fd, .events = POLLIN};
        iiop->polls[count] = (struct pollfd){.fd = iiop->listener, .events = POLLIN};
        const int wait_ms = left_ms(until_ns);
        const int found = poll(iiop->polls, count + 1, wait_ms);
        if (found > 0 && iiop->polls[count].revents != 0)
            accept_stream(iiop);
        if (found <= 0 && wait_ms == 0)
            return STATUS_TIMEOUT;
    }
}

static void iiop_profile(const struct giop_transport *transport, struct ior_profile *profile)
{
    const struct iiop *iiop = (const struct iiop *)transport;
    *profile = (struct ior_profile){.tag = IOR_TAG_IIOP, .minor = 2, .port = iiop->port};
    memcpy(profile->host, iiop->host, sizeof profile->host);
}

static bool iiop_peer(const struct giop_transport *transport, unsigned connection,
                      uint8_t address[6])
{
    (void)transport, (void)connection;
    memset(address, 0, 6);
    return false;
}

static const struct giop_transport_operations iiop_operations = {.free = iiop_free,
                                                                 .now_ns = iiop_now_ns,
                                                                 .connect = iiop_connect,
                                                                 .send = iiop_send,
                                                                 .receive = iiop_receive,
                                                                 .close = iiop_close,
                                                                 .profile = iiop_profile,
                                                                 .peer = iiop_peer};

static enum status listen_at(struct iiop *iiop, const char *host, uint16_t port)
{
    struct addrinfo *at;
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } bound = {.v6 = {.sin6_family = AF_UNSPEC}};
    socklen_t size = sizeof bound;
    const int on = 1;
    if (strlen(host) >= sizeof iiop->host || resolve(host, port, true, &at) != 0)
        return STATUS_INVALID;
    const int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    iiop->listener = fd;
    const bool good = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                      bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, 8) == 0 &&
                      getsockname(fd, &bound.any, &size) == 0;
    const bool v6 = at->ai_family == AF_INET6;
    freeaddrinfo(at);
    if (!good)
        return STATUS_SYSTEM;
    memcpy(iiop->host, host, strlen(host) + 1);
    iiop->port = ntohs(v6 ? bound.v6.sin6_port : bound.v4.sin_port);
    return STATUS_OK;
}

enum status iiop_create(const char *host, uint16_t port, unsigned connections, size_t message_max_B,
                        struct giop_transport **transport)
{
    struct iiop *iiop = calloc(1, sizeof *iiop + connections * sizeof *iiop->stream);
    if (iiop == NULL)
        return STATUS_NO_MEMORY;
    iiop->base = (struct giop_transport){&iiop_operations, connections, message_max_B};
    iiop->listener = -1;
    iiop->polls = calloc(connections + 1, sizeof *iiop->polls);
    bool good = iiop->polls != NULL;
    for (unsigned i = 0; i < connections; i++) {
        iiop->stream[i].fd = -1;
        iiop->stream[i].bytes = malloc(message_max_B);
        good &= iiop->stream[i].bytes != NULL;
    }
    const enum status status = !good          ? STATUS_NO_MEMORY
                               : host == NULL ? STATUS_OK
                                              : listen_at(iiop, host, port);
    if (status != STATUS_OK)
        iiop_free(&iiop->base);
    else
        *transport = &iiop->base;
    return status;
}
