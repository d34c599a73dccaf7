// Clients of a network service who flood it and do not read its answers. All is sent before the
// fault counts as applied: the kernel has it, and the service takes it at its own pace. No more is
// sent than the kernel keeps, whatever the service does.
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/load.h"

#define LINE_B 40
#define ESTABLISHED 1 // in /proc/net/tcp
#define DELIVERY_MS 1000
#define LOOK_MS 5

struct rubbish { // xorshift64; the same for the same seed
    uint64_t state;
};

static void draw_line(struct rubbish *rubbish, char line[LINE_B])
{
    for (size_t i = 0; i < LINE_B - 1; i++) {
        rubbish->state ^= rubbish->state << 13;
        rubbish->state ^= rubbish->state >> 7;
        rubbish->state ^= rubbish->state << 17;
        line[i] = (char)('!' + rubbish->state % 94);
    }
    line[LINE_B - 1] = '\n';
}

static bool is_ours(const struct load_page *page, unsigned long socket)
{
    for (unsigned i = 0; i < page->socket_count; i++)
        if (page->socket[i] == socket)
            return true;
    return false;
}

// How many of this flood's connections are there, by the kernel's own list. Other clients may come
// and go, and another flood, too.
static unsigned connections(const struct load_page *page)
{
    char line[512];
    unsigned count = 0, state;
    unsigned long socket;
    FILE *list = fopen("/proc/net/tcp", "re");
    while (list != NULL && fgets(line, sizeof line, list) != NULL)
        if (sscanf(line, " %*d: %*s %*s %x %*s %*s %*s %*u %*d %lu", &state, &socket) == 2)
            count += state == ESTABLISHED && is_ours(page, socket);
    if (list != NULL)
        (void)fclose(list); // only read
    return count;
}

static int open_to(struct load_page *page, int type, unsigned port)
{
    const struct sockaddr_in service = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int yes = 1, file = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    if (file < 0 || connect(file, (const struct sockaddr *)&service, sizeof service) != 0 ||
        (type == SOCK_STREAM && setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0))
        load_give_up(page, FAULT_FAILED, "127.0.0.1:%u: %s; name the port of a service", port,
                     strerror(errno));
    return file;
}

static void note_socket(struct load_page *page, int file)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        load_give_up(page, FAULT_FAILED, "fstat of a connection: %s", strerror(errno));
    page->socket[page->socket_count++] = status.st_ino;
}

static void send_lines(struct load_page *page, struct rubbish *rubbish, int file, unsigned count)
{
    char line[LINE_B];
    for (unsigned i = 0; i < count; i++) {
        draw_line(rubbish, line);
        if (send(file, line, sizeof line, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof line)
            atomic_fetch_add(&page->count, 1);
    }
}

// Until the service's end of the connection has it all.
static void await_delivery(int file)
{
    int left = 1;
    for (int ms = 0; ms < DELIVERY_MS && ioctl(file, SIOCOUTQ, &left) == 0 && left > 0; ms++)
        poll(NULL, 0, 1);
}

static void flood(const struct fault_asked *call, struct load_page *page)
{
    // A reset, so that what is unread goes with the connection.
    static const struct linger at_once = {.l_onoff = 1};
    struct rubbish rubbish = {strtoull(fault_text(call, "seed"), NULL, 10) | 1};
    const unsigned port = (unsigned)fault_number(call, "port"),
                   count = (unsigned)fault_number(call, "connections"),
                   lines = (unsigned)fault_number(call, "lines");
    for (unsigned i = 0; i < count && i < LOAD_SOCKETS_MAX; i++) {
        const int file = open_to(page, SOCK_STREAM, port);
        note_socket(page, file);
        (void)setsockopt(file, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        send_lines(page, &rubbish, file, lines);
        await_delivery(file);
    }
    const int datagrams = open_to(page, SOCK_DGRAM, port);
    send_lines(page, &rubbish, datagrams, (unsigned)fault_number(call, "datagrams"));
    page->before = connections(page);
    load_ready(page);
    while (!atomic_load(&page->stop))
        poll(NULL, 0, LOOK_MS);
}

// A service may hang up on them later, for others who come.
static void effect(const struct fault_asked *call, const struct load_page *page,
                   struct load_proof *proof)
{
    (void)call;
    const uint64_t sent = atomic_load(&page->count);
    proof->proven = sent > 0 && page->before > 0;
    snprintf(proof->evidence, sizeof proof->evidence,
             "%" PRIu64 " lines are sent on %" PRIu64 " connections, of which %u are there", sent,
             page->before, connections(page));
}

static bool is_restored(const struct fault_asked *call, const struct load_page *page)
{
    (void)call;
    return connections(page) == 0;
}

const struct load_kind load_client = {
    .work = flood, .finish_ms = 500, .at_once = true, .is_restored = is_restored, .effect = effect};
