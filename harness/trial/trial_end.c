#include "harness/trial/trial_end.h"

#include <string.h>

#include "harness/files/claims.h"
#include "harness/files/scenario.h"

#define SETTLE_S 1.0 // the trial goes on so long after the motion is over

static bool is_never(instant event)
{
    return event.ns == INSTANT_NEVER.ns;
}

static bool passed(instant event, double after_s, instant now)
{
    return !is_never(event) && !instant_before(now, instant_add(event, duration_s(after_s)));
}

static bool watched(const struct trial_facts *facts, instant now)
{
    return scenario_told(facts->scenario) == 0 ||
           passed(facts->fault_last, facts->scenario->watch_s, now);
}

static bool bench_ended(const struct trial_facts *facts, instant now)
{
    (void)now;
    return facts->bench_ended;
}

static bool time_up(const struct trial_facts *facts, instant now)
{
    return !instant_before(now, instant_s(facts->scenario->duration_s));
}

static bool looks_ahead(const char *formula)
{
    return strstr(formula, "always") != NULL || strstr(formula, "eventually") != NULL ||
           strstr(formula, "until") != NULL;
}

// Whether a promise was judged over all of its window, which began with the trial. Any other may go
// on to the end.
static bool window_over(const struct promise *promise, instant now)
{
    return promise->program[0] == '\0' && promise->chain[0] == '\0' &&
           promise->from == FROM_START && promise->for_s > 0 &&
           !looks_ahead(promise->formula[promise->operator]) &&
           instant_before(instant_s(promise->after_s + promise->for_s), now);
}

static bool promises(const struct trial_facts *facts, instant now)
{
    for (unsigned i = 0; i < facts->scenario->promise_count; i++)
        if (!window_over(&facts->scenario->promise[i], now))
            return true;
    return false;
}

static bool fell(const struct trial_facts *facts, instant now)
{
    return !promises(facts, now) && passed(facts->fallen, facts->scenario->watch_s, now) &&
           watched(facts, now);
}

static bool done(const struct trial_facts *facts, instant now)
{
    const bool awaited = facts->scenario->must_complete || scenario_told(facts->scenario) == 0;
    return !promises(facts, now) && facts->faults_done && watched(facts, now) &&
           (!awaited || passed(facts->motion_over, SETTLE_S, now));
}

static const struct {
    enum trial_end end;
    bool (*holds)(const struct trial_facts *facts, instant now);
} ends[] = {{TRIAL_BENCH_ENDED, bench_ended},
            {TRIAL_TIME_UP, time_up},
            {TRIAL_FELL, fell},
            {TRIAL_DONE, done}};

struct trial_facts trial_facts_begin(const struct scenario *scenario)
{
    return (struct trial_facts){
        .scenario = scenario, .fallen = INSTANT_NEVER, .motion_over = INSTANT_NEVER};
}

void trial_facts_note(struct trial_facts *facts, bool fallen, bool motion_over, instant now)
{
    if (fallen && is_never(facts->fallen))
        facts->fallen = now;
    if (!motion_over)
        facts->motion_over = INSTANT_NEVER;
    else if (is_never(facts->motion_over))
        facts->motion_over = now;
}

enum trial_end trial_end(const struct trial_facts *facts, instant now)
{
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ends[i].holds(facts, now))
            return ends[i].end;
    return TRIAL_GOES_ON;
}
