#include "can/bits.h"

#define STUFF_RUN 5u
#define CRC_BITS 15u
// CRC delimiter, acknowledge slot and delimiter, end of frame: never stuffed.
#define TAIL_BITS (1u + 2u + 7u)

// A string of at most 128 bits, the first one sent being the most significant of `length`.
struct bit_string {
    unsigned __int128 bits;
    unsigned length;
};

static inline void append(struct bit_string *string, uint32_t value, unsigned width)
{
    string->bits = string->bits << width | value;
    string->length += width;
}

// Start of frame to the end of the data field: at most 39 + 64 bits.
static struct bit_string contents(const struct can_frame *frame)
{
    struct bit_string string = {0, 1}; // start of frame
    uint32_t remote = (frame->can_id & CAN_RTR_FLAG) != 0;
    if (frame->can_id & CAN_EFF_FLAG) {
        uint32_t id = frame->can_id & CAN_EFF_MASK;
        append(&string, id >> 18, 11);
        append(&string, 3, 2); // SRR, IDE
        append(&string, id & 0x3FFFF, 18);
    } else {
        append(&string, frame->can_id & CAN_SFF_MASK, 11);
    }
    append(&string, remote << 2, 3); // RTR, IDE or r1, r0
    unsigned length = frame->can_dlc < CAN_MAX_DLEN ? frame->can_dlc : CAN_MAX_DLEN;
    append(&string, length, 4);
    for (unsigned i = 0; !remote && i < length; i++)
        append(&string, frame->data[i], 8);
    return string;
}

// Four bits at a time: entry n is the remainder of n x^15 modulo the polynomial 0x4599. Leading
// zeros change nothing.
static uint32_t crc15(struct bit_string string)
{
    static const uint16_t remainders[16] = {0x0000, 0x4599, 0x4EAB, 0x0B32, 0x58CF, 0x1D56,
                                            0x1664, 0x53FD, 0x7407, 0x319E, 0x3AAC, 0x7F35,
                                            0x2CC8, 0x6951, 0x6263, 0x27FA};
    uint32_t crc = 0;
    for (int shift = (int)(string.length - 1) / 4 * 4; shift >= 0; shift -= 4) {
        uint32_t nibble = (uint32_t)(string.bits >> shift) & 0xF;
        crc = (crc << 4 & 0x7FFF) ^ remainders[crc >> 11 ^ nibble];
    }
    return crc;
}

// After five equal bits the opposite one is inserted, and counts for the run that follows. So a run
// of n equal bits takes (n + c) / 5 stuff bits, where c = 1 if the run before ended just where a
// bit was inserted.
struct stuffing {
    unsigned count;
    unsigned carry; // c
    int previous;   // bit at which the previous run ended
};

// Goes through the runs that end in one 64-bit word, whose lowest bit is bit `base` of the string.
static inline void count_runs(struct stuffing *stuffing, uint64_t ends, int base)
{
    while (ends) {
        int place = 63 - __builtin_clzll(ends);
        ends ^= 1ull << place;
        unsigned run = stuffing->carry + (unsigned)(stuffing->previous - (base + place));
        stuffing->previous = base + place;
        stuffing->count += run / STUFF_RUN;
        stuffing->carry = run % STUFF_RUN == 0;
    }
}

static unsigned stuff_bits(struct bit_string string)
{
    unsigned __int128 all = ((unsigned __int128)1 << string.length) - 1;
    unsigned __int128 ends =
        ((string.bits ^ string.bits << 1) & all) | 1; // the last bit ends a run in any case
    struct stuffing stuffing = {.previous = (int)string.length};
    count_runs(&stuffing, (uint64_t)(ends >> 64), 64);
    count_runs(&stuffing, (uint64_t)ends, 0);
    return stuffing.count;
}

uint16_t can_frame_crc(const struct can_frame *frame)
{
    return (uint16_t)crc15(contents(frame));
}

unsigned can_frame_bits(const struct can_frame *frame)
{
    struct bit_string string = contents(frame);
    append(&string, crc15(string), CRC_BITS);
    return string.length + stuff_bits(string) + TAIL_BITS;
}

uint32_t can_frame_arbitration(const struct can_frame *frame)
{
    uint32_t remote = (frame->can_id & CAN_RTR_FLAG) != 0;
    if (!(frame->can_id & CAN_EFF_FLAG))
        return (frame->can_id & CAN_SFF_MASK) << 21 | remote << 20;
    uint32_t id = frame->can_id & CAN_EFF_MASK;
    return id >> 18 << 21 | 3u << 19 | (id & 0x3FFFF) << 1 | remote;
}
