// Whether what was measured differs between two sides, a (before) and b (after), metric by metric.
// Pure, but for the memory it works in.
//
// Runs of equal number are pairs if both sides have the same ones; else the sides are compared as
// they are. The effect is on ratios, or, where a value is not positive, on differences. A
// difference must be shown by a rank test, with the chance of any false alarm among all metrics at
// most alpha (Holm), and it must matter.
#pragma once

#include "harness/store/benchmark/comparison.h"

struct compare_options {
    double alpha;    // chance of any false alarm, in (0, 1)
    double relevant; // smallest effect that matters, as a share of a: 0.05
};

// Fills the lower half of each. NO_MEMORY; INVALID: a side is empty, larger than RANK_VALUES_MAX,
// or not finite.
enum status compare(struct comparison *list, size_t count,
                    const struct compare_options *options) MUST_CHECK;
