#include "harness/bench/compare/rank_test.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define QUANTILE_975 1.959963984540054
#define TAIL_95 0.025

// ---- ranks ------------------------------------------------------------------------------------

// A value to be ranked. Ranks are doubled, so that the mean ranks of ties are whole numbers.
struct ranked {
    double value;
    size_t from; // its place among the values given
    uint32_t rank2;
};

static int ascending(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

// Sorts, and gives every value its rank; equal ones the mean of theirs.
static void rank(struct ranked *values, size_t n)
{
    qsort(values, n, sizeof *values, ascending);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && values[end].value <= values[i].value;)
            end++;
        for (size_t k = i; k < end; k++)
            values[k].rank2 = (uint32_t)(i + 1 + end);
    }
}

static int ascending_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// ---- distributions of a sum of ranks if there is no difference ----------------------------------

// Of the sums of any subset, each rank being in it with probability 1/2: chance[s] of the doubled
// sum s, up to the sum of all.
static double *subset_chances(const struct ranked *values, size_t n, size_t *sum2)
{
    *sum2 = 0;
    for (size_t i = 0; i < n; i++)
        *sum2 += values[i].rank2;
    double *chance = calloc(*sum2 + 1, sizeof *chance);
    if (chance == NULL)
        return NULL;
    chance[0] = 1;
    for (size_t i = 0, top = 0; i < n; i++) {
        const size_t rank2 = values[i].rank2;
        top += rank2;
        for (size_t s = top + 1; s-- > 0;)
            chance[s] = 0.5 * (chance[s] + (s >= rank2 ? chance[s - rank2] : 0));
    }
    return chance;
}

// Of the sums of `take` of the n ranks, all choices being equally likely.
static double *choice_chances(const struct ranked *values, size_t n, size_t take, size_t *sum2)
{
    *sum2 = 0;
    for (size_t i = 0; i < n; i++)
        *sum2 += values[i].rank2;
    const size_t width = *sum2 + 1;
    double *table =
        calloc((take + 1) * width, sizeof *table); // chance[k][s]: of k taken, with sum s
    double *chance = calloc(width, sizeof *chance);
    if (table == NULL || chance == NULL) {
        free(table);
        free(chance);
        return NULL;
    }
    table[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i < take ? i + 1 : take; k > 0; k--)
            for (size_t s = width; s-- > values[i].rank2;)
                table[k * width + s] += table[(k - 1) * width + s - values[i].rank2];
    double all = 0;
    for (size_t s = 0; s < width; s++)
        all += table[take * width + s];
    for (size_t s = 0; s < width; s++)
        chance[s] = table[take * width + s] / all;
    free(table);
    return chance;
}

// The chance of a sum at least as far from the mean as the one seen.
static double two_sided(const double *chance, size_t sum2, double mean2, double seen2)
{
    const double distance = fabs(seen2 - mean2) - 1e-9; // sums are whole: only rounding of the mean
    double p = 0;
    for (size_t s = 0; s <= sum2; s++)
        if (fabs((double)s - mean2) >= distance)
            p += chance[s];
    return fmin(p, 1);
}

// Of a normal distribution, with a correction for continuity: doubled sums without ties are 2
// apart.
static double two_sided_normal(double mean2, double variance4, double seen2)
{
    const double distance = fmax(0, fabs(seen2 - mean2) - 1);
    return variance4 > 0 ? erfc(distance / sqrt(2 * variance4)) : 1;
}

// ---- intervals --------------------------------------------------------------------------------

// How many of the sorted estimates lie outside a 95 % interval at each end, plus 1; 0: too few.
// chance[] is of doubled sums, of which the smallest is least2.
static size_t outside_exact(const double *chance, size_t sum2, size_t least2)
{
    double tail = 0;
    size_t outside = 0;
    for (size_t s = least2; s <= sum2; s += 2) {
        tail += chance[s];
        if (tail > TAIL_95 * (1 + 1e-9))
            break;
        outside++;
    }
    return outside;
}

static size_t outside_normal(double mean, double deviation)
{
    const double outside = floor(mean - QUANTILE_975 * deviation);
    return outside < 1 ? 0 : (size_t)outside;
}

// Sorts the estimates.
static void set_shift(struct rank_test *test, double *estimate, size_t n, size_t outside)
{
    test->shift = median(estimate, n);
    qsort(estimate, n, sizeof *estimate, ascending_number);
    test->shift_95 = (struct interval){NAN, NAN};
    if (outside > 0 && 2 * outside <= n + 1)
        test->shift_95 = (struct interval){estimate[outside - 1], estimate[n - outside]};
}

// Ranks without ties.
static void fill_ranks(struct ranked *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i].rank2 = (uint32_t)(2 * (i + 1));
}

static bool usable(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i]))
            return false;
    return n > 0 && n <= RANK_VALUES_MAX;
}

// ---- paired -----------------------------------------------------------------------------------

static enum status signed_rank_p(const double *difference, size_t n, struct ranked *values,
                                 double *p)
{
    size_t used = 0, sum2 = 0;
    for (size_t i = 0; i < n; i++)
        if (difference[i] != 0)
            values[used++] = (struct ranked){.value = fabs(difference[i]), .from = i};
    rank(values, used);
    double positive2 = 0, all2 = 0, squares4 = 0;
    for (size_t i = 0; i < used; i++) {
        const double rank2 = values[i].rank2;
        all2 += rank2;
        squares4 += rank2 * rank2;
        positive2 += difference[values[i].from] > 0 ? rank2 : 0;
    }
    *p = two_sided_normal(all2 / 2, squares4 / 4, positive2);
    if (used > SIGNED_RANK_EXACT_MAX)
        return STATUS_OK;
    double *chance = subset_chances(values, used, &sum2);
    if (chance == NULL)
        return STATUS_NO_MEMORY;
    *p = two_sided(chance, sum2, all2 / 2, positive2);
    free(chance);
    return STATUS_OK;
}

