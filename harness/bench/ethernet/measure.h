// What is measured of Ethernet by the kernel's cables: each in a rig (rig.h).
#pragma once

#include "harness/bench/ethernet/rig.h"

// The listing of the paper's section V: one sends and one receives at rig->period, by the two ends
// of a cable. Parts as named.
enum ethernet_part { SENT_LATE, SEND_TOOK, RECEIVED_LATE, RECEIVE_TOOK };
void measure_listing(struct rig *rig, struct clk *clk);

// One way by one cable, the receiver looking all the time: by this library, and by bare sockets of
// the kernel in turn with it.
enum ethernet_pair_part {
    LIBRARY_SEND,
    LIBRARY_RECEIVE,
    LIBRARY_WAY,
    BARE_SEND,
    BARE_RECEIVE,
    BARE_WAY
};
void measure_pair(struct rig *rig, struct clk *clk);

// One way through the hub to the first and to the last node of a ring: relayed by the kernel, and
// by the network's owner.
enum ethernet_hop_part { KERNEL_FIRST, KERNEL_LAST, PROCESS_FIRST, PROCESS_LAST };
void measure_hops(struct rig *rig, struct clk *clk);

// Exchanges with a node each millisecond while cables are cut at random and repaired; sent, lost
// (not answered in the millisecond), late (of these, answered after it), events (cuts and mendings)
// and worst (exchanges lost of one event).
void measure_cuts(struct rig *rig, struct clk *clk);

// On the virtual clock: two boards that send to one another and receive, at rig->period, where each
// of these calls takes half of BOARD_COST_US; sent, late (ticks missed), and parts as in
// ethernet_part, but for BOARD_WAY: how long a frame is under way, by the hub.
#define BOARD_COST_US 200 // the paper's SH4: of sending and receiving
enum ethernet_board_part { BOARD_LATE, BOARD_SEND, BOARD_RECEIVE, BOARD_WAY };
void measure_board(struct rig *rig, struct clk *clk);
