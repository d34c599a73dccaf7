#include "harness/bench/latency/latency_ratio.h"

#include <math.h>
#include <stdlib.h>

#define US_PER_NS 1e-3

// The loop begins and ends when Hardware wakes: what it takes beyond its schedule is the lateness of
// these two wake-ups.
const struct latency_ratio latency_ratios[LATENCY_RATIOS] = {
    {"balance wakes / machine hops", 1, FLOOR_HOP, false},
    {"balance computes / machine computes", 2, FLOOR_WORK, false},
    {"loop over schedule / machine wakes", LATENCY_STAGE_LOOP, FLOOR_WAKE, true},
};

const char *const latency_floor_names[FLOOR_PARTS] = {[FLOOR_WAKE] = "machine wakes",
                                                      [FLOOR_WORK] = "machine computes",
                                                      [FLOOR_HOP] = "machine hops"};

const char *const latency_quantile_names[LATENCY_QUANTILES] = {
    [LATENCY_MEDIAN] = "median", [LATENCY_P99] = "p99", [LATENCY_P999] = "p99.9"};

static int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

struct latency_spread latency_spread_of(double *value, unsigned count)
{
    if (count == 0)
        return (struct latency_spread){.median = NAN, .low = NAN, .high = NAN};
    qsort(value, count, sizeof *value, by_value);
    const double median =
        count % 2 == 1 ? value[count / 2] : (value[count / 2 - 1] + value[count / 2]) / 2;
    return (struct latency_spread){
        .count = count, .median = median, .low = value[0], .high = value[count - 1]};
}

double latency_spot_at_us(const struct latency_spot *spot, enum latency_quantile quantile)
{
    const int64_t ns = quantile == LATENCY_MEDIAN ? spot->median_ns
                       : quantile == LATENCY_P99  ? spot->p99_ns
                                                  : spot->p999_ns;
    return US_PER_NS * (double)ns;
}

double latency_ratio_in(const struct latency_result *result, unsigned run,
                        const struct latency_ratio *ratio, enum latency_quantile quantile)
{
    const struct latency_spot *stage = &result->run[run].stage[ratio->stage];
    const struct latency_spot *floor = &result->run[run].floor[ratio->part];
    const int64_t schedule_ns = ratio->over ? result->schedule_ns[ratio->stage] : 0;
    const double floor_us = latency_spot_at_us(floor, quantile);
    if (stage->count == 0 || floor->count == 0 || floor_us <= 0 || schedule_ns < 0)
        return NAN;
    if (ratio->over && quantile == LATENCY_MEDIAN)
        return NAN; // late at both ends, a loop is as long as planned: the median says nothing
    return (latency_spot_at_us(stage, quantile) - US_PER_NS * (double)schedule_ns) / floor_us;
}

struct latency_spread latency_ratio_over(const struct latency_result *result,
                                         const struct latency_ratio *ratio,
                                         enum latency_quantile quantile)
{
    double value[LATENCY_RUNS_MAX];
    unsigned count = 0;
    for (unsigned run = 0; run < result->run_count; run++) {
        const double of_run = latency_ratio_in(result, run, ratio, quantile);
        if (!isnan(of_run))
            value[count++] = of_run;
    }
    return latency_spread_of(value, count);
}

struct latency_spread latency_cost_us(const struct latency_result *plain,
                                      const struct latency_result *watched, unsigned stage,
                                      enum latency_quantile quantile)
{
    double value[LATENCY_RUNS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < plain->run_count && i < watched->run_count; i++) {
        const struct latency_spot *with = &watched->run[i].stage[stage];
        const struct latency_spot *without = &plain->run[i].stage[stage];
        if (with->count > 0 && without->count > 0)
            value[count++] =
                latency_spot_at_us(with, quantile) - latency_spot_at_us(without, quantile);
    }
    return latency_spread_of(value, count);
}
