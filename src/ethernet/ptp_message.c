#include "ethernet/ptp_message.h"

#include <string.h>

#define VERSION 2
#define TWO_STEPS 0x02 // in the first byte of the flags
#define UNICAST 0x04
#define INTERVAL_UNKNOWN 0x7F
#define NS_PER_S INT64_C(1000000000)
#define TIME_MAX_S (4 * PTP_EPOCH_S)
#define CORRECTION_MAX_NS NS_PER_S
#define NO_DEFAULT_PRIORITY 128
#define CLASS_OTHER 248
#define ACCURACY_UNKNOWN 0xFE
#define OSCILLATOR 0xA0

// Of each type: its size (IEEE 1588-2008, tables 24 to 29), and the field that tells versions of
// 2002 what it is (table 23).
static const struct {
    uint8_t size_B, control;
    bool has_time, has_requesting, two_steps;
} kind_of[16] = {
    [PTP_SYNC] = {44, 0, false, false, true},
    [PTP_PDELAY_REQ] = {54, 5, false, false, false},
    [PTP_PDELAY_RESP] = {54, 5, true, true, true},
    [PTP_FOLLOW_UP] = {44, 2, true, false, false},
    [PTP_PDELAY_RESP_FOLLOW_UP] = {54, 5, true, true, false},
    [PTP_ANNOUNCE] = {64, 5, false, false, false},
};

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static uint64_t get(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

// A clock that is nobody's reference by its quality, but by its priority.
static void put_announce(const struct ptp_message *message, uint8_t *bytes)
{
    bytes[47] = message->priority;
    bytes[48] = CLASS_OTHER;
    bytes[49] = ACCURACY_UNKNOWN;
    put(bytes + 50, 0xFFFF, 2); // its variance: not computed
    bytes[52] = NO_DEFAULT_PRIORITY;
    memcpy(bytes + 53, message->source, 8);
    bytes[63] = OSCILLATOR;
}

size_t ptp_write(const struct ptp_message *message, uint8_t bytes[PTP_SIZE_MAX_B])
{
    const size_t size_B = kind_of[message->type].size_B;
    const bool repeats = message->type == PTP_SYNC || message->type == PTP_FOLLOW_UP ||
                         message->type == PTP_ANNOUNCE;
    memset(bytes, 0, PTP_SIZE_MAX_B);
    bytes[0] = (uint8_t)message->type;
    bytes[1] = VERSION;
    put(bytes + 2, size_B, 2);
    bytes[6] = (uint8_t)((message->unicast ? UNICAST : 0) |
                         (kind_of[message->type].two_steps ? TWO_STEPS : 0));
    memcpy(bytes + 20, message->source, PTP_IDENTITY_B);
    put(bytes + 30, message->sequence, 2);
    bytes[32] = kind_of[message->type].control;
    bytes[33] = repeats ? (uint8_t)message->interval_log2_s : INTERVAL_UNKNOWN;
    if (kind_of[message->type].has_time) {
        const int64_t since_ns = message->time_ns + PTP_EPOCH_S * NS_PER_S;
        put(bytes + 34, (uint64_t)(since_ns / NS_PER_S), 6);
        put(bytes + 40, (uint64_t)(since_ns % NS_PER_S), 4);
    }
    if (kind_of[message->type].has_requesting)
        memcpy(bytes + 44, message->requesting, PTP_IDENTITY_B);
    if (message->type == PTP_ANNOUNCE)
        put_announce(message, bytes);
    return size_B;
}

// False: it has none, or one that no clock of this link can mean.
static bool read_time(const uint8_t *bytes, int64_t *time_ns)
{
    const uint64_t s = get(bytes + 34, 6), ns = get(bytes + 40, 4);
    const int64_t correction_ns = (int64_t)get(bytes + 8, 8) / 65536; // in units of 2^-16 ns
    if (s > (uint64_t)TIME_MAX_S || ns >= NS_PER_S || correction_ns > CORRECTION_MAX_NS ||
        correction_ns < -CORRECTION_MAX_NS)
        return false;
    // Of an answer it counts the other way round (11.4.3).
    const int64_t since_ns = (int64_t)s * NS_PER_S + (int64_t)ns +
                             ((bytes[0] & 0xF) == PTP_PDELAY_RESP ? -correction_ns : correction_ns);
    *time_ns = since_ns - PTP_EPOCH_S * NS_PER_S;
    return since_ns >= 0 && since_ns <= TIME_MAX_S * NS_PER_S;
}

bool ptp_read(const uint8_t *bytes, size_t size_B, struct ptp_message *message)
{
    if (size_B < 1)
        return false;
    const enum ptp_type type = (enum ptp_type)(bytes[0] & 0xF);
    const size_t own_B = kind_of[type].size_B;
    if (own_B == 0 || size_B < own_B || (bytes[1] & 0xF) != VERSION || get(bytes + 2, 2) < own_B ||
        get(bytes + 2, 2) > size_B)
        return false;
    *message = (struct ptp_message){.type = type,
                                    .unicast = (bytes[6] & UNICAST) != 0,
                                    .sequence = (uint16_t)get(bytes + 30, 2),
                                    .interval_log2_s = (int8_t)bytes[33]};
    if (kind_of[type].has_time && !read_time(bytes, &message->time_ns))
        return false;
    memcpy(message->source, bytes + 20, PTP_IDENTITY_B);
    if (kind_of[type].has_requesting)
        memcpy(message->requesting, bytes + 44, PTP_IDENTITY_B);
    if (type == PTP_ANNOUNCE)
        message->priority = bytes[47];
    return true;
}
