// Ratios of a target's figure to the machine's in the same run, and their spread over runs: what may be
// quoted and compared between machines. Pure.
#pragma once

#include "harness/bench/latency/latency_bench.h"

struct latency_spread {       // over runs
    unsigned count;           // of runs that have both figures; 0: the rest is NAN
    double median, low, high; // low and high: the smallest and the largest
};

// Sorts the values.
struct latency_spread latency_spread_of(double *value, unsigned count);

enum latency_quantile { LATENCY_MEDIAN, LATENCY_P99, LATENCY_P999, LATENCY_QUANTILES };
extern const char *const latency_quantile_names[LATENCY_QUANTILES]; // "median", "p99", "p99.9"
double latency_spot_at_us(const struct latency_spot *spot, enum latency_quantile quantile);

struct latency_ratio {
    const char *name; // "balance wakes / machine hops"
    unsigned stage;   // of latency_stages
    enum floor_part part;
    bool over; // of what the stage takes beyond its schedule
};
#define LATENCY_RATIOS 3
extern const struct latency_ratio latency_ratios[LATENCY_RATIOS];
extern const char *const latency_floor_names[FLOOR_PARTS]; // "machine wakes" ...

// In one run, by number from 0; NAN: one of the two was not measured.
double latency_ratio_in(const struct latency_result *result, unsigned run,
                        const struct latency_ratio *ratio, enum latency_quantile quantile);
struct latency_spread latency_ratio_over(const struct latency_result *result,
                                         const struct latency_ratio *ratio,
                                         enum latency_quantile quantile);

// A stage of `watched` less that of `plain`, run by run, in microseconds.
struct latency_spread latency_cost_us(const struct latency_result *plain,
                                      const struct latency_result *watched, unsigned stage,
                                      enum latency_quantile quantile);
