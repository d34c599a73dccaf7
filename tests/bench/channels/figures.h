// What the blocks of a stage come to.
#pragma once

#include "tests/bench/channels/stage.h"

struct figures { // of one mechanism and one size in one setting; all 0 if no frame came
    double median_us, p99_us; // over all rounds
    // To the bare futex: of the medians of each round, and of the 99th percentiles over all rounds.
    double ratio, ratio_min, ratio_max; // median, smallest and largest over the rounds
    double ratio_p99;
    uint32_t sent, come, wrong, waited;
};

struct figures figures_of(const struct outcome *outcome, unsigned size, unsigned mechanism,
                          unsigned rounds);

// Of one round: the median, and its ratio to the floor's; 0 if no frame came.
double round_median_us(const struct outcome *outcome, unsigned size, unsigned mechanism,
                       unsigned round);
double round_ratio(const struct outcome *outcome, unsigned size, unsigned mechanism,
                   unsigned round);

// The q-quantile (0..1) of n > 0 values, which are put in order.
double quantile(double *values, unsigned n, double q);

// Their median: of an even number the mean of the middle two, or few rounds would look better than
// they were.
double median(double *values, unsigned n);
