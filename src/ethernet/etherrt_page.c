// Sockets of a network in shared memory.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ethernet/etherrt_private.h"
#include "ethernet/page.h"

struct seat {
    struct eth_page *page;
    unsigned host;
    struct eth_socket_page *sock;
};

static _Atomic unsigned opened; // sockets of this process so far

static void page_close(EtherRTSock *sock)
{
    struct seat *seat = sock->medium;
    atomic_store(&seat->sock->owner, 0);
    eth_page_unmap(seat->page);
    free(seat);
}

// Why a frame cannot be sent, as errno; 0: it can.
static int refusal(const struct seat *seat, const struct eth_frame *frame)
{
    const struct eth_page *page = seat->page;
    const struct eth_port_counts *port = &page->port[2 * seat->host];
    const bool tagged = page->plan.redundancy == ETH_SEAMLESS && !(frame->bytes[0] & 1);
    const bool works = atomic_load(&port[0].works) != 0 ||
                       (page->plan.host[seat->host].ring >= 0 && atomic_load(&port[1].works) != 0);
    if (tagged && frame->size_B + ETH_TAG_B > ETH_SIZE_MAX_B)
        return EMSGSIZE;
    return works || atomic_load(&page->time_ns) == 0 ? 0 : ENETDOWN;
}

static int page_send(EtherRTSock *sock, struct eth_frame *frame)
{
    struct seat *seat = sock->medium;
    struct eth_frame *room = eth_ring_room(&seat->sock->transmit);
    const int error = room == NULL ? ENOBUFS : refusal(seat, frame);
    if (room == NULL || error != 0) {
        errno = error;
        return -1;
    }
    eth_address(seat->host, 0, frame->bytes + 6);
    memcpy(room, frame, offsetof(struct eth_frame, bytes) + frame->size_B);
    atomic_fetch_add_explicit(&seat->sock->transmit.head, 1, memory_order_release);
    if (atomic_load(&seat->page->rests) == 0)
        eth_page_bump(seat->page, &seat->page->activity);
    return 0;
}

static bool page_receive(EtherRTSock *sock, struct eth_frame *frame)
{
    struct seat *seat = sock->medium;
    const struct eth_frame *oldest = eth_ring_peek(&seat->sock->receive);
    if (oldest == NULL)
        return false;
    const uint16_t size_B = *(const volatile uint16_t *)&oldest->size_B; // others map the page, too
    const bool sound = size_B >= ETH_HEADER_B && size_B <= ETH_ROOM_B;
    if (sound)
        memcpy(frame, oldest, offsetof(struct eth_frame, bytes) + size_B);
    frame->size_B = sound ? size_B : ETH_HEADER_B;
    eth_ring_drop(&seat->sock->receive);
    return true;
}

static enum status page_wait(EtherRTSock *sock, instant until)
{
    const struct seat *seat = sock->medium;
    struct eth_ring *ring = &seat->sock->receive;
    const struct clk_watch watch = {
        .word = &ring->head, .seen = atomic_load(&ring->tail), .id = seat->sock->watch_id};
    atomic_store(&seat->sock->awaited, 1);
    if (atomic_load(&seat->page->rests) != 0)
        eth_page_bump(seat->page, &seat->page->activity);
    const enum status status = clk_wait(etherrt_clock(), &watch, 1, until);
    atomic_store(&seat->sock->awaited, 0);
    return status;
}

static int page_address(const EtherRTSock *sock, const char *host, uint8_t address[6])
{
    const struct seat *seat = sock->medium;
    return etherrt_page_address(seat->page, host, address);
}

static void page_connect(EtherRTSock *sock, const uint8_t address[6])
{
    const struct seat *seat = sock->medium;
    uint8_t way;
    // Who is not of this network is nobody's peer: nothing comes from there.
    const unsigned host = eth_host_of(address, &way);
    atomic_store(&seat->sock->peer, host == ETH_NOBODY ? ETH_NOBODY - 1 : host);
}

static int page_mode(EtherRTSock *sock, bool relay, int on)
{
    const struct seat *seat = sock->medium;
    return etherrt_page_mode(seat->page, seat->host, relay, on);
}

static const struct eth_page *page_page(const EtherRTSock *sock)
{
    const struct seat *seat = sock->medium;
    return seat->page;
}

static bool page_stamp(const EtherRTSock *sock, uint32_t number, int64_t *time_ns)
{
    const struct seat *seat = sock->medium;
    const struct eth_stamp *stamp = &seat->page->host[seat->host].stamp[number % ETH_STAMPS];
    if (atomic_load_explicit(&stamp->number, memory_order_acquire) != number)
        return false;
    *time_ns = atomic_load_explicit(&stamp->time_ns, memory_order_relaxed);
    return true;
}

static const struct etherrt_operations page_operations = {.close = page_close,
                                                          .send = page_send,
                                                          .receive = page_receive,
                                                          .wait = page_wait,
                                                          .address = page_address,
                                                          .connect = page_connect,
                                                          .mode = page_mode,
                                                          .page = page_page,
                                                          .stamp = page_stamp};

// The same process, started again, finds its sockets again, in the order in which it opens them.
static uint64_t owner_number(void)
{
    const char *name = getenv("UKEMI_PARTICIPANT");
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ ++opened; // FNV-1a
    for (; name != NULL && *name != '\0'; name++)
        hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
    return hash | 1;
}

static struct eth_socket_page *claim(struct eth_host_page *host)
{
    const uint64_t own = owner_number();
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned s = 0; s < ETH_SOCKETS_MAX; s++) {
            uint64_t found = pass == 0 ? own : 0;
            if (atomic_compare_exchange_strong(&host->socket[s].owner, &found, own))
                return &host->socket[s];
        }
    return NULL;
}

int etherrt_bind_page(EtherRTSock *sock, const char *cell, const char *network, const char *host)
{
    struct eth_page *page;
    if (eth_page_map(cell, network, &page) != STATUS_OK) {
        errno = ENODEV;
        return -1;
    }
    const int number = etherrt_find_host(page, host);
    if (number >= 0 && page->plan.medium == ETH_VETH)
        return etherrt_bind_veth(sock, page, (unsigned)number);
    struct seat *seat = number < 0 ? NULL : calloc(1, sizeof *seat);
    struct eth_socket_page *claimed = seat == NULL ? NULL : claim(&page->host[number]);
    if (claimed == NULL) {
        errno = number < 0 ? ENODEV : seat == NULL ? ENOMEM : EMFILE;
        free(seat);
        eth_page_unmap(page);
        return -1;
    }
    *seat = (struct seat){.page = page, .host = (unsigned)number, .sock = claimed};
    atomic_store(&claimed->peer, ETH_NOBODY);
    atomic_store(&claimed->protocol, sock->protocol);
    atomic_store(&claimed->awaited, 0); // whoever had it may have died while it waited
    atomic_store(&claimed->from, atomic_load(&claimed->transmit.head));
    atomic_store(&claimed->receive.tail, atomic_load(&claimed->receive.head));
    sock->medium = seat;
    sock->operations = &page_operations;
    return 0;
}
