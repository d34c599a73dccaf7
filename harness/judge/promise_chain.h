// Promises on latency: how long a chain of the target takes, in a window of the trial.
#pragma once

#include "harness/judge/analysis.h"

// Fills the verdict but for its name. In real time PASS and FAIL have what is left of the bound as
// their margin; instants that a stall of the machine touched do not count. An instant that was
// never answered took longer than any bound. SKIP: on the virtual clock, with the time that is
// planned; where nothing was due in the window; and where it took longer than the bound, but nobody
// watched the machine.
void promise_chain_judge(const struct analysis *analysis, const struct promise *promise,
                         struct oracle_verdict *verdict);
