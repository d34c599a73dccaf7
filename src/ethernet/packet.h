// Frames to and from interfaces of the kernel (AF_PACKET), whole from their destination's address
// on. Private to src/ethernet.
#pragma once

#include "clock/clock.h"
#include "ethernet/frame.h"

#define ETH_PACKET_INDEXES_MAX 4

// A socket for one EtherType, or ETH_P_ALL (as they come, before filters), of what others send to
// these interfaces; none: to all. -1: errno.
int eth_packet_open(uint16_t protocol, const unsigned *index, unsigned count);
// From now on the kernel says when it had a frame.
bool eth_packet_stamp(int file);
// By interface `index`; 0: by the one that the socket is for. 0, or -1 with errno.
int eth_packet_send(int file, unsigned index, const struct eth_frame *frame);
// The same by an interface, and how long ago the kernel sent it, as it says itself. -1: it did not
// go, or nobody knows when.
int eth_packet_send_stamped(int file, unsigned index, struct eth_frame *frame, int64_t *age_ns);
// Fills size and bytes; `index`: of the interface; `age_ns`: since the kernel had it. NULL: nobody
// asks, which is cheaper. False: there is none.
bool eth_packet_receive(int file, struct eth_frame *frame, unsigned *index, int64_t *age_ns);
// As clk_wait, in real time.
enum status eth_packet_wait(const int *file, unsigned count, struct clk *clk, instant until);
