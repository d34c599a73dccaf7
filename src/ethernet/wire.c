#include "ethernet/wire.h"

#include <linux/if_ether.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/netlink.h"
#include "ethernet/packet.h"
#include "ethernet/veth.h"

#define INDEX_MAX 1024 // of interfaces: a cell has no others
#define PUMPED_MAX 4096
#define LOOK_NS 500000
#define WAIT_NS 1000000
#define RECEIVE_BUFFER_B (4 << 20)

struct wire_port {
    unsigned index[3]; // by enum eth_end; 0: none
    unsigned peer;     // at the other end of its pair, whatever is plugged in where
    unsigned group;    // 0: of the hub's own hosts; else of a ring
    bool by_hand, carrier;
};

struct eth_wire {
    int kernel, tap;
    int64_t looked_ns;
    struct wire_port port[ETH_PORTS_MAX];
    bool plugged[ETH_CABLES_MAX];
    uint16_t end_of[INDEX_MAX]; // interface -> 1 + 4 * port + enum eth_end
};

// ---- what arrives -------------------------------------------------------------------------------

// Seen on its way through the kernel.
static void overhear(struct eth_network *network, unsigned port, uint16_t i)
{
    eth_note_sent(network, network->wire->port[port].peer, i);
    eth_overhear(network, port, i);
}

static void take_by_hand(struct eth_network *network, unsigned wired, uint16_t i, int64_t late_ns)
{
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
    const unsigned number = index < INDEX_MAX ? wire->end_of[index] : 0;
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

// ---- what is sent -------------------------------------------------------------------------------

void eth_wire_send(const struct eth_network *network, unsigned port, const struct eth_frame *frame)
{
    (void)eth_packet_send(network->wire->tap, network->wire->port[port].index[ETH_END_CABLE],
                          frame);
}

void eth_wire_deliver(const struct eth_network *network, unsigned port,
                      const struct eth_frame *frame)
{
    (void)eth_packet_send(network->wire->tap, network->wire->port[port].index[ETH_END_OWNER],
                          frame);
}

// ---- cables, and who relays ---------------------------------------------------------------------

// Cables that are whole or cut, and hosts that have power or none, need nobody in the middle.
static bool needs_no_hand(uint32_t kind)
{
    return kind == ETH_DISTURB_CUT || kind == ETH_DISTURB_FLAP || kind == ETH_DISTURB_DEAD;
}

// Who is handled by hand: all ports of a ring, or of the hub's own hosts.
static void mark_group(const struct eth_network *network, unsigned group, bool by_hand[])
{
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++)
        by_hand[p] |= network->wire->port[p].group == group;
}

static void mark_disturbed(const struct eth_network *network, bool by_hand[])
{
    for (unsigned d = 0; d < ETH_DISTURBANCES_MAX && network->disturbance_count > 0; d++) {
        const struct eth_disturbance *what = &network->disturbance[d].what;
        if (network->disturbance[d].active == 0 || needs_no_hand(what->kind))
            continue;
        if (what->kind == ETH_DISTURB_FLOOD) // relays know their own
            memset(by_hand + ETH_HUB_PORT, true, ETH_HUB_PORTS_MAX);
        else if (what->cable < network->plan->cable_count && what->kind != ETH_DISTURB_SWAP) {
            const struct eth_cable *cable = &network->plan->cable[what->cable];
            mark_group(network, network->wire->port[cable->end[0]].group, by_hand);
            mark_group(network, network->wire->port[cable->end[1]].group, by_hand);
        } else
            memset(by_hand, true, ETH_PORTS_MAX);
    }
}

static void mark_hosts(const struct eth_network *network, bool by_hand[])
{
    for (unsigned h = 0; h < network->plan->host_count; h++) {
        const struct eth_host_page *page = &network->page->host[h];
        if (atomic_load_explicit(&page->relay, memory_order_relaxed) == 0 ||
            atomic_load_explicit(&page->through, memory_order_relaxed) < 2)
            mark_group(network, network->wire->port[2 * h].group, by_hand);
    }
}

// Where routes have changed: relays beside a link that does not work turn frames round, and the hub
// sends by either end of that ring. All others pass frames on as before, and marks with them.
static void mark_broken(const struct eth_network *network, bool by_hand[])
{
    const struct wire_port *port = network->wire->port;
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++) {
        if (network->port[p].link == LINK_ABSENT || network->port[p].link == LINK_WORKS ||
            network->plan->redundancy != ETH_SWITCH)
            continue;
        if (p < ETH_HUB_PORT)
            by_hand[p] = by_hand[p ^ 1] = true;
        for (unsigned hub = ETH_HUB_PORT; hub < ETH_PORTS_MAX; hub++)
            by_hand[hub] |= port[hub].group == port[p].group || port[hub].group == 0;
    }
}

