// The machine's floor over the runs of a chain: histograms of its clean samples, and its stalls.
#pragma once

#include "harness/machine/machine_floor.h"

struct latency_floor {
    struct histogram part[FLOOR_PARTS]; // clean samples
    uint64_t missed, stalls;            // stalls: windows of all cores
    int64_t stalled_ns, held_ns;
};

// `record` NULL: nothing was measured.
void latency_floor_fill(struct latency_floor *floor, const struct floor_record *record);
