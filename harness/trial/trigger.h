// When a fault strikes: the trigger of a scenario with its random parts drawn by the trial's seed.
// Pure.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"
#include "harness/files/scenario.h"
#include "harness/trial/world.h"

struct trigger_state {
    enum trigger_kind kind;
    instant time;    // TIME: when it strikes; else: not before
    double phase;    // PHASE: of the gait cycle
    bool have_phase; // the phase at the last look is known
    double last_phase;
    char quantity[NAME_MAX_LENGTH];
    char comparison;
    double value;
};

// Draws from the stream "fault-INDEX" of the seed.
void trigger_draw(struct trigger_state *state, const struct trigger *trigger, uint64_t seed,
                  unsigned index);

// PHASE and CONDITION: looks at the world at `now` and says whether it strikes now. To be asked on
// every instant of the recorder's grid: a phase is reached when it was passed since the last look.
bool trigger_reached(struct trigger_state *state, const struct world *world, instant now);
