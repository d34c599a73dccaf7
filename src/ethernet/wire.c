#include "ethernet/wire.h"

#include <linux/if_ether.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/invariant.h"
#include "base/netlink.h"
#include "ethernet/packet.h"
#include "ethernet/veth.h"

#define WAIT_NS 1000000
#define RECEIVE_BUFFER_B (4 << 20)

// ---- what is sent -------------------------------------------------------------------------------

void eth_wire_send(const struct eth_network *network, unsigned port, const struct eth_frame *frame)
{
    expects(network->wire->port[port].index[ETH_END_CABLE] != 0);
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
    expects(port < ETH_PORTS_MAX);
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
    expects(network->wire != NULL);
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
        if (port->index[e] == 0 || port->index[e] >= ETH_INDEX_MAX)
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
