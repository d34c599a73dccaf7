// How long a CAN frame is on the wire, bit for bit (ISO 11898-1: CRC-15, bit stuffing). Pure;
// real-time safe.
#pragma once

#include <linux/can.h>
#include <stdint.h>

#define CAN_INTERFRAME_BITS 3u // intermission between a frame's end and the next start

// CRC-15 (polynomial 0x4599) over the unstuffed bits from start of frame to the end of the data
// field.
uint16_t can_frame_crc(const struct can_frame *frame);

// Bits from start of frame to end of frame, including the stuff bits this frame's contents need,
// its acknowledge and end-of-frame fields, without the intermission. Standard and extended, data
// and remote frames.
unsigned can_frame_bits(const struct can_frame *frame);

// The frame's place in arbitration: of two frames started at once the one with the smaller value
// wins (a dominant bit is 0). It holds identifier, RTR/SRR and IDE bits in the order in which they
// appear on the wire.
uint32_t can_frame_arbitration(const struct can_frame *frame);
