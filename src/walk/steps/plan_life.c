// A plan ends when balance no longer executes it, for whatever reason. One that it never took was
// refused: nothing says so but time. One that was taken, and is not executed any more, is over at
// once.
#include "walk/steps/plan_life.h"

#include "base/invariant.h"

static const enum plan_life table[PLAN_LIFE_COUNT][PLAN_EVENT_COUNT] = {
    [PLAN_NONE] = {[PLAN_BEGUN] = PLAN_OFFERED,
                   [PLAN_EXECUTED] = PLAN_NONE, // somebody else's
                   [PLAN_AWAITED] = PLAN_NONE,
                   [PLAN_OVERDUE] = PLAN_NONE,
                   [PLAN_DROPPED] = PLAN_NONE},
    [PLAN_OFFERED] = {[PLAN_BEGUN] = PLAN_OFFERED,
                      [PLAN_EXECUTED] = PLAN_TAKEN,
                      [PLAN_AWAITED] = PLAN_OFFERED,
                      [PLAN_OVERDUE] = PLAN_NONE,
                      [PLAN_DROPPED] = PLAN_NONE},
    [PLAN_TAKEN] = {[PLAN_BEGUN] = PLAN_OFFERED,
                    [PLAN_EXECUTED] = PLAN_TAKEN,
                    [PLAN_AWAITED] = PLAN_NONE,
                    [PLAN_OVERDUE] = PLAN_NONE,
                    [PLAN_DROPPED] = PLAN_NONE},
};

enum plan_life plan_life_step(enum plan_life life, enum plan_event event)
{
    expects(life < PLAN_LIFE_COUNT && event < PLAN_EVENT_COUNT);
    return table[life][event];
}

enum plan_event plan_event_of(const struct plan_offer *offer,
                              const struct balance_status_message *status, instant now,
                              duration patience)
{
    if (status->epoch != offer->epoch)
        return PLAN_DROPPED;
    if (status->phase == BALANCE_PHASE_EXECUTING && status->plan_id == offer->plan_id)
        return PLAN_EXECUTED;
    return instant_sub(now, offer->sent).ns < patience.ns ? PLAN_AWAITED : PLAN_OVERDUE;
}
