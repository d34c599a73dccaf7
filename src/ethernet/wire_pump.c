// What arrives by the kernel's cables: it is overheard, or goes by hand through the same model as
// in an embedded network.
#include <string.h>

#include "base/invariant.h"
#include "ethernet/packet.h"
#include "ethernet/veth.h"
#include "ethernet/wire.h"

#define PUMPED_MAX 4096
#define LOOK_NS 500000

// Seen on its way through the kernel.
static void overhear(struct eth_network *network, unsigned port, uint16_t i)
{
    eth_note_sent(network, network->wire->port[port].peer, i);
    eth_overhear(network, port, i);
}

static void take_by_hand(struct eth_network *network, unsigned wired, uint16_t i, int64_t late_ns)
{
    expects(i < ETH_FRAMES_MAX && network->wire->port[wired].peer < ETH_PORTS_MAX);
    const struct wire_port *in = &network->wire->port[wired];
    const struct port *sender = &network->port[in->peer];
    eth_note_lateness(network, late_ns);
    if (!in->by_hand) { // what the kernel was not told where to send
        eth_forward(network, wired, i);
        return;
    }
    eth_note_sent(network, in->peer, i);
    if (sender->peer == ETH_PORTS_MAX || !link_is_up(sender->link)) {
        eth_count(&eth_counts(network, in->peer)->cut);
        eth_frame_free(network, i);
    } else if (eth_disturb_frame(network, (unsigned)sender->cable, sender->peer, i))
        eth_arrive(network, sender->peer, i);
}

static void take(struct eth_network *network, const struct eth_frame *got, unsigned index,
                 int64_t late_ns)
{
    const struct eth_wire *wire = network->wire;
    const unsigned number = index < ETH_INDEX_MAX ? wire->end_of[index] : 0;
    if (number == 0)
        return;
    const unsigned port = (number - 1) / 4, end = (number - 1) % 4;
    if (end == ETH_END_HOST || (end == ETH_END_CABLE && wire->port[port].by_hand))
        return;
    const uint16_t i = eth_frame_new(network);
    if (i == ETH_NO_FRAME)
        return;
    memcpy(&network->frame[i], got, offsetof(struct eth_frame, bytes) + got->size_B);
    if (end == ETH_END_CABLE)
        overhear(network, port, i);
    else
        take_by_hand(network, port, i, late_ns);
}

static void look(struct eth_network *network, int64_t now_ns)
{
    struct eth_wire *wire = network->wire;
    bool changed = false;
    if (now_ns - wire->looked_ns < LOOK_NS)
        return;
    wire->looked_ns = now_ns;
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++) {
        struct wire_port *port = &wire->port[p];
        if (port->index[ETH_END_CABLE] == 0)
            continue;
        const bool carrier = eth_veth_has_carrier(wire->tap, port->index[ETH_END_CABLE]);
        changed |= carrier != port->carrier;
        port->carrier = carrier;
    }
    if (changed)
        eth_look_at_links(network);
}

// An owner that did not run heard nobody: that is no silence of theirs.
static void forgive(struct eth_network *network, int64_t until_ns)
{
    const int64_t away_ns = until_ns - network->now_ns;
    if (away_ns < network->plan->cycle_ns / 2)
        return;
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++)
        network->port[p].heard_ns += away_ns;
}

void eth_wire_pump(struct eth_network *network, int64_t until_ns)
{
    struct eth_frame got = {0};
    forgive(network, until_ns);
    for (unsigned n = 0; n < PUMPED_MAX; n++) {
        unsigned index;
        int64_t stamp_ns;
        if (!eth_packet_receive(network->wire->tap, &got, &index, &stamp_ns))
            break;
        const int64_t at_ns = until_ns - eth_packet_age_ns(stamp_ns);
        if (at_ns > network->now_ns && at_ns <= until_ns)
            network->now_ns = at_ns;
        got.time_ns = got.taken_ns = network->now_ns;
        take(network, &got, index, until_ns - at_ns);
    }
    look(network, until_ns);
    eth_wire_follow(network);
}
