#include "targets/bioloid/door_peers.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define STREAM_LASTS_NS INT64_C(5000000000) // by datagrams
#define PEEK_B (DOOR_LINES_MAX * DOOR_LINE_MAX)

// ---- opening and closing ------------------------------------------------------------------------

static int open_socket(int type, unsigned port)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int yes = 1, file = socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0)
        return -1;
    if (setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(file, (const struct sockaddr *)&address, sizeof address) == 0 &&
        (type == SOCK_DGRAM ||
         (setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) == 0 && // as all it lets in
          listen(file, DOOR_PEERS_MAX) == 0)))
        return file;
    close(file);
    return -1;
}

enum status door_listen(struct door_peers *peers, unsigned port)
{
    *peers = (struct door_peers){.tcp = open_socket(SOCK_STREAM, port),
                                 .udp = open_socket(SOCK_DGRAM, port)};
    return peers->tcp < 0 || peers->udp < 0 ? STATUS_SYSTEM : STATUS_OK;
}

static void drop(struct door_peer *peer)
{
    if (peer->file >= 0)
        close(peer->file);
    peer->used = false;
}

static struct door_peer *place(struct door_peers *peers)
{
    for (unsigned i = 0; i < DOOR_PEERS_MAX; i++)
        if (!peers->peer[i].used)
            return &peers->peer[i];
    return NULL;
}

static void let_in(struct door_peers *peers)
{
    static const char full[] = "error no place for one more; come again later\n";
    for (unsigned i = 0; i < DOOR_PEERS_MAX; i++) {
        const int file = accept4(peers->tcp, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        struct door_peer *peer = file < 0 ? NULL : place(peers);
        if (file < 0)
            return;
        if (peer != NULL) {
            *peer = (struct door_peer){.used = true, .file = file};
            continue;
        }
        peers->turned_away++;
        (void)!send(file, full, sizeof full - 1, MSG_NOSIGNAL);
        close(file);
    }
}

unsigned door_count(const struct door_peers *peers)
{
    unsigned count = 0;
    for (unsigned i = 0; i < DOOR_PEERS_MAX; i++)
        count += peers->peer[i].used;
    return count;
}

// ---- what comes ---------------------------------------------------------------------------------

// Hands out the lines of a text, without what makes none.
static void hear_text(struct door_peer *peer, char *text, door_hear *hear, void *context)
{
    char *rest;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        hear(context, peer, line);
}

// How much of what has come is for this period: so many whole lines; a line too long, in pieces.
static size_t share(const char *bytes, size_t size)
{
    size_t end = 0;
    unsigned lines = 0;
    for (size_t i = 0; i < size && lines < DOOR_LINES_MAX; i++)
        if (bytes[i] == '\n') {
            end = i + 1;
            lines++;
        }
    return end == 0 && size >= DOOR_LINE_MAX ? size : end;
}

static void take_connection(struct door_peer *peer, door_hear *hear, void *context)
{
    char bytes[PEEK_B + 1];
    const ssize_t come = recv(peer->file, bytes, PEEK_B, MSG_PEEK);
    if (come < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (come <= 0) {
        drop(peer);
        return;
    }
    const size_t taken = share(bytes, (size_t)come);
    if (taken == 0 || recv(peer->file, bytes, taken, 0) != (ssize_t)taken)
        return;
    const bool ends = bytes[taken - 1] == '\n';
    char *from = bytes;
    bytes[taken] = '\0';
    if (peer->skips) { // up to the end of that line
        char *end = memchr(bytes, '\n', taken);
        from = end == NULL ? bytes + taken : end + 1;
    }
    const bool too_long = !ends;
    if (too_long && !peer->skips)
        hear(context, peer, ""); // it is refused once
    peer->skips = too_long;
    if (!too_long)
        hear_text(peer, from, hear, context);
}

static void take_datagrams(struct door_peers *peers, door_hear *hear, void *context)
{
    char bytes[DOOR_LINE_MAX + 1];
    for (unsigned i = 0; i < DOOR_DATAGRAMS_MAX + DOOR_LOST_MAX; i++) {
        struct door_peer *peer = &peers->datagram;
        socklen_t size = sizeof peer->address;
        *peer = (struct door_peer){.file = -1};
        const ssize_t come = recvfrom(peers->udp, bytes, DOOR_LINE_MAX, MSG_TRUNC,
                                      (struct sockaddr *)&peer->address, &size);
        if (come < 0)
            return;
        if (i >= DOOR_DATAGRAMS_MAX) {
            peers->lost++;
            continue;
        }
        bytes[come < DOOR_LINE_MAX ? come : 0] = '\0'; // one too long is no line
        char *end = strchr(bytes, '\n');
        if (end != NULL)
            *end = '\0';
        hear(context, peer, bytes);
    }
}

void door_take(struct door_peers *peers, door_hear *hear, void *context)
{
    let_in(peers);
    for (unsigned i = 0; i < DOOR_PEERS_MAX; i++)
        if (peers->peer[i].used && peers->peer[i].file >= 0)
            take_connection(&peers->peer[i], hear, context);
    take_datagrams(peers, hear, context);
}

// ---- what goes ----------------------------------------------------------------------------------

void door_say(struct door_peers *peers, struct door_peer *peer, const char *line)
{
    const size_t size = strlen(line);
    ssize_t sent;
    if (peer->file < 0)
        sent = sendto(peers->udp, line, size, MSG_NOSIGNAL, (struct sockaddr *)&peer->address,
                      sizeof peer->address);
    else
        sent = send(peer->file, line, size, MSG_NOSIGNAL);
    if (sent == (ssize_t)size)
        return;
    peers->unread++;
    if (peer->file >= 0 && (sent >= 0 || (errno != EAGAIN && errno != EINTR)))
        drop(peer);
}

static bool is_same(const struct door_peer *a, const struct door_peer *b)
{
    return a->used && a->file < 0 && a->address.sin_port == b->address.sin_port &&
           a->address.sin_addr.s_addr == b->address.sin_addr.s_addr;
}

enum status door_stream(struct door_peers *peers, struct door_peer *peer, double rate_hz,
                        int64_t now_ns)
{
    struct door_peer *kept = peer;
    if (peer->file < 0) {
        kept = NULL;
        for (unsigned i = 0; i < DOOR_PEERS_MAX && kept == NULL; i++)
            kept = is_same(&peers->peer[i], peer) ? &peers->peer[i] : NULL;
        if (kept == NULL && rate_hz > 0)
            kept = place(peers);
        if (kept == NULL)
            return rate_hz > 0 ? STATUS_FULL : STATUS_OK;
        *kept = *peer;
        kept->used = rate_hz > 0;
    }
    kept->rate_hz = rate_hz;
    kept->next_ns = now_ns;
    kept->until_ns = kept->file < 0 ? now_ns + STREAM_LASTS_NS : INT64_MAX;
    return STATUS_OK;
}

bool door_is_due(struct door_peers *peers, struct door_peer *peer, int64_t now_ns)
{
    (void)peers;
    if (!peer->used || peer->rate_hz <= 0 || now_ns < peer->next_ns)
        return false;
    if (now_ns > peer->until_ns) {
        drop(peer);
        return false;
    }
    peer->next_ns += (int64_t)(1e9 / peer->rate_hz);
    if (peer->next_ns < now_ns)
        peer->next_ns = now_ns;
    return true;
}
