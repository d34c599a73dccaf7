// How long a CAN frame is on the wire, bit for bit (ISO 11898-1: CRC, bit stuffing). Pure;
// real-time safe.
//
// Frames are `struct canfd_frame`, to which `struct can_frame` has the same layout as far as it
// reaches; one with CANFD_FDF among its flags is a CAN FD frame.
#pragma once

#include <linux/can.h>
#include <stdbool.h>
#include <stdint.h>

#define CAN_INTERFRAME_BITS 3u // intermission between a frame's end and the next start

// Bits sent at the nominal and at the data bitrate.
struct can_length {
    unsigned nominal_bits, data_bits;
};

// ---- classical frames ----

// Bits from start of frame to end of frame, including the stuff bits this frame's contents need,
// its acknowledge and end-of-frame fields, without the intermission. Standard and extended, data
// and remote frames.
unsigned can_frame_bits(const struct can_frame *frame);

// ---- CAN FD frames ----

// The same for a CAN FD frame (ISO CRC: stuff count and fixed stuff bits). The bitrate changes at
// the ends of the bits BRS and CRC delimiter (on a wire: at their sample points, less than one bit
// earlier) if the frame has CANFD_BRS; otherwise all are nominal.
struct can_length can_fd_frame_length(const struct canfd_frame *frame);

// The smallest payload a CAN FD frame can have that holds `length` bytes, at most 64: 0..8, 12, 16,
// 20, 24, 32, 48, 64.
unsigned can_fd_payload_B(unsigned length);

// ---- both ----

static inline bool can_is_fd(const struct canfd_frame *frame)
{
    return (frame->flags & CANFD_FDF) != 0;
}

// The frame's place in arbitration: of two frames started at once the one with the smaller value
// wins (a dominant bit is 0). It holds identifier, RTR/SRR and IDE bits in the order in which they
// appear on the wire.
uint32_t can_frame_arbitration(const struct can_frame *frame);
