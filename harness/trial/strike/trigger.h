// When a fault strikes: the trigger of a scenario with its random parts drawn by the trial's seed.
// Pure.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"
#include "harness/files/fault/fault_trigger.h"
#include "harness/packs/watch.h"

struct trigger_state {
    enum trigger_kind kind;
    instant time;    // TIME: when it strikes; else: not before
    double phase;    // PHASE: of the gait cycle
    bool have_phase; // the phase at the last look is known
    double last_phase;
    const char *when; // CONDITION: the scenario's
};

// Draws from the stream "fault-INDEX" of the seed.
void trigger_draw(struct trigger_state *state, const struct trigger *trigger, uint64_t seed,
                  unsigned index);

// One look of a trigger, at `now`: whether it strikes. `seen` is the phase, or the robustness of
// the formula, if that is known. TIME never does: the time is known beforehand. A phase is reached
// when it was passed since the last look, so every instant of the recorder's grid wants one.
bool trigger_step(struct trigger_state *state, bool known, double seen, instant now);

// The same with what the world shows.
bool trigger_reached(struct trigger_state *state, struct watch *watch, instant now);
