// Canary: the Control daemon, except that what it puts is spoilt as the environment `spoilt` says:
// silent, nan, stale (the first frame, again and again), or late (by 50 ms).
//
// Linked with the real daemon and --wrap=channel_put. No command of it is carried out, so the robot
// stands where it is: a scenario in which it is to walk must fail.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/canaries/hubo2/put.h"

#define FRAME_MAX_B 2048
#define LATE_FRAMES 5 // of 10 ms

static enum status put_not_numbers(struct channel *channel, const void *frame, size_t size_B,
                                   instant now)
{
    static _Alignas(8) char spoilt[FRAME_MAX_B];
    memcpy(spoilt, frame, size_B);
    for (size_t at = 0; at + sizeof(double) <= size_B; at += sizeof(double)) {
        double value;
        memcpy(&value, spoilt + at, sizeof value);
        if (isfinite(value) && fabs(value) > 1e-200 && fabs(value) < 1e9) // no stamp, no counter
            memcpy(spoilt + at, &(double){NAN}, sizeof value);
    }
    return __real_channel_put(channel, spoilt, size_B, now);
}

static enum status put_the_first(struct channel *channel, const void *frame, size_t size_B,
                                 instant now)
{
    static _Alignas(8) char first[FRAME_MAX_B];
    static size_t first_B;
    if (first_B == 0)
        memcpy(first, frame, first_B = size_B);
    return __real_channel_put(channel, first, first_B, now);
}

static enum status put_late(struct channel *channel, const void *frame, size_t size_B, instant now)
{
    static _Alignas(8) char kept[LATE_FRAMES][FRAME_MAX_B];
    static unsigned count;
    char *slot = kept[count % LATE_FRAMES];
    enum status status = STATUS_OK;
    if (count >= LATE_FRAMES)
        status = __real_channel_put(channel, slot, size_B, now);
    memcpy(slot, frame, size_B);
    count++;
    return status;
}

enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now)
{
    const char *how = getenv("UKEMI_ENV_SPOILT");
    if (how == NULL || size_B > FRAME_MAX_B)
        return __real_channel_put(channel, frame, size_B, now);
    if (strcmp(how, "silent") == 0)
        return STATUS_OK;
    if (strcmp(how, "nan") == 0)
        return put_not_numbers(channel, frame, size_B, now);
    if (strcmp(how, "stale") == 0)
        return put_the_first(channel, frame, size_B, now);
    return put_late(channel, frame, size_B, now);
}
