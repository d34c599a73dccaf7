// The kernel's side of a network: a pair of virtual Ethernet interfaces (veth) per cable, and the
// filters by which hub and relays send frames on without a process. Private to src/ethernet, but
// for what the lab calls (network.h).
//
// Port n of network "eth0" is the interface "eth0.n". While all is well, frames go from port to
// port in the kernel (clsact, u32, mirred); it relays only from and to addresses of the network, in
// one direction, and to the hub: none can run for ever. A port that is handled "by hand" gives all
// that arrives to the network's owner, by a second pair: "eth0.nw" is the owner's end, and what the
// owner sends there comes out at "eth0.nh", where the port's host listens, too.
#pragma once

#include <stdbool.h>

#include "ethernet/network.h"

enum eth_end { ETH_END_CABLE, ETH_END_HOST, ETH_END_OWNER };
// Number of a port's interface, 0: there is none.
unsigned eth_veth_index(const char *network, unsigned port, enum eth_end end);

// What the owner changes: `kernel` is a socket of netlink_open, `index` that of the port's cable
// end. 0 or an errno.
int eth_veth_by_hand(int kernel, unsigned index, unsigned host_index, bool by_hand);
int eth_veth_plug(int kernel, unsigned index, bool plugged);
// Whether there is a carrier, as the interface itself says; false also if it cannot be asked.
bool eth_veth_has_carrier(int any_socket, unsigned index);