static enum status signed_rank_outside(struct ranked *values, size_t n, size_t *outside)
{
    const double pairs = (double)n * (double)(n + 1);
    *outside = outside_normal(pairs / 4, sqrt(pairs * (double)(2 * n + 1) / 24));
    if (n > SIGNED_RANK_EXACT_MAX)
        return STATUS_OK;
    size_t sum2;
    fill_ranks(values, n);
    double *chance = subset_chances(values, n, &sum2);
    if (chance == NULL)
        return STATUS_NO_MEMORY;
    *outside = outside_exact(chance, sum2, 0);
    free(chance);
    return STATUS_OK;
}

enum status signed_rank_test(const double *difference, size_t n, struct rank_test *test)
{
    if (!usable(difference, n))
        return STATUS_INVALID;
    size_t averages = 0, outside = 0;
    struct ranked *values = calloc(n, sizeof *values);
    double *average = malloc(n * (n + 1) / 2 * sizeof *average); // Walsh averages
    enum status status = STATUS_NO_MEMORY;
    if (values != NULL && average != NULL)
        status = signed_rank_p(difference, n, values, &test->p);
    if (status == STATUS_OK)
        status = signed_rank_outside(values, n, &outside);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < n; i++)
            for (size_t k = i; k < n; k++)
                average[averages++] = 0.5 * (difference[i] + difference[k]);
        set_shift(test, average, averages, outside);
    }
    free(values);
    free(average);
    return status;
}

double signed_rank_p_least(size_t n)
{
    return n == 0 ? 1 : fmin(1, exp2(1 - (double)n));
}

// ---- unpaired ---------------------------------------------------------------------------------

static enum status rank_sum_p(const double *a, size_t m, const double *b, size_t n,
                              struct ranked *values, double *p)
{
    const size_t all = m + n;
    for (size_t i = 0; i < all; i++)
        values[i] = (struct ranked){.value = i < m ? a[i] : b[i - m], .from = i};
    rank(values, all);
    const double mean_rank2 = (double)(all + 1), mean2 = (double)n * mean_rank2;
    double seen2 = 0, squares4 = 0;
    for (size_t i = 0; i < all; i++) {
        const double off2 = values[i].rank2 - mean_rank2;
        squares4 += off2 * off2;
        seen2 += values[i].from >= m ? values[i].rank2 : 0;
    }
    // Drawing without putting back.
    const double variance4 = (double)m * (double)n / ((double)all * (double)(all - 1)) * squares4;
    *p = two_sided_normal(mean2, variance4, seen2);
    if (all > RANK_SUM_EXACT_MAX)
        return STATUS_OK;
    size_t sum2;
    double *chance = choice_chances(values, all, n, &sum2);
    if (chance == NULL)
        return STATUS_NO_MEMORY;
    *p = two_sided(chance, sum2, mean2, seen2);
    free(chance);
    return STATUS_OK;
}

static enum status rank_sum_outside(struct ranked *values, size_t m, size_t n, size_t *outside)
{
    const double pairs = (double)m * (double)n;
    *outside = outside_normal(pairs / 2, sqrt(pairs * (double)(m + n + 1) / 12));
    if (m + n > RANK_SUM_EXACT_MAX)
        return STATUS_OK;
    size_t sum2;
    fill_ranks(values, m + n);
    double *chance = choice_chances(values, m + n, n, &sum2);
    if (chance == NULL)
        return STATUS_NO_MEMORY;
    *outside = outside_exact(chance, sum2, n * (n + 1));
    free(chance);
    return STATUS_OK;
}

enum status rank_sum_test(const double *a, size_t m, const double *b, size_t n,
                          struct rank_test *test)
{
    if (!usable(a, m) || !usable(b, n))
        return STATUS_INVALID;
    size_t outside = 0;
    struct ranked *values = calloc(m + n, sizeof *values);
    double *difference = malloc(m * n * sizeof *difference);
    enum status status = STATUS_NO_MEMORY;
    if (values != NULL && difference != NULL)
        status = rank_sum_p(a, m, b, n, values, &test->p);
    if (status == STATUS_OK)
        status = rank_sum_outside(values, m, n, &outside);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < m * n; i++)
            difference[i] = b[i / m] - a[i % m];
        set_shift(test, difference, m * n, outside);
    }
    free(values);
    free(difference);
    return status;
}

double rank_sum_p_least(size_t m, size_t n)
{
    double choices = 1; // of n among m + n
    for (size_t i = 1; i <= n; i++)
        choices *= (double)(m + i) / (double)i;
    return m == 0 || n == 0 ? 1 : fmin(1, 2 / choices);
}

// ---- many tests -------------------------------------------------------------------------------

enum status holm_adjust(double *p, size_t n)
{
    struct ranked *order = calloc(n > 0 ? n : 1, sizeof *order);
    if (order == NULL)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        order[i] = (struct ranked){.value = p[i], .from = i};
    qsort(order, n, sizeof *order, ascending);
    double least = 0;
    for (size_t i = 0; i < n; i++) {
        least = fmax(least, fmin(1, (double)(n - i) * order[i].value));
        p[order[i].from] = least;
    }
    free(order);
    return STATUS_OK;
}
