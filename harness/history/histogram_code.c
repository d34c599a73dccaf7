#include "harness/history/histogram_code.h"

#include <string.h>

// V2EncodingCookieBase | 0x10 of HdrHistogram's AbstractHistogram.java.
#define COOKIE 0x1c849313u
// The double 1.0: what a stored integer is multiplied with.
#define RATIO_ONE 0x3ff0000000000000u
#define NUMBER_MAX_B 9

// ---- writing ----------------------------------------------------------------------------------

static void put_big_endian(uint8_t *bytes, uint64_t value, unsigned size_B)
{
    for (unsigned i = 0; i < size_B; i++)
        bytes[i] = (uint8_t)(value >> (8 * (size_B - 1 - i)));
}

// LEB128 of at most 9 bytes, the last of which has 8 bits; signs in the lowest bit (zig-zag).
static uint8_t *put_number(uint8_t *to, int64_t number)
{
    uint64_t bits = ((uint64_t)number << 1) ^ (number < 0 ? UINT64_MAX : 0);
    unsigned size_B = 1;
    for (; bits >= 0x80 && size_B < NUMBER_MAX_B; size_B++, bits >>= 7)
        *to++ = (uint8_t)(bits | 0x80);
    *to++ = (uint8_t)bits;
    return to;
}

size_t histogram_encode(const struct histogram *h, uint8_t *bytes)
{
    unsigned used = HISTOGRAM_BUCKETS;
    while (used > 0 && h->bucket[used - 1] == 0)
        used--;
    uint8_t *to = bytes + HISTOGRAM_HEADER_B;
    for (unsigned i = 0; i < used;) {
        unsigned zeros = 0;
        while (i + zeros < used && h->bucket[i + zeros] == 0)
            zeros++;
        to = put_number(to, zeros > 1 ? -(int64_t)zeros : (int64_t)h->bucket[i]);
        i += zeros > 1 ? zeros : 1;
    }
    const size_t payload_B = (size_t)(to - bytes) - HISTOGRAM_HEADER_B;
    put_big_endian(bytes, COOKIE, 4);
    put_big_endian(bytes + 4, payload_B, 4);
    put_big_endian(bytes + 8, 0, 4); // offset of the first bucket
    put_big_endian(bytes + 12, HISTOGRAM_DIGITS, 4);
    put_big_endian(bytes + 16, 1, 8);
    put_big_endian(bytes + 24, HISTOGRAM_MAX_NS, 8);
    put_big_endian(bytes + 32, RATIO_ONE, 8);
    return HISTOGRAM_HEADER_B + payload_B;
}

// ---- reading ----------------------------------------------------------------------------------

static uint64_t big_endian(const uint8_t *bytes, unsigned size_B)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size_B; i++)
        value = value << 8 | bytes[i];
    return value;
}

// The number at *from, which moves on; false at the end of the bytes.
static bool take_number(const uint8_t **from, const uint8_t *end, int64_t *number)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < NUMBER_MAX_B && *from < end; i++) {
        const uint8_t byte = *(*from)++;
        const bool last = i == NUMBER_MAX_B - 1 || byte < 0x80;
        bits |= (uint64_t)(last ? byte : byte & 0x7f) << (7 * i);
        if (!last)
            continue;
        *number = (int64_t)(bits >> 1 ^ (bits & 1 ? UINT64_MAX : 0));
        return true;
    }
    return false;
}

static bool is_ours(const uint8_t *bytes, size_t size_B)
{
    return size_B >= HISTOGRAM_HEADER_B && big_endian(bytes, 4) == COOKIE &&
           big_endian(bytes + 4, 4) == size_B - HISTOGRAM_HEADER_B &&
           big_endian(bytes + 8, 4) == 0 && big_endian(bytes + 12, 4) == HISTOGRAM_DIGITS &&
           big_endian(bytes + 16, 8) == 1 && big_endian(bytes + 24, 8) == HISTOGRAM_MAX_NS &&
           big_endian(bytes + 32, 8) == RATIO_ONE;
}

static bool take_buckets(const uint8_t *from, const uint8_t *end, struct histogram *h)
{
    for (int64_t index = 0, number; from < end;) {
        if (!take_number(&from, end, &number) || index >= HISTOGRAM_BUCKETS ||
            number < index - HISTOGRAM_BUCKETS)
            return false;
        if (number >= 0)
            h->bucket[index] = (uint64_t)number;
        index += number < 0 ? -number : 1;
    }
    return true;
}

bool histogram_decode(const uint8_t *bytes, size_t size_B, struct histogram *h)
{
    histogram_reset(h);
    bool good =
        is_ours(bytes, size_B) && take_buckets(bytes + HISTOGRAM_HEADER_B, bytes + size_B, h);
    struct histogram_bucket bucket;
    for (unsigned position = 0; good && histogram_next(h, &position, &bucket);) {
        good = !__builtin_add_overflow(h->count, bucket.count, &h->count);
        h->sum_ns += (double)bucket.count * 0.5 * (double)(bucket.from_ns + bucket.to_ns);
        if (h->min_ns == INT64_MAX)
            h->min_ns = bucket.from_ns;
        h->max_ns = bucket.to_ns;
    }
    if (!good)
        histogram_reset(h);
    return good;
}
