// Frames to and from interfaces of the kernel (AF_PACKET), whole from their destination's address
// on. Private to src/ethernet, and to who measures what its stamps are worth.
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
// The same by an interface, and the kernel's stamp of when it went. -1: it did not go, or nobody
// knows when.
int eth_packet_send_stamped(int file, unsigned index, struct eth_frame *frame, int64_t *stamp_ns);
// Fills size and bytes; `index`: of the interface; `stamp_ns`: the kernel's, of when it came; 0: it
// gave none. NULL: nobody asks, which is cheaper. False: there is none.
bool eth_packet_receive(int file, struct eth_frame *frame, unsigned *index, int64_t *stamp_ns);
// A stamp (CLOCK_REALTIME) as age, and in the trial's time. The second is right to some 0.1 us,
// even if the process is interrupted between reading one clock and the other. 0: as of now.
int64_t eth_packet_real_ns(void); // by the clock of stamps
int64_t eth_packet_age_ns(int64_t stamp_ns);
int64_t eth_packet_true_ns(int64_t stamp_ns, const struct clk *clk);
// As clk_wait, in real time.
enum status eth_packet_wait(const int *file, unsigned count, struct clk *clk, instant until);
