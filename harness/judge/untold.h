// Faults that the judge is not told of: what would it say if the target were so by itself?
//
// It sees the scenario without these faults, and the history without their events. A channel of the
// target that they disturb it sees as its readers got it: that is what a writer with this defect
// would have said. A channel of the simulated world it sees as it was put: the world has no defect.
//
// Judging such a trial adds what came of it (doc/reference/doubt.md): the verdict
// UNTOLD_EFFECTIVE, an ERROR if a fault had no effect, and the observations below.
#pragma once

#include "harness/judge/analysis.h"

#define UNTOLD_EFFECTIVE "doubt-effective"
#define UNTOLD_OUTCOME "doubt"       // text, one of the outcomes'
#define UNTOLD_BY "noticed-by"       // text: the oracle or promise that was broken first
#define UNTOLD_AS "noticed-as"       // text: FAIL or ERROR
#define UNTOLD_AFTER "noticed-after" // s since the fault struck; none: the oracle does not say

#define UNTOLD_NOTICED "noticed"
#define UNTOLD_PASSED "passed"
#define UNTOLD_WITHOUT_EFFECT "without effect"
#define UNTOLD_LAB_ERROR "lab error"

struct untold_view {
    struct scenario *scenario;
    struct history *history;
};

// What the judge sees. False: no memory; nothing is left to free. Else the caller frees it.
bool untold_view_make(const struct history *history, const struct scenario *scenario,
                      const struct target *target, struct untold_view *view);
void untold_view_free(struct untold_view *view);

// Adds to a judgement of the view what came of the faults. `whole`: of history and scenario as they
// are, with these faults.
void untold_conclude(const struct analysis *whole, struct judgement *judgement);
