// When in its cycle each daemon does its part, for every rate and both modes: the one table that
// Hardware and Control go by.
//
// Two periods: references go out at the start of the next cycle, while the replies to its requests
// come in. One period: references go out as soon as they are there, at the end of the same cycle,
// and the next one begins with requests only.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/time.h"

enum cycle_mode { CYCLE_TWO_PERIODS, CYCLE_ONE_PERIOD };

// Instants in shares of the period after the start of the cycle.
struct cycle_plan {
    unsigned rate_hz;
    enum cycle_mode mode;
    int publish_percent; // the replies are drained and the state is published
    bool answer_at_once; // Control answers the state as soon as Balance has,
    int answer_percent;  // at the latest then; otherwise just then
    int send_percent;    // one period: what is sent in this cycle is sent by then
    int overrun_percent; // replies drained so late say nothing about now any more
};

// A full cycle of frames takes up to 3.6 ms at 1 Mbit/s, 0.9 ms of it references. So at 200 and 250
// Hz the replies of two-period cycles are drained late, at 250 Hz as late as leaves a quarter of a
// millisecond for the answer; references of one-period cycles must be off the bus before the next
// cycle's requests, for which 250 Hz leaves no time. 500 and 1000 Hz are for buses that cost
// nothing. A slot of its own for Control halves the time by which it, or Balance before it, may be
// late: at 100 Hz there is enough for both. Faster cycles have Control answer at once, so that they
// share what time there is. Its latest instant is for when Balance does not answer, and leaves
// Control some time to wake.
static const struct cycle_plan cycle_plans[] = {
    {100, CYCLE_TWO_PERIODS, 60, false, 80, 0, 90}, {200, CYCLE_TWO_PERIODS, 80, true, 94, 0, 98},
    {250, CYCLE_TWO_PERIODS, 91, true, 97, 0, 98},  {500, CYCLE_TWO_PERIODS, 40, true, 85, 0, 90},
    {1000, CYCLE_TWO_PERIODS, 40, true, 85, 0, 90}, {100, CYCLE_ONE_PERIOD, 40, true, 70, 85, 90},
    {200, CYCLE_ONE_PERIOD, 60, true, 74, 79, 90},  {500, CYCLE_ONE_PERIOD, 40, true, 70, 80, 90},
    {1000, CYCLE_ONE_PERIOD, 40, true, 70, 80, 90},
};
#define CYCLE_PLANS (sizeof cycle_plans / sizeof cycle_plans[0])

static inline duration cycle_period(const struct cycle_plan *plan)
{
    return duration_ns(1000000000 / plan->rate_hz);
}

static inline duration cycle_share(duration period, int percent)
{
    return duration_ns(period.ns / 100 * percent);
}

// The plan for a period that another process tells: of the slowest rate that is no slower, or of
// the fastest there is.
static inline const struct cycle_plan *cycle_plan_of(duration period, enum cycle_mode mode)
{
    const struct cycle_plan *found = NULL;
    for (size_t i = 0; i < CYCLE_PLANS; i++) {
        if (cycle_plans[i].mode != mode)
            continue;
        found = &cycle_plans[i]; // of one mode they are in order, slowest first
        if (cycle_period(found).ns <= period.ns)
            break;
    }
    return found;
}
