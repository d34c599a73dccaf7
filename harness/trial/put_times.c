#include "harness/trial/put_times.h"

#include <stdatomic.h>

#include "base/invariant.h"
#include "channel/newest.h"

bool put_times_look(struct put_times *times, const struct channel *channel, instant now)
{
    invariant(times->first < CHANNEL_SLOTS_MAX && times->count <= CHANNEL_SLOTS_MAX);
    const uint64_t head = atomic_load_explicit(channel_head(channel), memory_order_acquire);
    if (head == times->seen)
        return false;
    times->seen = head;
    if (times->count == CHANNEL_SLOTS_MAX) { // so many turns: its frames are no longer held
        times->first = (times->first + 1) % CHANNEL_SLOTS_MAX;
        times->count--;
    }
    const unsigned last = (times->first + times->count + CHANNEL_SLOTS_MAX - 1) % CHANNEL_SLOTS_MAX;
    invariant(times->count == 0 || !instant_before(now, times->turn[last].time));
    const unsigned next = (times->first + times->count++) % CHANNEL_SLOTS_MAX;
    times->turn[next].number = channel_newest(channel);
    times->turn[next].time = now;
    return true;
}

bool put_times_find(struct put_times *times, uint64_t number, instant *time)
{
    invariant(times->first < CHANNEL_SLOTS_MAX && times->count <= CHANNEL_SLOTS_MAX);
    while (times->count > 0 && times->turn[times->first].number < number) {
        times->first = (times->first + 1) % CHANNEL_SLOTS_MAX;
        times->count--;
    }
    if (times->count > 0)
        *time = times->turn[times->first].time;
    return times->count > 0;
}
