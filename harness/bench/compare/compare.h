// Whether what was measured differs between two sides, a (before) and b (after), metric by metric. Pure, but for the memory it works in.
//
// Runs of equal number are pairs if both sides have the same ones; else the sides are compared as they are. The effect is on ratios, or,
// where a value is not positive, on differences. A difference must be shown by a rank test, with the chance of any false alarm
// among all metrics at most alpha (Holm), and it must matter.
#pragma once

#include <stdbool.h>

#include "harness/benchmark.h"
#include "harness/statistics.h"

struct measured {
    unsigned group; // of several campaigns on one side: which
    unsigned run;
    double value;
};

enum difference {
    DIFFERENCE_NONE,    // none shown, or none that matters
    DIFFERENCE_BETTER,  // b is
    DIFFERENCE_WORSE,   // b is
    DIFFERENCE_OTHER,   // there is one, but the metric does not say which way is better
    DIFFERENCE_TOO_FEW, // so few runs could not have shown one, however large
};

struct comparison {
    // Given; the values are the owner's, and sorted by group and run. Neither side is empty.
    char cell[64], metric[64], unit[16];
    enum better better;
    struct measured *a, *b;
    size_t a_count, b_count;
    // Found.
    enum difference difference;
    bool paired, relative,
        identical; // relative: effect is b / a - 1, else b - a in the metric's unit
    double a_median, b_median;
    double effect;
    struct interval effect_95; // NAN: too few runs for one
    unsigned campaigns;        // on a's side
    double p, p_adjusted;      // of several campaigns: the larger p of runs and of campaigns
    unsigned runs_needed;      // for DIFFERENCE_TOO_FEW: of each side
};

struct compare_options {
    double alpha;    // chance of any false alarm, in (0, 1)
    double relevant; // smallest effect that matters, as a share of a: 0.05
};

// Fills the lower half of each. NO_MEMORY; INVALID: a side is empty, larger than RANK_VALUES_MAX, or not finite.
enum status compare(struct comparison *list, size_t count,
                    const struct compare_options *options) MUST_CHECK;
