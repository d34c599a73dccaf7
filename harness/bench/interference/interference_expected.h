// What a hog of known priority, share and period should make each daemon miss: computed, to be put beside what was measured. Pure but for
// interference_hog_of.
#pragma once

#include "harness/bench/interference/interference.h"
#include "harness/files/scenario.h"

// A load that takes every core for `share` of each period, as faults/load.yaml's cpu-hog does.
struct interference_hog {
    double period_ns, share;
    int priority; // SCHED_FIFO; 0: none
};

// That of a scenario whose only fault is one; false: it is something else, or a hog on one core, and nothing can be expected. Reads the
// fault catalogue near the scenario's file.
bool interference_hog_of(const struct scenario *scenario, const struct target *target,
                         struct interference_hog *hog);

// Share of its deadlines, 0..1, that the process of that name will miss by waiting for the hog; NAN: not to be told. The hog is to meet
// every part of the cycle equally often.
double interference_expected(const struct interference_hog *hog, const struct target *target,
                             const struct interference *measured, enum latency_deadline deadline);
