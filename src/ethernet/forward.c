// What comes out of a cable: the hub, the relays, and the hosts' sockets.
#include <string.h>

#include "base/invariant.h"
#include "ethernet/wire.h"

static void drop(struct eth_network *network, uint16_t frame, _Atomic uint64_t *why)
{
    if (why != NULL)
        eth_count(why);
    eth_frame_free(network, frame);
}

// ---- a host's sockets ---------------------------------------------------------------------------

static void untag(struct eth_frame *to, const struct eth_frame *from, const struct eth_head *head)
{
    memcpy(to->bytes, from->bytes, ETH_HEADER_B);
    to->bytes[12] = (uint8_t)(head->type >> 8);
    to->bytes[13] = (uint8_t)head->type;
    memcpy(to->bytes + ETH_HEADER_B, from->bytes + head->payload_at, head->payload_B);
    to->size_B = (uint16_t)(ETH_HEADER_B + head->payload_B);
}

static void deliver(struct eth_network *network, unsigned port, const struct eth_frame *frame,
                    const struct eth_head *head)
{
    if (network->wire != NULL) {
        eth_wire_deliver(network, port, frame);
        return;
    }
    struct eth_host_page *host = &network->page->host[port / 2];
    for (unsigned s = 0; s < ETH_SOCKETS_MAX; s++) {
        struct eth_socket_page *sock = &host->socket[s];
        const uint32_t peer = atomic_load_explicit(&sock->peer, memory_order_relaxed);
        if (atomic_load_explicit(&sock->owner, memory_order_acquire) == 0 ||
            atomic_load_explicit(&sock->protocol, memory_order_relaxed) != head->type ||
            (peer != ETH_NOBODY && peer != head->source))
            continue;
        struct eth_frame *room = eth_ring_room(&sock->receive);
        if (room == NULL) {
            eth_count(&sock->lost);
            continue;
        }
        untag(room, frame, head);
        room->time_ns = eth_stamp_ns(network);
        room->taken_ns = frame->taken_ns;
        room->port = (uint8_t)(port % 2);
        eth_page_bump(network->page, &sock->receive.head);
    }
}

// ---- forwarding ---------------------------------------------------------------------------------

static struct eth_relay relay_of(const struct eth_network *network, unsigned host)
{
    const struct eth_host_page *page = &network->page->host[host];
    const uint32_t through = atomic_load_explicit(&page->through, memory_order_relaxed);
    return (struct eth_relay){.host = host,
                              .redundancy = (enum eth_redundancy)network->plan->redundancy,
                              .relay =
                                  network->plan->host[host].ring >= 0 &&
                                  atomic_load_explicit(&page->relay, memory_order_relaxed) != 0,
                              .through = through > 1 ? -1 : (int)through,
                              .works = {network->port[2 * host].link == LINK_WORKS,
                                        network->port[2 * host + 1].link == LINK_WORKS}};
}

static int64_t jitter_ns(struct eth_network *network)
{
    const int64_t most_ns = network->plan->jitter_ns;
    return most_ns == 0 ? 0 : (int64_t)random_uniform(&network->jitter, 0, (double)most_ns);
}

static void at_host(struct eth_network *network, unsigned port, uint16_t i,
                    const struct eth_head *head)
{
    expects(port < 2 * network->plan->host_count && i < ETH_FRAMES_MAX);
    const unsigned host = port / 2;
    struct eth_port_counts *counts = eth_counts(network, port);
    struct eth_frame *frame = &network->frame[i];
    const struct eth_relay relay = relay_of(network, host);
    const struct eth_decision decision = eth_relay(&relay, head, port % 2);
    switch (decision.fate) {
    case ETH_TAKEN:
        if (head->tagged && head->source != ETH_NOBODY && network->wire == NULL &&
            eth_is_copy(&network->copies[host][head->source], head->sequence, network->now_ns)) {
            drop(network, i, &counts->copies);
            return;
        }
        deliver(network, port, frame, head);
        drop(network, i, NULL);
        return;
    case ETH_ON:
        if (eth_disturb_relay(network, host)) {
            drop(network, i, &counts->full);
            return;
        }
        if (decision.turned)
            eth_mark(frame, 1, head->passes);
        eth_enqueue(network, 2 * host + decision.port, i,
                    network->now_ns + network->plan->relay_ns + network->slow_ns[host] +
                        jitter_ns(network));
        return;
    case ETH_UNKNOWN:
    case ETH_NOT_RELAYED:
        drop(network, i, &counts->unknown);
        return;
    case ETH_HOME:
    case ETH_NO_WAY:
        drop(network, i, &counts->home);
        return;
    }
}

