// Which of two whole bodies speaks. Both answer every state; one publishes, the other goes along in
// silence, and takes over when nothing has been heard for some time. There is no first and second:
// who sees that the other one has spoken since, is silent. Pure; real-time safe.
#pragma once

#include "targets/hubo2/balance/balance_core.h"

struct turns {
    duration patience; // with a silence; of two that go along the shorter one decides
    bool first;        // speaks at once where nobody has spoken yet
    bool speaks;
    bool along;            // does the same as the one that speaks
    unsigned apart_cycles; // ... and did not, in a row
    instant spoken;        // stamp of the last status of its own
    instant begun;         // when it first looked
};

// `alone`: the channel holds no status of a predecessor, so that whoever there is begins as this
// one does. `spare`: it lets the other one begin.
void turns_begin(struct turns *turns, duration patience, bool alone, bool spare);

// Before a state is answered. `last` is the newest status on the channel, NULL without one. Whether
// balance is to answer it; then turns->speaks says whether that is to be published.
bool turns_take(struct turns *turns, struct balance *balance,
                const struct balance_status_message *last, const struct state_message *state,
                instant now);

// After it was answered in silence: whether both still do the same; who does not, joins anew.
void turns_compare(struct turns *turns, struct balance *balance,
                   const struct balance_status_message *last);
