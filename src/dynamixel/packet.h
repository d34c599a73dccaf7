// Packets of the Dynamixel protocol 1.0: FF FF id length code parameters... sum, where the code is
// an instruction on the way to a device, and the error bits on the way back.
//
// Pure; real-time safe. Any bytes may come: a decoder says packet or not, and never reads beyond.
#pragma once

#include <stdint.h>

#include "base/time.h"

#define DXL_BROADCAST 0xFEu
#define DXL_PARAMETERS_MAX 253u
#define DXL_OVERHEAD_B 6u // header, id, length, code, sum
#define DXL_PACKET_MAX_B (DXL_PARAMETERS_MAX + DXL_OVERHEAD_B)
#define DXL_GAP_MAX_NS INT64_C(100000000) // a longer gap within a packet discards it

enum dxl_instruction {
    DXL_PING = 1,
    DXL_READ = 2,
    DXL_WRITE = 3,
    DXL_REG_WRITE = 4,
    DXL_ACTION = 5,
    DXL_RESET = 6,
    DXL_SYNC_WRITE = 0x83,
};

enum dxl_error {
    DXL_ERROR_VOLTAGE = 1,
    DXL_ERROR_ANGLE = 2,
    DXL_ERROR_OVERHEAT = 4,
    DXL_ERROR_RANGE = 8,
    DXL_ERROR_SUM = 16,
    DXL_ERROR_OVERLOAD = 32,
    DXL_ERROR_INSTRUCTION = 64,
};

struct dxl_packet {
    uint8_t id;
    uint8_t code; // enum dxl_instruction, or bits of enum dxl_error
    uint8_t count;
    uint8_t parameter[DXL_PARAMETERS_MAX];
};

// Writes the packet's bytes and returns how many; a count above DXL_PARAMETERS_MAX is cut.
unsigned dxl_encode(const struct dxl_packet *packet, uint8_t bytes[DXL_PACKET_MAX_B]);

// Zero: has heard nothing.
struct dxl_decoder {
    unsigned count;
    instant last;
    uint8_t byte[DXL_PACKET_MAX_B];
};

enum dxl_decoded {
    DXL_MORE,   // no packet has ended
    DXL_WHOLE,  // *packet is one
    DXL_BROKEN, // one has ended with a wrong sum; id and code of *packet are what they seem to be
};

// Takes a byte whose stop bit ended at t.
enum dxl_decoded dxl_decode(struct dxl_decoder *decoder, uint8_t byte, instant t,
                            struct dxl_packet *packet);

// 16-bit numbers in parameters and registers: low byte first.
static inline unsigned dxl_word(const uint8_t *at)
{
    return (unsigned)(at[0] | at[1] << 8);
}
static inline void dxl_put_word(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}
