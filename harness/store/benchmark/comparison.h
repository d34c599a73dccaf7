// One metric of one square of two benchmarks, as it is read and as it is judged: plain data.
#pragma once

#include <stdbool.h>

#include "harness/store/benchmark/benchmark.h"
#include "harness/store/benchmark/statistics.h"

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
    char square[64], metric[64], unit[16];
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
