#include "can/bits.h"

#include <endian.h>
#include <string.h>

#include "base/invariant.h"

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

// The first `length` bytes, 1 to 8, as one number: the first byte is the most significant.
static uint64_t data_bits(const struct can_frame *frame, unsigned length)
{
    uint64_t bytes;
    memcpy(&bytes, frame->data, sizeof bytes);
    return be64toh(bytes) >> 8 * (CAN_MAX_DLEN - length);
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
    if (!remote && length > 0) {
        string.bits = string.bits << 8 * length | data_bits(frame, length);
        string.length += 8 * length;
    }
    return string;
}

// The remainder of b x^15 modulo the polynomial 0x4599 is the sum of those of b's bits.
#define REMAINDER(b)                                                                               \
    (((b)&1 ? 0x4599 : 0) ^ ((b)&2 ? 0x4EAB : 0) ^ ((b)&4 ? 0x58CF : 0) ^ ((b)&8 ? 0x7407 : 0) ^   \
     ((b)&16 ? 0x2D97 : 0) ^ ((b)&32 ? 0x5B2E : 0) ^ ((b)&64 ? 0x73C5 : 0) ^                       \
     ((b)&128 ? 0x2213 : 0))
#define REMAINDERS_4(b) REMAINDER(b), REMAINDER((b) + 1), REMAINDER((b) + 2), REMAINDER((b) + 3)
#define REMAINDERS_16(b)                                                                           \
    REMAINDERS_4(b), REMAINDERS_4((b) + 4), REMAINDERS_4((b) + 8), REMAINDERS_4((b) + 12)
#define REMAINDERS_64(b)                                                                           \
    REMAINDERS_16(b), REMAINDERS_16((b) + 16), REMAINDERS_16((b) + 32), REMAINDERS_16((b) + 48)

static const uint16_t remainders[256] = {REMAINDERS_64(0), REMAINDERS_64(64), REMAINDERS_64(128),
                                         REMAINDERS_64(192)};

// Continues a remainder with the lowest `width` bits of a word, eight at a time, from the top. What
// fills up the first eight are zeros, which change nothing at the beginning.
static uint32_t continue_crc(uint32_t crc, uint64_t word, unsigned width)
{
    for (int shift = ((int)width - 1) / 8 * 8; shift >= 0; shift -= 8)
        crc = (crc << 8 & 0x7FFF) ^ remainders[crc >> 7 ^ ((uint32_t)(word >> shift) & 0xFF)];
    return crc;
}

static uint32_t crc15(struct bit_string string)
{
    expects(string.length <= 128);
    if (string.length <= 64)
        return continue_crc(0, (uint64_t)string.bits, string.length);
    const uint32_t crc = continue_crc(0, (uint64_t)(string.bits >> 64), string.length - 64);
    return continue_crc(crc, (uint64_t)string.bits, 64);
}

static int highest_bit(unsigned __int128 bits)
{
    const uint64_t high = (uint64_t)(bits >> 64);
    return high != 0 ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)bits);
}

// After five equal bits the opposite one is inserted, and counts for the run that follows: four
// bits that are equal to it then complete the next five; otherwise five others must come first.
static unsigned stuff_bits(struct bit_string string)
{
    const unsigned __int128 one = 1, all = (one << (string.length - 1)) - 1;
    const unsigned __int128 equal = ~(string.bits ^ string.bits >> 1) & all; // to the bit before
    const unsigned __int128 four = equal & equal >> 1 & equal >> 2; // this is their last bit
    const unsigned __int128 five = four & equal >> 3;
    unsigned count = 0;
    for (unsigned __int128 left = five; left != 0; count++) {
        int last = highest_bit(left);
        for (; last >= 4 && !(equal >> (last - 1) & 1) && four >> (last - 4) & 1; last -= 4)
            count++;
        left = last >= 5 ? five & ((one << (last - 4)) - 1) : 0;
    }
    return count;
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
