// The ports of a network: frames that wait at them, and their links. Disturbances and forwarding
// stand above this.
#include <string.h>

#include "base/invariant.h"
#include "ethernet/wire.h"

#define SILENT_PERCENT 150
#define LONG_AGO_NS (INT64_MIN / 2)
#define HUB_NUMBER 0xFF // in place of a host's, in the source of a probe

// ---- frames -------------------------------------------------------------------------------------

uint16_t eth_frame_new(struct eth_network *network)
{
    return network->free_count == 0 ? ETH_NO_FRAME : network->free[--network->free_count];
}

void eth_frame_free(struct eth_network *network, uint16_t frame)
{
    // A frame that is freed twice would be sent by two ports at once.
    expects(frame < ETH_FRAMES_MAX && network->free_count < ETH_FRAMES_MAX);
    network->free[network->free_count++] = frame;
}

// ---- queues -------------------------------------------------------------------------------------

static bool is_hub(unsigned port)
{
    return port >= ETH_HUB_PORT;
}

void eth_enqueue(struct eth_network *network, unsigned port, uint16_t frame, int64_t ready_ns)
{
    expects(frame < ETH_FRAMES_MAX && port < ETH_PORTS_MAX);
    expects(ready_ns >= network->now_ns); // or it would have left in the past
    struct port *out = &network->port[port];
    struct eth_port_counts *counts = eth_counts(network, port);
    if (link_is_up(out->link) && out->count < ETH_QUEUE_MAX) {
        out->queue[out->count++] = (struct waiting){.ready_ns = ready_ns, .frame = frame};
        return;
    }
    eth_count(link_is_up(out->link) ? &counts->full : &counts->cut);
    eth_frame_free(network, frame);
}

void eth_note_sent(struct eth_network *network, unsigned port, uint16_t frame)
{
    expects(frame < ETH_FRAMES_MAX);
    network->port[port].sent_ns = network->now_ns;
    network->frame[frame].number = ++network->port[port].sent;
    eth_count(&eth_counts(network, port)->sent);
}

void eth_note_lateness(struct eth_network *network, int64_t late_ns)
{
    expects(network->plan->cycle_ns > 0);
    const int64_t cycle = network->now_ns / network->plan->cycle_ns;
    struct eth_lateness *late = &network->page->late[(uint64_t)cycle % ETH_LATE_CYCLES];
    if (!network->page->wakes || late_ns <= 0)
        return;
    if (atomic_load_explicit(&late->cycle, memory_order_relaxed) != cycle) {
        atomic_store_explicit(&late->most_ns, 0, memory_order_relaxed);
        atomic_store_explicit(&late->cycle, cycle, memory_order_release);
    }
    if (late_ns > atomic_load_explicit(&late->most_ns, memory_order_relaxed))
        atomic_store_explicit(&late->most_ns, late_ns, memory_order_release);
}

int64_t eth_stamp_ns(struct eth_network *network)
{
    const int64_t noise_ns = network->plan->noise_ns;
    if (noise_ns == 0)
        return network->now_ns;
    return network->now_ns + (int64_t)((double)noise_ns * random_normal(&network->noise));
}

// ---- links --------------------------------------------------------------------------------------

static bool has_power(const struct eth_network *network, unsigned port)
{
    return is_hub(port) || network->dead[port / 2] == 0;
}

static bool has_carrier(const struct eth_network *network, unsigned number)
{
    const struct port *port = &network->port[number];
    if (port->link == LINK_ABSENT || port->cable < 0 || !has_power(network, number) ||
        (network->wire != NULL ? !eth_wire_carries(network, number)
                               : network->cut[port->cable] > 0))
        return false;
    return port->peer < ETH_PORTS_MAX && has_power(network, port->peer);
}

static void find_peer(struct eth_network *network, unsigned number)
{
    struct port *port = &network->port[number];
    port->peer = ETH_PORTS_MAX;
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++)
        if (p != number && network->port[p].link != LINK_ABSENT &&
            network->port[p].cable == port->cable)
            port->peer = p;
}

bool eth_is_watched(const struct eth_network *network)
{
    return network->plan->redundancy == ETH_SWITCH;
}

int64_t eth_silent_at_ns(const struct eth_network *network, const struct port *port)
{
    expects(port->link != LINK_ABSENT);
    return port->heard_ns + network->plan->cycle_ns * SILENT_PERCENT / 100;
}

static void empty_queue(struct eth_network *network, unsigned number)
{
    invariant(network->port[number].count <= ETH_QUEUE_MAX);
    struct port *port = &network->port[number];
    for (unsigned i = 0; i < port->count; i++) {
        eth_count(&eth_counts(network, number)->cut);
        eth_frame_free(network, port->queue[i].frame);
    }
    port->count = 0;
}

void eth_link_happens(struct eth_network *network, unsigned number, enum link_event event)
{
    expects(network->port[number].link != LINK_ABSENT);
    struct port *port = &network->port[number];
    const enum port_link was = port->link, is = port_link_step(was, event);
    if (link_is_up(is) && link_hears(is) != link_hears(was))
        port->sent_ns = LONG_AGO_NS; // the other end is to know at once
    if (was == LINK_WORKS && is != LINK_WORKS)
        eth_count(&eth_counts(network, number)->lost_links);
    port->link = is;
    atomic_store_explicit(&eth_counts(network, number)->works, is == LINK_WORKS,
                          memory_order_relaxed);
}

void eth_replug(struct eth_network *network, unsigned number)
{
    network->port[number].heard_ns = network->now_ns;
    network->port[number].sent_ns = LONG_AGO_NS;
}

void eth_look_at_link(struct eth_network *network, unsigned number)
{
    struct port *port = &network->port[number];
    if (!has_carrier(network, number)) {
        eth_link_happens(network, number, LINK_CUT);
        port->sender = port_sender_step(port->sender, SENDER_CUT);
        empty_queue(network, number);
        port->numbers.known = false; // another end may be plugged in
        return;
    }
    if (!link_is_up(port->link))
        port->heard_ns = network->now_ns;
    eth_link_happens(network, number, LINK_PLUGGED);
    const bool hears =
        !eth_is_watched(network) || network->now_ns < eth_silent_at_ns(network, port);
    eth_link_happens(network, number, hears ? LINK_HEARS : LINK_SILENT);
}

void eth_look_at_links(struct eth_network *network)
{
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++)
        if (network->port[p].link != LINK_ABSENT)
            find_peer(network, p);
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++)
        if (network->port[p].link != LINK_ABSENT)
            eth_look_at_link(network, p);
    if (network->wire != NULL)
        eth_wire_follow(network);
}

void eth_probe_address(unsigned port, uint8_t address[6])
{
    if (is_hub(port))
        eth_address(HUB_NUMBER, port - ETH_HUB_PORT, address);
    else
        eth_address(port / 2, port % 2, address);
}
