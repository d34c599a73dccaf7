#include "tests/bench/channels/figures.h"

#include <stdlib.h>
#include <math.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(double *values, unsigned n, double q)
{
    qsort(values, n, sizeof *values, compare);
    const double rank = ceil(q * n);
    return values[rank < 1 ? 0 : (unsigned)rank - 1];
}

double median(double *values, unsigned n)
{
    const double lower = quantile(values, n, 0.5);
    return n % 2 == 0 ? (lower + values[n / 2]) / 2 : lower;
}

static unsigned latencies_us(const struct block *block, double *values)
{
    for (uint32_t i = 0; i < block->come; i++)
        values[i] = (double)block->latency_ns[i] * 1e-3;
    return block->come;
}

static double median_us(const struct block *block)
{
    double values[BLOCK_FRAMES_MAX];
    const unsigned n = latencies_us(block, values);
    return n == 0 ? 0 : median(values, n);
}

static void pool(const struct outcome *outcome, unsigned size, unsigned mechanism, unsigned rounds,
                 double *middle_us, double *p99_us)
{
    static double values[ROUNDS_MAX * BLOCK_FRAMES_MAX];
    unsigned n = 0;
    for (unsigned r = 0; r < rounds; r++)
        n += latencies_us(&outcome->block[size][mechanism][r], values + n);
    *middle_us = n == 0 ? 0 : median(values, n);
    *p99_us = n == 0 ? 0 : quantile(values, n, 0.99);
}

double round_median_us(const struct outcome *outcome, unsigned size, unsigned mechanism,
                       unsigned round)
{
    return median_us(&outcome->block[size][mechanism][round]);
}

double round_ratio(const struct outcome *outcome, unsigned size, unsigned mechanism, unsigned round)
{
    const double floor_us = round_median_us(outcome, size, MECHANISM_FLOOR_INDEX, round);
    return floor_us > 0 ? round_median_us(outcome, size, mechanism, round) / floor_us : 0;
}

static void compare_with_floor(struct figures *figures, const struct outcome *outcome,
                               unsigned size, unsigned mechanism, unsigned rounds)
{
    double ratios[ROUNDS_MAX];
    unsigned n = 0;
    for (unsigned r = 0; r < rounds; r++) {
        const double ratio = round_ratio(outcome, size, mechanism, r);
        if (ratio > 0)
            ratios[n++] = ratio;
    }
    if (n == 0)
        return;
    figures->ratio = median(ratios, n);
    figures->ratio_min = ratios[0];
    figures->ratio_max = ratios[n - 1];
    double floor_median_us, floor_p99_us;
    pool(outcome, size, MECHANISM_FLOOR_INDEX, rounds, &floor_median_us, &floor_p99_us);
    figures->ratio_p99 = figures->p99_us / floor_p99_us;
}

struct figures figures_of(const struct outcome *outcome, unsigned size, unsigned mechanism,
                          unsigned rounds)
{
    struct figures figures = {0};
    for (unsigned r = 0; r < rounds; r++) {
        const struct block *block = &outcome->block[size][mechanism][r];
        figures.sent += block->sent;
        figures.come += block->come;
        figures.wrong += block->wrong;
        figures.waited += block->waited;
    }
    pool(outcome, size, mechanism, rounds, &figures.median_us, &figures.p99_us);
    compare_with_floor(&figures, outcome, size, mechanism, rounds);
    return figures;
}