static void choose_hands(struct eth_network *network)
{
    struct eth_wire *wire = network->wire;
    bool by_hand[ETH_PORTS_MAX] = {false};
    mark_disturbed(network, by_hand);
    mark_hosts(network, by_hand);
    mark_broken(network, by_hand);
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++) {
        struct wire_port *port = &wire->port[p];
        if (port->index[ETH_END_CABLE] == 0 || port->by_hand == by_hand[p])
            continue;
        if (eth_veth_by_hand(wire->kernel, port->index[ETH_END_CABLE], port->index[ETH_END_HOST],
                             by_hand[p]) == 0)
            port->by_hand = by_hand[p];
    }
}

static bool should_carry(const struct eth_network *network, unsigned cable)
{
    const struct eth_cable *laid = &network->plan->cable[cable];
    bool carries = network->cut[cable] == 0;
    for (unsigned e = 0; e < 2; e++)
        carries &= laid->end[e] >= ETH_HUB_PORT || network->dead[laid->end[e] / 2] == 0;
    return carries;
}

void eth_wire_follow(struct eth_network *network)
{
    struct eth_wire *wire = network->wire;
    for (unsigned c = 0; c < network->plan->cable_count; c++) {
        const bool plugged = should_carry(network, c);
        const unsigned index = wire->port[network->plan->cable[c].end[0]].index[ETH_END_CABLE];
        if (plugged != wire->plugged[c] && eth_veth_plug(wire->kernel, index, plugged) == 0) {
            wire->plugged[c] = plugged;
            wire->looked_ns = INT64_MIN / 2; // the carriers are looked at next time
        }
    }
    choose_hands(network);
}

bool eth_wire_carries(const struct eth_network *network, unsigned port)
{
    return network->wire->port[port].carrier;
}

bool eth_wire_confirms(const struct eth_network *network)
{
    const struct eth_wire *wire = network->wire;
    for (unsigned c = 0; c < network->plan->cable_count; c++)
        for (unsigned e = 0; e < 2; e++) {
            const struct wire_port *port = &wire->port[network->plan->cable[c].end[e]];
            if (eth_veth_has_carrier(wire->tap, port->index[ETH_END_CABLE]) !=
                should_carry(network, c))
                return false;
        }
    return true;
}

enum status eth_wire_wait(const struct eth_network *network, struct clk *clk, instant deadline)
{
    return eth_packet_wait(&network->wire->tap, 1, clk,
                           instant_min(deadline, instant_add(clk_now(clk), duration_ns(WAIT_NS))));
}

// ---- opening ------------------------------------------------------------------------------------

static unsigned group_of(const struct eth_plan *plan, unsigned port)
{
    for (unsigned h = 0; h < plan->host_count; h++) {
        const struct eth_host_plan *host = &plan->host[h];
        if (port / 2 == h || host->hub_port[0] == port || host->hub_port[1] == port)
            return (unsigned)(host->ring + 1);
    }
    return 0;
}

static bool find_port(struct eth_network *network, unsigned p, unsigned peer)
{
    struct eth_wire *wire = network->wire;
    struct wire_port *port = &wire->port[p];
    port->peer = peer;
    port->group = group_of(network->plan, p);
    port->carrier = true;
    for (unsigned e = 0; e < 3; e++) {
        port->index[e] = eth_veth_index(network->plan->name, p, (enum eth_end)e);
        if (port->index[e] == 0 || port->index[e] >= INDEX_MAX)
            return false;
        wire->end_of[port->index[e]] = (uint16_t)(1 + 4 * p + e);
    }
    return true;
}

static bool find_ports(struct eth_network *network)
{
    bool found = true;
    for (unsigned c = 0; c < network->plan->cable_count && found; c++) {
        const uint32_t *end = network->plan->cable[c].end;
        found = find_port(network, end[0], end[1]) && find_port(network, end[1], end[0]);
        network->wire->plugged[c] = true;
    }
    return found;
}

enum status eth_wire_open(struct eth_network *network)
{
    struct eth_wire *wire = calloc(1, sizeof *wire);
    if (wire == NULL)
        return STATUS_NO_MEMORY;
    network->wire = wire;
    wire->kernel = netlink_open();
    wire->tap = eth_packet_open(ETH_P_ALL, NULL, 0);
    if (wire->kernel < 0 || wire->tap < 0 || !eth_packet_stamp(wire->tap))
        return STATUS_SYSTEM;
    (void)setsockopt(wire->tap, SOL_SOCKET, SO_RCVBUF, &(const int){RECEIVE_BUFFER_B}, sizeof(int));
    network->own_plan.hub_ns = network->own_plan.relay_ns = 0; // they take what they take
    return find_ports(network) ? STATUS_OK : STATUS_NOT_FOUND;
}

void eth_wire_close(struct eth_network *network)
{
    if (network->wire == NULL)
        return;
    if (network->wire->kernel >= 0)
        close(network->wire->kernel);
    if (network->wire->tap >= 0)
        close(network->wire->tap);
    free(network->wire);
    network->wire = NULL;
}
