// Promises of a scenario: formulas over the target's signals, judged in a window of the trial.
#pragma once

#include "harness/judge/analysis.h"

// When what a window counts from happened, since the start; INFINITY: it did not.
double promise_anchor_s(const struct analysis *analysis, enum promise_from from);

// Fills the verdict but for its name. PASS and FAIL have the robustness as their margin, and the
// instant that decides it. FAIL also: a value is not finite, or a writer of the target's was
// silent. ERROR: not all was recorded, or the window began before its signals. SKIP: "vacuous: "
// and why, where the promise would have been kept whatever the target had done, or nothing could be
// seen.
void promise_judge(const struct analysis *analysis, const struct promise *promise,
                   struct oracle_verdict *verdict);
