// Ratios over the runs of a benchmark: a target's figure to the machine's in the same run. Pure.
#pragma once

#include "harness/latency_bench.h"

struct latency_spread {       // over runs
    unsigned count;           // of runs that have both figures
    double median, low, high; // low and high: the smallest and the largest
};

// Sorts the values.
struct latency_spread latency_spread_of(double *value, unsigned count);

enum latency_quantile { LATENCY_MEDIAN, LATENCY_P99, LATENCY_P999, LATENCY_QUANTILES };
double latency_spot_at_us(const struct latency_spot *spot, enum latency_quantile quantile);

// A hop of the target, a state's way to Balance, to the floor's hop: one process waking another.
struct latency_spread latency_hop_ratio(const struct latency_result *result,
                                        enum latency_quantile quantile);
// What the loop takes beyond its schedule, to the floor's lateness in waking: both ends of the loop
// are instants at which Hardware should wake.
struct latency_spread latency_loop_ratio(const struct latency_result *result,
                                         enum latency_quantile quantile);

// A stage of `watched` less that of `plain`, run by run, in microseconds.
struct latency_spread latency_cost_us(const struct latency_result *plain,
                                      const struct latency_result *watched, unsigned stage,
                                      enum latency_quantile quantile);
