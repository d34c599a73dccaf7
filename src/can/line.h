// A CAN interface of the kernel (SocketCAN): a raw socket on it. Private to src/can.
//
// Opening allocates; reading and writing are real-time safe. Frames are classical or CAN FD
// (CANFD_FDF). The socket does not hear what it writes itself.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "can/can.h"

struct can_line; // opaque; owned by the caller

// Frames read in one step of whoever reads at most; the rest waits in the socket's buffer, and what
// finds that full is counted. More than the buffer holds (net.core.rmem_max, usually 208 KiB: some
// 550 frames).
#define CAN_LINE_READS_MAX 1024

// Opens the interface of that name in the present network namespace. UNSUPPORTED: this kernel has
// no SocketCAN; NOT_FOUND: no such interface; SYSTEM, NO_MEMORY.
enum status can_line_open(const char *interface, struct can_line **line) MUST_CHECK;
void can_line_close(struct can_line *line);

// For poll; -1 while the interface is gone.
int can_line_socket(const struct can_line *line);

// FULL: no room in the interface's queue; SYSTEM: it is down (it may be tried again), or gone
// (can_line_mend).
enum status can_line_write(struct can_line *line, const struct canfd_frame *frame) MUST_CHECK;

// The oldest frame that has come, with the kernel's time stamp (CLOCK_REALTIME, 0: none) in
// *stamp_ns (may be NULL); waits for one for at most `patience_ns` of wall time. EMPTY; SYSTEM.
enum status can_line_read(struct can_line *line, struct canfd_frame *frame, int64_t *stamp_ns,
                          int64_t patience_ns) MUST_CHECK;

// What is read: as can_listen.
enum status can_line_listen(struct can_line *line, const struct can_filter *filter, unsigned count,
                            uint32_t error_mask) MUST_CHECK;

// After SYSTEM: opens the interface again if it is gone, and may have been made anew. SYSTEM,
// NOT_FOUND: not yet.
enum status can_line_mend(struct can_line *line) MUST_CHECK;

// Frames written that still wait in the interface's queue, about; none and some are told apart.
unsigned can_line_unsent(const struct can_line *line);
// Frames that found the socket's buffer full since the line was opened; the kernel's count, the one
// SO_RXQ_OVFL tells with each frame.
uint64_t can_line_lost(const struct can_line *line);
// The same since this was last asked.
unsigned can_line_overrun(struct can_line *line);
// Times the interface was found down or gone.
uint64_t can_line_outages(const struct can_line *line);
