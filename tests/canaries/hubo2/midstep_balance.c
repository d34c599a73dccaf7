// Canary: Balance, except that each segment it publishes is cut off in the middle of a step.
//
// Linked with the real daemon and --wrap=channel_put. The oracle of stable segment ends must fail
// it, whatever the robot makes of such segments.
#include <stddef.h>
#include <string.h>

#include "message/message.h"
#include "tests/canaries/hubo2/put.h"

// Samples up to the middle of the first single support.
static uint32_t cut(const struct segment_message *segment)
{
    uint32_t first = 0, after;
    while (first < segment->count && segment->sample[first].support == SUPPORT_BOTH)
        first++;
    after = first;
    while (after < segment->count && segment->sample[after].support != SUPPORT_BOTH)
        after++;
    return first == segment->count ? segment->count : (first + after) / 2;
}

enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now)
{
    static struct segment_message segment;
    if (strcmp(channel_name(channel), "segment") != 0 || size_B > sizeof segment)
        return __real_channel_put(channel, frame, size_B, now);
    memcpy(&segment, frame, size_B);
    segment.count = cut(&segment);
    return __real_channel_put(
        channel, &segment,
        offsetof(struct segment_message, sample) + segment.count * sizeof segment.sample[0], now);
}
