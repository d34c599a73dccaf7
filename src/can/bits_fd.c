// The length of CAN FD frames: bit by bit, as they are rare here.
#include "can/bits.h"

#define STUFF_RUN 5u
#define CRC17_DATA_MAX_B 16u
// Stuff count and CRC with a fixed stuff bit before the first and after each fourth of their bits.
#define CRC17_FIELD_BITS (4u + 17u + 6u)
#define CRC21_FIELD_BITS (4u + 21u + 7u)
// CRC delimiter, acknowledge slot and delimiter, end of frame: never stuffed.
#define TAIL_BITS (1u + 2u + 7u)

struct wire {
    struct can_length length;
    bool fast; // the data bitrate holds
    unsigned run, last;
};

static void count(struct wire *wire, unsigned bits)
{
    if (wire->fast)
        wire->length.data_bits += bits;
    else
        wire->length.nominal_bits += bits;
}

// Puts `width` bits of `value` on the wire. A stuff bit that is due is inserted before the next
// bit, so that none is inserted at the end of the data field, where a fixed stuff bit follows.
static void put(struct wire *wire, uint32_t value, unsigned width)
{
    while (width-- > 0) {
        const unsigned bit = value >> width & 1;
        if (wire->run == STUFF_RUN) {
            count(wire, 1);
            wire->last = !wire->last;
            wire->run = 1;
        }
        count(wire, 1);
        wire->run = bit == wire->last ? wire->run + 1 : 1;
        wire->last = bit;
    }
}

static const uint8_t payload_B[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64};

static unsigned length_code(unsigned length)
{
    unsigned code = 0;
    while (code < 15 && payload_B[code] < length)
        code++;
    return code;
}

unsigned can_fd_payload_B(unsigned length)
{
    return payload_B[length_code(length)];
}

struct can_length can_fd_frame_length(const struct canfd_frame *frame)
{
    struct wire wire = {.last = 1};
    put(&wire, 0, 1); // start of frame
    if (frame->can_id & CAN_EFF_FLAG) {
        const uint32_t id = frame->can_id & CAN_EFF_MASK;
        put(&wire, id >> 18, 11);
        put(&wire, 3, 2); // SRR, IDE
        put(&wire, id & 0x3FFFF, 18);
        put(&wire, 0, 1); // RRS
    } else {
        put(&wire, frame->can_id & CAN_SFF_MASK, 11);
        put(&wire, 0, 2); // RRS, IDE
    }
    put(&wire, 2, 2); // FDF, res
    const bool switches = (frame->flags & CANFD_BRS) != 0;
    put(&wire, switches, 1);
    wire.fast = switches;
    put(&wire, (frame->flags & CANFD_ESI) != 0, 1);
    const unsigned code = length_code(frame->len), data_B = payload_B[code];
    put(&wire, code, 4);
    for (unsigned i = 0; i < data_B; i++)
        put(&wire, i < frame->len ? frame->data[i] : 0, 8);
    count(&wire, data_B <= CRC17_DATA_MAX_B ? CRC17_FIELD_BITS : CRC21_FIELD_BITS);
    wire.fast = false;
    count(&wire, TAIL_BITS);
    return wire.length;
}
