// What becomes of a run by what is found out about it: a pure step (outcome, finding) -> outcome,
// by a table. What runs a trial and what judges it report what they find; only this decides.
#pragma once

#include "base/status.h"
#include "harness/trial/record.h"

enum trial_finding {
    FINDING_REFUSAL,          // a process of the target ended before it was ready, and said why
    FINDING_END,              // it ran to its end
    FINDING_BROKEN_OFF,       // it did not, or left no history
    FINDING_MACHINE_FAILURE,  // no memory, no process, no room or the like
    FINDING_UNSUPPORTED,      // this machine or clock cannot do what it takes
    FINDING_UNTRUSTED,        // a bare cell could, but not for this target
    FINDING_JUDGEABLE,        // it broke off by the target's own doing: its history is judged
    FINDING_BROKEN_INVARIANT, // code of the lab's found itself wrong (base/invariant.h)
    FINDING_COUNT
};

// What a status says of the run that ended with it; OK: it came to its end.
enum trial_finding trial_finding_of(enum status status);

enum trial_outcome trial_outcome_step(enum trial_outcome outcome, enum trial_finding finding);

void trial_find(struct trial_result *result, enum trial_finding finding);

// The first kill counts, unless a later one is sure; none is taken back. `what`: see record.h.
void trial_note_kill(struct trial_result *result, enum trial_kill kill, const char *what);
