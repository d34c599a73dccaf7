// The happenings of a link, by time: to look one up, and to choose which counts for an instant.
#include <stdlib.h>

#include "harness/chain/chain_private.h"

// Numbers of a message before it are looked for among so many at most: none is in use so long
// after it was sent.
#define LOOK_BACK 256

bool chain_add(struct link_series *series, const struct happening *happening)
{
    if ((series->count & (series->count - 1)) == 0) { // 0 or a power of 2: it is full
        const size_t room = series->count == 0 ? 64 : 2 * series->count;
        struct happening *more = realloc(series->happening, (room < 64 ? 64 : room) * sizeof *more);
        if (more == NULL)
            return false;
        series->happening = more;
    }
    series->happening[series->count++] = *happening;
    return true;
}

size_t chain_until(const struct link_series *series, instant time)
{
    size_t low = 0, high = series->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (instant_before(time, series->happening[middle].time))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

size_t chain_newest_with(const struct link_series *series, bool by_answers, int64_t number,
                         instant time)
{
    const enum link_field_use use = by_answers ? LINK_ANSWERS : LINK_IS;
    const size_t end = chain_until(series, time);
    for (size_t back = 0; back < LOOK_BACK && back < end; back++) {
        const struct happening *h = &series->happening[end - 1 - back];
        if (h->has[use] && h->value[use] == number)
            return end - 1 - back;
    }
    return CHAIN_NOBODY;
}

// ---- what counts --------------------------------------------------------------------------------

static bool note_each(struct join *join, unsigned k, size_t start, const struct happening *h,
                      instant from)
{
    struct chain_record *record = join->record;
    if (record->each_count == join->each_room) {
        const size_t room = join->each_room == 0 ? 256 : 2 * join->each_room;
        struct chain_each *more = realloc(record->each, room * sizeof *more);
        if (more == NULL)
            return false;
        record->each = more;
        join->each_room = room;
    }
    record->each[record->each_count++] = (struct chain_each){
        .instant = start, .link = k, .taken = h->taken, .reached = h->at, .from = from};
    return true;
}

bool chain_choose(struct join *join, unsigned k, size_t index, const struct happening *h,
                  size_t start, instant from)
{
    const enum link_take take = join->chain->link[k].take;
    struct chain_instant *of = &join->record->instant[start];
    join->record->joined[k]++;
    if (take == TAKE_EACH && !note_each(join, k, start, h, from))
        return false;
    if (join->link[k].pick[start] != CHAIN_NOBODY && take == TAKE_FIRST)
        return true;
    join->link[k].pick[start] = index;
    of->at[CHAIN_TAKEN(k)] = h->taken;
    of->at[CHAIN_REACHED(k)] = h->at;
    return true;
}
