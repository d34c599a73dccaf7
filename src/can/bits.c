#include "can/bits.h"

#define CRC_POLYNOMIAL 0x4599u
#define STUFF_RUN 5u
// CRC delimiter, acknowledge slot and delimiter, end of frame: never stuffed.
#define TAIL_BITS (1u + 2u + 7u)

// The bits of one frame as they are put on the wire.
struct wire {
    unsigned crc;
    unsigned bits;
    unsigned run;  // equal bits in a row, stuff bits included
    unsigned last; // last bit on the wire
};

static void put_bit(struct wire *wire, unsigned bit)
{
    wire->bits++;
    wire->run = bit == wire->last ? wire->run + 1 : 1;
    wire->last = bit;
    if (wire->run == STUFF_RUN) {
        wire->bits++;
        wire->run = 1;
        wire->last = !bit;
    }
}

static void put_field(struct wire *wire, uint32_t value, unsigned width)
{
    while (width-- > 0) {
        unsigned bit = value >> width & 1;
        unsigned feedback = bit ^ (wire->crc >> 14 & 1);
        wire->crc = (wire->crc << 1 & 0x7FFF) ^ (feedback ? CRC_POLYNOMIAL : 0);
        put_bit(wire, bit);
    }
}

// Start of frame to the end of the data field.
static void put_contents(struct wire *wire, const struct can_frame *frame)
{
    unsigned remote = (frame->can_id & CAN_RTR_FLAG) != 0;
    put_field(wire, 0, 1); // start of frame
    if (frame->can_id & CAN_EFF_FLAG) {
        uint32_t id = frame->can_id & CAN_EFF_MASK;
        put_field(wire, id >> 18, 11);
        put_field(wire, 3, 2); // SRR, IDE
        put_field(wire, id & 0x3FFFF, 18);
        put_field(wire, remote << 2, 3); // RTR, r1, r0
    } else {
        put_field(wire, frame->can_id & CAN_SFF_MASK, 11);
        put_field(wire, remote << 2, 3); // RTR, IDE, r0
    }
    unsigned length = frame->can_dlc < CAN_MAX_DLEN ? frame->can_dlc : CAN_MAX_DLEN;
    put_field(wire, length, 4);
    for (unsigned i = 0; !remote && i < length; i++)
        put_field(wire, frame->data[i], 8);
}

uint16_t can_frame_crc(const struct can_frame *frame)
{
    struct wire wire = {.last = 1};
    put_contents(&wire, frame);
    return (uint16_t)wire.crc;
}

unsigned can_frame_bits(const struct can_frame *frame)
{
    struct wire wire = {.last = 1};
    put_contents(&wire, frame);
    put_field(&wire, wire.crc, 15);
    return wire.bits + TAIL_BITS;
}

uint32_t can_frame_arbitration(const struct can_frame *frame)
{
    uint32_t remote = (frame->can_id & CAN_RTR_FLAG) != 0;
    if (!(frame->can_id & CAN_EFF_FLAG))
        return (frame->can_id & CAN_SFF_MASK) << 21 | remote << 20;
    uint32_t id = frame->can_id & CAN_EFF_MASK;
    return id >> 18 << 21 | 3u << 19 | (id & 0x3FFFF) << 1 | remote;
}
