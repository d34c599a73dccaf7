#include "targets/firehose/turns.h"

#include <stdlib.h>

#include "walk/steps/route.h"

#define APART_CYCLES_MAX 5
#define APART_SAMPLES_MAX 3
#define APART_M 0.02

void turns_begin(struct turns *turns, duration patience, bool alone, bool spare)
{
    *turns = (struct turns){.patience = patience,
                            .first = alone && !spare,
                            .along = alone,
                            .spoken = instant_ns(-1),
                            .begun = instant_ns(-1)};
}

static bool silence(struct turns *turns, const struct balance_status_message *last, instant now)
{
    if (turns->first && last == NULL)
        return true;
    if (turns->begun.ns < 0)
        turns->begun = now;
    const instant heard =
        last == NULL || instant_before(last->time, turns->begun) ? turns->begun : last->time;
    return instant_sub(now, heard).ns >= turns->patience.ns;
}

bool turns_take(struct turns *turns, struct balance *balance,
                const struct balance_status_message *last, const struct state_message *state,
                instant now)
{
    const bool mine = last != NULL && turns->spoken.ns >= 0 && last->time.ns == turns->spoken.ns;
    turns->speaks = mine || silence(turns, last, now);
    if (turns->speaks && !turns->along)
        balance_succeed(balance, last);
    else if (!turns->along)
        turns->along = last != NULL && balance_join(balance, last, state);
    turns->along = turns->along || turns->speaks;
    return turns->along;
}

static bool same(const struct balance *balance, const struct balance_status_message *last)
{
    if (last->epoch != balance->epoch || last->phase != (uint32_t)balance->phase)
        return false;
    if (last->phase == BALANCE_PHASE_EXECUTING &&
        llabs(last->sample - balance->executing) > APART_SAMPLES_MAX)
        return false;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (pose2d_distance_m(last->foot[side], balance->foot[side]) > APART_M)
            return false;
    return true;
}

void turns_compare(struct turns *turns, struct balance *balance,
                   const struct balance_status_message *last)
{
    turns->apart_cycles = last == NULL || same(balance, last) ? 0 : turns->apart_cycles + 1;
    if (turns->apart_cycles > APART_CYCLES_MAX) {
        balance_leave(balance);
        turns->along = false;
        turns->apart_cycles = 0;
    }
}