static void hub_sends(struct eth_network *network, unsigned port, uint16_t frame)
{
    expects(port >= ETH_HUB_PORT && port < ETH_PORTS_MAX);
    eth_enqueue(network, port, frame, network->now_ns + network->plan->hub_ns);
}

// To all other ports: the hub does not know where its receiver is. A relay sends on what is not its
// own, so that a copy comes back by the other end of each ring; there it ends.
static void flood(struct eth_network *network, unsigned in, uint16_t i)
{
    for (unsigned p = ETH_HUB_PORT; p < ETH_PORTS_MAX; p++) {
        const bool goes = p != in && network->port[p].link != LINK_ABSENT;
        const uint16_t copy = goes ? eth_frame_new(network) : ETH_NO_FRAME;
        if (copy == ETH_NO_FRAME)
            continue;
        memcpy(&network->frame[copy], &network->frame[i], sizeof network->frame[i]);
        hub_sends(network, p, copy);
    }
    drop(network, i, NULL);
}

// To both ends of a ring.
static void hub_sends_both(struct eth_network *network, const uint32_t end[2], uint16_t i)
{
    const uint16_t copy = eth_frame_new(network);
    if (copy != ETH_NO_FRAME) {
        memcpy(&network->frame[copy], &network->frame[i], sizeof network->frame[i]);
        network->frame[copy].bytes[ETH_HEADER_B] ^= 1u << 4; // the other path of the tag
        hub_sends(network, end[1], copy);
    }
    hub_sends(network, end[0], i);
}

static bool is_end_of(const struct eth_host_plan *host, unsigned port)
{
    return host->hub_port[0] == port || host->hub_port[1] == port;
}

// By which end of its receiver's ring a frame goes on. Where that is the one it came by, its sender
// sees its own frame again, and lets it pass because it is marked.
static void into_ring(struct eth_network *network, const struct eth_head *head, unsigned in,
                      bool back, uint16_t i)
{
    expects(head->destination < network->plan->host_count);
    expects(network->plan->host[head->destination].ring >= 0);
    const struct eth_host_plan *to = &network->plan->host[head->destination];
    unsigned out = network->learned[head->destination];
    if (network->plan->redundancy == ETH_SEAMLESS && head->tagged && !back) {
        hub_sends_both(network, to->hub_port, i);
        return;
    }
    if (network->plan->redundancy != ETH_NONE) {
        out = back ? to->hub_port[to->hub_port[0] == in] : out;
        out = network->port[out].link == LINK_WORKS ? out : to->hub_port[to->hub_port[0] == out];
    }
    eth_mark(&network->frame[i], out == in || head->passes > 0, head->passes + 1);
    hub_sends(network, out, i);
}

static void at_hub(struct eth_network *network, unsigned in, uint16_t i,
                   const struct eth_head *head)
{
    expects(in >= ETH_HUB_PORT && in < ETH_PORTS_MAX);
    struct eth_port_counts *counts = eth_counts(network, in);
    const struct eth_plan *plan = network->plan;
    if (head->destination == ETH_NOBODY || head->source == ETH_NOBODY) {
        drop(network, i, head->neighbour ? NULL : &counts->unknown);
        return;
    }
    const struct eth_host_plan *to = &plan->host[head->destination];
    const struct eth_host_plan *from = &plan->host[head->source];
    const bool back = to->ring >= 0 && is_end_of(to, in);
    // A frame passes the hub once, or twice if it has turned round in its receiver's ring: a wrong
    // cable leads it no further.
    if ((head->passes > 0 && (head->passes > 1 || head->turns == 0 || !back)) ||
        (to->ring < 0 && to->hub_port[0] == in)) {
        drop(network, i, &counts->home);
        return;
    }
    if (from->ring >= 0 && is_end_of(from, in))
        network->learned[head->source] = in;
    eth_mark(&network->frame[i], 0, head->passes + 1);
    if (eth_disturb_floods(network))
        flood(network, in, i);
    else if (to->ring < 0)
        hub_sends(network, to->hub_port[0], i);
    else
        into_ring(network, head, in, back, i);
}

