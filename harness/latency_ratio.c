#include "harness/latency_ratio.h"

#include <math.h>
#include <stdlib.h>

#define US_PER_NS 1e-3
#define HOP 1 // of latency_stages: state published -> Balance took it

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

// Of what a stage takes beyond `less_us` to a part of the floor.
static struct latency_spread ratio(const struct latency_result *result, unsigned stage,
                                   double less_us, enum floor_part part,
                                   enum latency_quantile quantile)
{
    double value[LATENCY_RUNS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < result->run_count; i++) {
        const struct latency_run *run = &result->run[i];
        const double floor_us = latency_spot_at_us(&run->floor[part], quantile);
        if (run->stage[stage].count > 0 && run->floor[part].count > 0 && floor_us > 0)
            value[count++] =
                (latency_spot_at_us(&run->stage[stage], quantile) - less_us) / floor_us;
    }
    return latency_spread_of(value, count);
}

struct latency_spread latency_hop_ratio(const struct latency_result *result,
                                        enum latency_quantile quantile)
{
    return ratio(result, HOP, 0, FLOOR_HOP, quantile);
}

struct latency_spread latency_loop_ratio(const struct latency_result *result,
                                         enum latency_quantile quantile)
{
    if (!result->scheduled || result->schedule_ns[LATENCY_STAGE_LOOP] < 0)
        return latency_spread_of(NULL, 0);
    return ratio(result, LATENCY_STAGE_LOOP,
                 US_PER_NS * (double)result->schedule_ns[LATENCY_STAGE_LOOP], FLOOR_WAKE, quantile);
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
