// Promises of a scenario: formulas over the target's signals, judged in a window of the trial.
#pragma once

#include "harness/judge/analysis.h"

// Fills the verdict but for its name. PASS and FAIL have the robustness as their margin, and the
// instant that decides it. ERROR: the window or one of its channels has no samples, or ends after
// what was recorded, before which nothing was decided. SKIP: what the window counts from did not
// happen. A value that is not a number breaks a promise.
// When what a window counts from happened, since the start; INFINITY: it did not.
double promise_anchor_s(const struct analysis *analysis, enum promise_from from);

void promise_judge(const struct analysis *analysis, const struct promise *promise,
                   struct oracle_verdict *verdict);
