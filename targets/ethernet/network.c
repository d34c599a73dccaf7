// The network of the cell, which the lab lets go first whenever time has advanced: it carries
// frames, and publishes what its ports count and what crossed its cables.
#include <stdio.h>
#include <string.h>

#include "ethernet/network.h"
#include "network.h"
#include "robot/participant.h"
#include "talk.h"
#include "wire.h"

#define WIRE_MAX (sizeof((struct wire_message *)0)->frame / sizeof(struct WireFrame))

struct log {
    const struct eth_network *network;
    struct channel *network_channel, *wire_channel;
    struct wire_message wire;
};

static void on_frame(void *context, unsigned cable, unsigned end, const struct eth_frame *frame)
{
    struct log *log = context;
    if (log->wire.count == WIRE_MAX) {
        log->wire.dropped++;
        return;
    }
    struct WireFrame *entry = &log->wire.frame[log->wire.count++];
    *entry = (struct WireFrame){.time_ns = frame->time_ns,
                                .cable = (uint16_t)cable,
                                .end = (uint8_t)end,
                                .broken = frame->broken,
                                .size_B = frame->size_B};
    memcpy(entry->head, frame->bytes,
           frame->size_B < sizeof entry->head ? frame->size_B : sizeof entry->head);
}

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
    log->wire.time_ns = now.ns;
    const size_t size_B =
        offsetof(struct wire_message, frame) + log->wire.count * sizeof log->wire.frame[0];
    if (channel_put(log->network_channel, &sum, sizeof sum, now) != STATUS_OK ||
        channel_put(log->wire_channel, &log->wire, size_B, now) != STATUS_OK)
        fputs("network: cannot publish\n", stderr);
    log->wire.count = log->wire.dropped = 0;
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
        participant_channel("wire", CHANNEL_WRITE, sizeof(struct wire_message),
                            &log.wire_channel) != STATUS_OK ||
        eth_network_open(NETWORK, &network) != STATUS_OK || participant_join(&clk) != STATUS_OK)
        return 3;
    log.network = network;
    eth_network_listen(network, on_frame, &log);
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
