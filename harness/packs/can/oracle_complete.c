// Without a fault published states hold what the boards have to say.
#include "harness/packs/can/oracles.h"

#include <math.h>
#include <stdio.h>
#include "harness/files/scenario.h"
#include "harness/packs/robot/facts.h"

// Share of the states that no fault disturbed: in real time a reply may come late.
#define INCOMPLETE_MAX 0.05

// Slower buses than the target's, which the scenario asked for, are a disturbance for the whole
// trial.
static bool has_slow_buses(const struct analysis *a)
{
    const unsigned asked_bit_s = a->scenario->bus_bitrate_bit_s;
    for (unsigned i = 0; a->target != NULL && asked_bit_s != 0 && i < a->target->bus_count; i++)
        if (asked_bit_s < a->target->bus[i].bitrate_bit_s)
            return true;
    return false;
}

void oracle_readings_complete(const struct analysis *a, struct oracle_verdict *verdict)
{
    unsigned states = 0, incomplete = 0;
    double first_s = NAN;
    if (has_slow_buses(a)) {
        verdict_nothing(verdict, "the scenario's buses are slower than the target's");
        return;
    }
    for (size_t i = 0; i < facts(a)->state.count; i++) {
        const double time_s = instant_to_s(facts(a)->state.event[i]->time);
        if (is_disturbed(a, time_s))
            continue;
        states++;
        if (state_is_complete(facts(a)->state.event[i]->data, a->description->joint_count))
            continue;
        if (incomplete++ == 0)
            first_s = time_s;
    }
    if (states == 0) {
        verdict_nothing(verdict, "no state was published without a fault in force");
        return;
    }
    const double share = (double)incomplete / states;
    char first[48] = "";
    if (incomplete > 0)
        snprintf(first, sizeof first, ", the first at %.3f s", first_s);
    verdict_margin(verdict, INCOMPLETE_MAX - share, "of states",
                   "%u of %u states without a fault in force lack a reading%s", incomplete, states,
                   first);
    verdict_broken_at(verdict, first_s);
}
