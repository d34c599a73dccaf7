// A network whose frames travel through the kernel (veth.h), from its owner's side: what arrives by
// hand goes through the same model as that of an embedded network, without its times. Private to
// src/ethernet.
#pragma once

#include "ethernet/network_private.h"

#define ETH_INDEX_MAX 1024 // of interfaces: a cell has no others

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
    uint16_t end_of[ETH_INDEX_MAX]; // interface -> 1 + 4 * port + enum eth_end
};

// Errors as eth_network_open. The network's plan is complete.
enum status eth_wire_open(struct eth_network *network) MUST_CHECK;
void eth_wire_close(struct eth_network *network);

// Takes in all that has come until then, and looks at the links (wire_pump.c).
void eth_wire_pump(struct eth_network *network, int64_t until_ns);
void eth_wire_send(const struct eth_network *network, unsigned port, const struct eth_frame *frame);
// To the sockets of the port's host.
void eth_wire_deliver(const struct eth_network *network, unsigned port,
                      const struct eth_frame *frame);
// Plugs and unplugs cables, and chooses which ports are handled by hand, as the network now is.
void eth_wire_follow(struct eth_network *network);
bool eth_wire_carries(const struct eth_network *network, unsigned port);
// Whether each cable has a carrier, or none, as it should.
bool eth_wire_confirms(const struct eth_network *network);
// Waits for a frame until then, at most a millisecond: what disturbs has changed without one.
enum status eth_wire_wait(const struct eth_network *network, struct clk *clk,
                          instant deadline) MUST_CHECK;
