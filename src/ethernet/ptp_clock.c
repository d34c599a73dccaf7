#include "ethernet/ptp_clock.h"

#include <string.h>

#include "base/invariant.h"

#define NS_PER_S INT64_C(1000000000)
#define ANNOUNCE_LOG2_S (-2)
#define SYNC_LOG2_S (-3)
#define MISSED_MAX 3 // announcements, before a slave gives its master up
#define PRIORITY 64  // before the 128 of a clock that was told nothing
#define TAKEN_MAX 64 // messages at a time

static const struct ether_addr to_all = {{0x01, 0x1B, 0x19, 0x00, 0x00, 0x00}}; // annex F

int ptp_clock_open(struct ptp_clock *clock, const char *interface, bool master)
{
    *clock = (struct ptp_clock){.master = master};
    return ptp_open_link(&clock->host, interface, !master);
}

// 2^log2 s. What a message says counts from 1/16 s to 16 s.
static int64_t interval_ns(int log2_s)
{
    const int bound = log2_s < -4 ? -4 : log2_s > 4 ? 4 : log2_s;
    return bound < 0 ? NS_PER_S >> -bound : NS_PER_S << bound;
}

// ---- a master -----------------------------------------------------------------------------------

// The next one that is due; a clock that was stepped goes on from here.
static int64_t next_ns(int64_t due_ns, int64_t local_ns, int log2_s)
{
    const int64_t step_ns = interval_ns(log2_s), next = due_ns + step_ns;
    return next <= local_ns || next > local_ns + step_ns ? local_ns + step_ns : next;
}

// Lost ones show at the slave.
static void sync(struct ptp_clock *clock)
{
    struct ptp_message message = {
        .type = PTP_SYNC, .sequence = ++clock->synced, .interval_log2_s = SYNC_LOG2_S};
    uint32_t stamp;
    int64_t left_ns;
    if (ptp_send(&clock->host, &to_all, 0, &message, &stamp) != 0 ||
        EtherRTStamp(clock->host.sock, stamp, &left_ns) != 0)
        return;
    message.type = PTP_FOLLOW_UP;
    message.time_ns = ptp_time_ns(&clock->host, left_ns);
    clock->syncs += ptp_send(&clock->host, &to_all, 0, &message, NULL) == 0;
}

static void tell(struct ptp_clock *clock, int64_t local_ns)
{
    if (local_ns >= clock->announce_ns) {
        struct ptp_message message = {.type = PTP_ANNOUNCE,
                                      .sequence = ++clock->announced,
                                      .priority = PRIORITY,
                                      .interval_log2_s = ANNOUNCE_LOG2_S};
        (void)ptp_send(&clock->host, &to_all, 0, &message, NULL);
        clock->announce_ns = next_ns(clock->announce_ns, local_ns, ANNOUNCE_LOG2_S);
    }
    if (local_ns >= clock->sync_ns) {
        sync(clock);
        clock->sync_ns = next_ns(clock->sync_ns, local_ns, SYNC_LOG2_S);
    }
}

// ---- a slave ------------------------------------------------------------------------------------

static void hear_announce(struct ptp_clock *clock, const struct ptp_message *message,
                          int64_t local_ns)
{
    if (!clock->hears) {
        memcpy(clock->parent, message->source, sizeof clock->parent);
        clock->hears = true;
        clock->came = false;
    } else if (memcmp(clock->parent, message->source, sizeof clock->parent) != 0)
        return;
    clock->silent_ns = local_ns + MISSED_MAX * interval_ns(message->interval_log2_s);
}

static void hear_sync(struct ptp_clock *clock, const struct ptp_message *message, int64_t came_ns)
{
    clock->came = true;
    clock->sequence = message->sequence;
    clock->came_ns = came_ns;
}

// Offset (IEEE 1588-2008, 11.2): the master's time when the Sync left and what its way took, less
// the time when it came.
static void hear_follow_up(struct ptp_clock *clock, const struct ptp_message *message)
{
    invariant(clock->count <= PTP_SYNCS_MAX);
    if (!clock->came || message->sequence != clock->sequence)
        return;
    const int64_t way_ns = ptp_time_ns(&clock->host, clock->came_ns) - message->time_ns;
    clock->came = false;
    clock->syncs++;
    if (clock->host.exchanges == 0 || clock->count == PTP_SYNCS_MAX)
        return; // nobody knows yet what the way takes; or more come than count
    clock->sample[clock->count++] =
        (struct ptp_sample){.at_ns = clock->came_ns,
                            .offset_ns = clock->host.delay_ns - (double)way_ns,
                            .delay_ns = (double)way_ns};
}

static void conclude(struct ptp_clock *clock, int64_t local_ns)
{
    clock->conclude_ns = local_ns + NS_PER_S;
    if (clock->count == 0)
        return;
    const struct ptp_sample taken = ptp_fastest(clock->sample, clock->count);
    clock->count = 0;
    clock->host.offset_ns = taken.offset_ns;
    servo_take(&clock->host.servo, taken.at_ns, taken.offset_ns);
}

static void follow(struct ptp_clock *clock, int64_t local_ns)
{
    if (clock->hears && local_ns > clock->silent_ns)
        clock->hears = clock->came = false;
    if (local_ns >= clock->conclude_ns || local_ns < clock->conclude_ns - NS_PER_S)
        conclude(clock, local_ns);
}

static void hear(struct ptp_clock *clock, const struct ptp_message *message, int64_t came_ns,
                 int64_t local_ns)
{
    if (message->type == PTP_ANNOUNCE)
        hear_announce(clock, message, local_ns);
    else if (clock->hears && memcmp(clock->parent, message->source, sizeof clock->parent) == 0) {
        if (message->type == PTP_SYNC)
            hear_sync(clock, message, came_ns);
        else
            hear_follow_up(clock, message);
    }
}

// ---- both ---------------------------------------------------------------------------------------

void ptp_clock_poll(struct ptp_clock *clock, int64_t local_ns)
{
    uint8_t bytes[ETHER_MAX_LEN];
    struct EtherRTFrom from;
    struct ptp_message message;
    for (unsigned n = 0; n < TAKEN_MAX; n++) {
        if (EtherRTRecvFrom(clock->host.sock, bytes, sizeof bytes, MSG_DONTWAIT, &from) != 0)
            break;
        if (from.length_B > sizeof bytes || !ptp_read(bytes, from.length_B, &message))
            continue;
        if (message.type == PTP_PDELAY_REQ || message.type == PTP_PDELAY_RESP ||
            message.type == PTP_PDELAY_RESP_FOLLOW_UP)
            ptp_take(&clock->host, &message, &from);
        else if (!clock->master)
            hear(clock, &message, from.time_ns, local_ns);
    }
    ptp_work(&clock->host, local_ns);
    if (clock->master)
        tell(clock, local_ns);
    else
        follow(clock, local_ns);
}