// The port that a probe names as its own, and one; 0: no port of this network.
static uint32_t prober(const struct eth_network *network, const struct eth_frame *frame)
{
    uint8_t address[6];
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++) {
        eth_probe_address(p, address);
        if (network->port[p].link != LINK_ABSENT &&
            memcmp(frame->bytes + 6, address, sizeof address) == 0)
            return p + 1;
    }
    return 0;
}

// Whether the port at the other end is the one that the plan has there.
static void note_neighbour(struct eth_network *network, unsigned port,
                           const struct eth_frame *frame)
{
    uint8_t expected[6] = {0};
    for (unsigned c = 0; c < network->plan->cable_count; c++)
        for (unsigned e = 0; e < 2; e++)
            if (network->plan->cable[c].end[e] == port)
                eth_probe_address(network->plan->cable[c].end[1 - e], expected);
    atomic_store_explicit(&eth_counts(network, port)->neighbour, prober(network, frame),
                          memory_order_relaxed);
    atomic_store_explicit(&eth_counts(network, port)->misplaced,
                          memcmp(frame->bytes + 6, expected, sizeof expected) != 0,
                          memory_order_relaxed);
}

static void note_number(struct eth_network *network, unsigned port, uint32_t number)
{
    struct eth_port_counts *counts = eth_counts(network, port);
    bool twice;
    const int32_t missing = eth_missing(&network->port[port].numbers, number, &twice);
    atomic_fetch_add_explicit(&counts->holes, (uint64_t)missing, memory_order_relaxed);
    if (twice)
        eth_count(&counts->twice);
}

// Counts it, and takes it for a sign of life. False: it goes no further, and is free.
static bool hear(struct eth_network *network, unsigned port, uint16_t i, struct eth_head *head)
{
    struct eth_frame *frame = &network->frame[i];
    struct port *in = &network->port[port];
    struct eth_port_counts *counts = eth_counts(network, port);
    frame->time_ns = network->now_ns;
    if (network->listener != NULL && in->cable >= 0)
        network->listener(network->listener_context, (unsigned)in->cable, in->end, frame);
    if (frame->broken) {
        drop(network, i, &counts->crc_errors);
        return false;
    }
    if (!eth_parse(frame, network->plan->host_count, head)) {
        drop(network, i, &counts->malformed);
        return false;
    }
    eth_count(&counts->received);
    note_number(network, port, frame->number);
    const bool is_probe = head->type == ETH_TYPE_PROBE && head->neighbour;
    const bool unheard = is_probe && head->payload_B > 0 && frame->bytes[head->payload_at] == 0;
    const bool changed =
        link_is_up(in->link) &&
        (!link_hears(in->link) || (is_probe && unheard != link_is_unheard(in->link)));
    in->heard_ns = network->now_ns;
    if (is_probe) {
        eth_link_happens(network, port, unheard ? LINK_SAID_UNHEARD : LINK_SAID_HEARD);
        note_neighbour(network, port, frame);
    }
    if (changed)
        eth_look_at_links(network);
    if (is_probe)
        drop(network, i, NULL);
    return !is_probe;
}

static void go_on(struct eth_network *network, unsigned port, uint16_t i,
                  const struct eth_head *head)
{
    if (port >= ETH_HUB_PORT)
        at_hub(network, port, i, head);
    else
        at_host(network, port, i, head);
}

void eth_arrive(struct eth_network *network, unsigned port, uint16_t i)
{
    struct eth_head head;
    if (hear(network, port, i, &head))
        go_on(network, port, i, &head);
}

void eth_overhear(struct eth_network *network, unsigned port, uint16_t i)
{
    struct eth_head head;
    if (hear(network, port, i, &head))
        drop(network, i, NULL);
}

void eth_forward(struct eth_network *network, unsigned port, uint16_t i)
{
    struct eth_head head;
    if (eth_parse(&network->frame[i], network->plan->host_count, &head) &&
        head.type != ETH_TYPE_PROBE)
        go_on(network, port, i, &head);
    else
        drop(network, i, NULL);
}
