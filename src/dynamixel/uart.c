// What receivers make of the line: its level at each instant is the AND of all senders' bits.
#include "dynamixel/line_private.h"

#define EDGES_MAX 8192u // of a line that is never high for long

static instant bit_start(const struct burst *burst, int64_t bit)
{
    return instant_add(burst->start, bits_time(bit, burst->bitrate_bit_s));
}

// The bit of a burst at t, which is within it.
static int64_t bit_at(const struct burst *burst, instant t)
{
    int64_t bit = instant_sub(t, burst->start).ns * burst->bitrate_bit_s / 1000000000;
    bit += !instant_before(t, bit_start(burst, bit + 1)); // rounded down
    return bit;
}

static bool level_of(const struct burst *burst, int64_t bit)
{
    const unsigned within = (unsigned)(bit % BYTE_BITS);
    if (within == 0 || within == BYTE_BITS - 1)
        return within != 0; // start and stop bit
    return burst->byte[bit / BYTE_BITS] >> (within - 1) & 1;
}

static bool reaches(const struct dxl_line *line, const struct burst *burst,
                    const struct receiver *receiver)
{
    return !line->cut || burst->sender == STRANGER || is_host(burst->sender) == receiver->at_hosts;
}

static bool is_low_held(const struct dxl_line *line, instant t)
{
    return !instant_before(t, line->low_from) && instant_before(t, line->low_to);
}

static bool within(const struct burst *burst, instant t)
{
    return !instant_before(t, burst->start) && instant_before(t, burst->end);
}

// The level at t; if it is low, *until is when the first of those that hold it low lets go.
static bool level(const struct dxl_line *line, const struct receiver *receiver, instant t,
                  instant *until)
{
    if (is_low_held(line, t)) {
        *until = line->low_to;
        return false;
    }
    for (unsigned i = 0; i < line->burst_count; i++) {
        const struct burst *burst = &line->burst[i];
        if (!within(burst, t) || !reaches(line, burst, receiver))
            continue;
        const int64_t bit = bit_at(burst, t);
        if (!level_of(burst, bit)) {
            *until = bit_start(burst, bit + 1);
            return false;
        }
    }
    return true;
}

// The first instant from t on at which a burst is low; INSTANT_NEVER.
static instant first_low_of(const struct burst *burst, instant t)
{
    if (!instant_before(burst->start, t))
        return burst->start;
    const int64_t bits = (int64_t)burst->length * BYTE_BITS;
    if (!within(burst, t))
        return INSTANT_NEVER;
    for (int64_t bit = bit_at(burst, t); bit < bits; bit++)
        if (!level_of(burst, bit))
            return instant_max(t, bit_start(burst, bit));
    return INSTANT_NEVER;
}

static instant first_low(const struct dxl_line *line, const struct receiver *receiver, instant t)
{
    instant low = INSTANT_NEVER;
    if (instant_before(t, line->low_to))
        low = instant_max(t, line->low_from);
    for (unsigned i = 0; i < line->burst_count; i++)
        if (reaches(line, &line->burst[i], receiver))
            low = instant_min(low, first_low_of(&line->burst[i], t));
    return low;
}

// The burst that alone decides all bits of a byte from `start` on, at the receiver's own rate;
// NULL.
static const struct burst *lone(const struct dxl_line *line, const struct receiver *receiver,
                                instant start, instant end)
{
    const struct burst *found = NULL;
    if (instant_before(start, line->low_to) && instant_before(line->low_from, end))
        return NULL;
    for (unsigned i = 0; i < line->burst_count; i++) {
        const struct burst *burst = &line->burst[i];
        if (!reaches(line, burst, receiver) || !instant_before(start, burst->end) ||
            !instant_before(burst->start, end))
            continue;
        if (found != NULL || burst->bitrate_bit_s != receiver->bitrate_bit_s ||
            instant_before(start, burst->start) || bit_at(burst, start) % BYTE_BITS != 0 ||
            bit_start(burst, bit_at(burst, start)).ns != start.ns)
            return NULL;
        found = burst;
    }
    return found;
}

static void sample(const struct dxl_line *line, const struct receiver *receiver, instant start,
                   struct heard *heard)
{
    instant unused;
    heard->value = 0;
    for (int bit = 1; bit < BYTE_BITS; bit++) {
        const instant middle =
            instant_add(start, bits_time(2 * bit + 1, 2 * receiver->bitrate_bit_s));
        const bool high = level(line, receiver, middle, &unused);
        if (bit == BYTE_BITS - 1)
            heard->framed = high;
        else
            heard->value |= (uint8_t)(high << (bit - 1));
    }
}

bool uart_next(const struct dxl_line *line, const struct receiver *receiver, instant until,
               struct heard *heard, instant *start)
{
    *start = first_low(line, receiver, receiver->from);
    heard->end = instant_add(*start, bits_time(BYTE_BITS, receiver->bitrate_bit_s));
    if (instant_before(until, heard->end))
        return false;
    const struct burst *burst = lone(line, receiver, *start, heard->end);
    heard->framed = true;
    if (burst != NULL)
        heard->value = burst->byte[bit_at(burst, *start) / BYTE_BITS];
    else
        sample(line, receiver, *start, heard);
    return true;
}

instant uart_resume(const struct dxl_line *line, const struct receiver *receiver, instant start,
                    const struct heard *heard)
{
    // From the middle of the stop bit; after a byte without one, when the line is high again.
    instant t = instant_add(start, bits_time(2 * BYTE_BITS - 1, 2 * receiver->bitrate_bit_s));
    for (unsigned i = 0; i < EDGES_MAX && !heard->framed; i++) {
        instant until;
        if (level(line, receiver, t, &until))
            break;
        t = until;
    }
    return t;
}
