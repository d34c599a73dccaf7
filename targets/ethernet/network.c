// The network of the cell, which the lab lets go first whenever time has advanced: it carries
// frames, and publishes what its ports count and what crossed its cables.
#include <stdio.h>

#include "ethernet/tell.h"
#include "network.h"
#include "robot/participant.h"
#include "talk.h"
#include "targets/ethernet/wire_log.h"
#include "wire.h"

#define WIRE_HEAD_B sizeof(((struct WireFrame *)0)->head)
#define WIRE_MAX (sizeof((struct wire_message *)0)->frame / sizeof(struct WireFrame))

struct log {
    const struct eth_network *network;
    struct channel *network_channel;
    struct eth_told told;
    struct wire_log *wire;
};

static void add_port(struct network_message *sum, const struct eth_port_counts *port)
{
    sum->sent += port->sent;
    sum->received += port->received;
    sum->crc_errors += port->crc_errors;
    sum->malformed += port->malformed;
    sum->full += port->full;
    sum->cut += port->cut;
    sum->unknown += port->unknown;
    sum->home += port->home;
    sum->copies += port->copies;
    sum->holes += port->holes;
    sum->twice += port->twice;
    sum->lost_links += port->lost_links;
}

static void sum_up(const struct eth_network *network, struct network_message *sum)
{
    const struct eth_plan *plan = eth_network_plan(network);
    unsigned down;
    sum->broken_cable = eth_network_broken(network, &down);
    sum->links_down = (int32_t)down;
    for (unsigned c = 0; c < plan->cable_count; c++) {
        for (unsigned e = 0; e < 2; e++) {
            const struct eth_port_counts *port = eth_network_counts(network, plan->cable[c].end[e]);
            add_port(sum, port);
            sum->misplaced += port->misplaced != 0;
        }
    }
}

static void publish(struct log *log, instant now)
{
    struct network_message sum = {.time_ns = now.ns};
    sum_up(log->network, &sum);
    eth_network_tell(log->network, &log->told, now);
    if (channel_put(log->network_channel, &sum, sizeof sum, now) != STATUS_OK ||
        wire_log_publish(log->wire, now) != STATUS_OK)
        fputs("network: cannot publish\n", stderr);
}

int main(int argc, char **argv)
{
    static struct log log;
    struct eth_network *network;
    struct clk *clk;
    if (participant_begin(argc, argv) != STATUS_OK)
        return 2;
    if (participant_channel("network", CHANNEL_WRITE, sizeof(struct network_message),
                            &log.network_channel) != STATUS_OK ||
        wire_log_open(WIRE_HEAD_B, WIRE_MAX, &log.wire) != STATUS_OK ||
        eth_network_open(NETWORK, &network) != STATUS_OK || participant_join(&clk) != STATUS_OK)
        return 3;
    log.network = network;
    eth_network_listen(network, wire_log_frame, log.wire);
    for (instant next = instant_ns(0);;) {
        if (eth_network_serve(network, clk, next) != STATUS_OK)
            return 3;
        if (instant_before(clk_now(clk), next))
            continue;
        eth_network_advance(network, clk_now(clk));
        publish(&log, clk_now(clk));
        next = instant_add(next, duration_ns(CYCLE_NS));
    }
}
