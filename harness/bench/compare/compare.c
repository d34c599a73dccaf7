#include "harness/bench/compare/compare.h"

#include <math.h>
#include <stdlib.h>

#include "harness/bench/compare/rank_test.h"

#define RUNS_NEEDED_MAX 100

static bool all_positive(const struct measured *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(values[i].value > 0))
            return false;
    return true;
}

static bool same_runs(const struct comparison *c)
{
    for (size_t i = 0; i < c->a_count && c->a_count == c->b_count; i++)
        if (c->a[i].group != c->a[0].group || c->a[i].run != c->b[i].run)
            return false;
    return c->a_count == c->b_count;
}

static bool all_equal(const struct comparison *c)
{
    for (size_t i = 0; i < c->a_count; i++)
        if (c->a[i].value != c->a[0].value)
            return false;
    for (size_t i = 0; i < c->b_count; i++)
        if (c->b[i].value != c->a[0].value)
            return false;
    return true;
}

static double median_of(const struct measured *values, size_t count, double *work)
{
    for (size_t i = 0; i < count; i++)
        work[i] = values[i].value;
    return median(work, count);
}

// What ranks are taken of: logarithms of what has ratios.
static double scale(const struct comparison *c, double value)
{
    return c->relative ? log(value) : value;
}

static double unscale(const struct comparison *c, double shift)
{
    return c->relative ? exp(shift) - 1 : shift;
}

// How likely one more campaign of a's kind has a median as far off as b's: Student's t of a
// prediction from their medians, taken as normal. 0 for a single campaign, of which nobody knows
// how much others would differ.
static double p_of_campaigns(struct comparison *c, double *work)
{
    double mean = 0, squares = 0; // of the medians so far (Welford 1962)
    c->campaigns = 0;
    for (size_t i = 0, end; i < c->a_count; i = end) {
        for (end = i + 1; end < c->a_count && c->a[end].group == c->a[i].group;)
            end++;
        const double centre = scale(c, median_of(c->a + i, end - i, work));
        const double off = centre - mean;
        mean += off / ++c->campaigns;
        squares += off * (centre - mean);
    }
    if (c->campaigns < 2)
        return 0;
    const double off = scale(c, c->b_median) - mean;
    const double variance = squares / (c->campaigns - 1) * (1 + 1.0 / c->campaigns);
    if (variance <= 0)
        return off == 0 ? 1 : 0;
    return student_two_sided(off / sqrt(variance), c->campaigns - 1);
}

// work holds both sides.
static enum status test_one(struct comparison *c, double *work)
{
    struct rank_test test;
    enum status status;
    double *a = work, *b = work + c->a_count;
    for (size_t i = 0; i < c->a_count; i++)
        a[i] = scale(c, c->a[i].value);
    for (size_t i = 0; i < c->b_count; i++)
        b[i] = scale(c, c->b[i].value);
    if (c->paired) {
        for (size_t i = 0; i < c->a_count; i++)
            b[i] -= a[i];
        status = signed_rank_test(b, c->b_count, &test);
    } else {
        status = rank_sum_test(a, c->a_count, b, c->b_count, &test);
    }
    if (status != STATUS_OK)
        return status;
    c->p = c->identical ? 1 : fmax(test.p, p_of_campaigns(c, work));
    c->effect = unscale(c, test.shift);
    c->effect_95 = (struct interval){unscale(c, test.shift_95.low), unscale(c, test.shift_95.high)};
    return STATUS_OK;
}

static enum status measure_one(struct comparison *c)
{
    double *work = malloc((c->a_count + c->b_count + 1) * sizeof *work);
    if (work == NULL)
        return STATUS_NO_MEMORY;
    c->paired = same_runs(c);
    c->relative = all_positive(c->a, c->a_count) && all_positive(c->b, c->b_count);
    c->identical = all_equal(c);
    c->a_median = median_of(c->a, c->a_count, work);
    c->b_median = median_of(c->b, c->b_count, work);
    const enum status status = test_one(c, work);
    free(work);
    return status;
}

// ---- what to say ------------------------------------------------------------------------------

static double p_least(const struct comparison *c, size_t a_count, size_t b_count)
{
    return c->paired ? signed_rank_p_least(a_count) : rank_sum_p_least(a_count, b_count);
}

static bool matters(const struct comparison *c, double relevant)
{
    if (!c->relative)
        return c->effect != 0 && fabs(c->effect) >= relevant * fabs(c->a_median);
    return fabs(log1p(c->effect)) >= log1p(relevant); // as much up as down
}

// Whether so many runs could show anything at that level, however large it were.
static bool could_show(const struct comparison *c, double level)
{
    return !c->identical && p_least(c, c->a_count, c->b_count) <= level;
}

static unsigned runs_needed(const struct comparison *c, double level)
{
    unsigned runs = 1;
    while (runs < RUNS_NEEDED_MAX && p_least(c, runs, runs) > level)
        runs++;
    return runs;
}

// Of `varying` metrics `tests` are held to alpha together.
static void decide(struct comparison *c, size_t tests, size_t varying,
                   const struct compare_options *options)
{
    c->difference = DIFFERENCE_NONE;
    if (c->p_adjusted > options->alpha) {
        if (c->identical || could_show(c, options->alpha / (double)(tests > 0 ? tests : 1)))
            return;
        c->difference = DIFFERENCE_TOO_FEW;
        c->runs_needed = runs_needed(c, options->alpha / (double)varying);
        return;
    }
    if (!matters(c, options->relevant))
        return;
    c->difference = c->better == BETTER_NEITHER                     ? DIFFERENCE_OTHER
                    : (c->better == BETTER_MORE) == (c->effect > 0) ? DIFFERENCE_BETTER
                                                                    : DIFFERENCE_WORSE;
}

enum status compare(struct comparison *list, size_t count, const struct compare_options *options)
{
    // What could not be shown has no test to fail, so it does not count among them (Tarone 1990):
    // what never varies, or has too few runs even for one test alone.
    size_t tests = 0, varying = 0;
    enum status status = STATUS_OK;
    double *p = malloc((count + 1) * sizeof *p);
    if (p == NULL)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = measure_one(&list[i]);
        varying += !list[i].identical;
        if (status == STATUS_OK && could_show(&list[i], options->alpha))
            p[tests++] = list[i].p;
    }
    if (status == STATUS_OK)
        status = holm_adjust(p, tests);
    for (size_t i = 0, k = 0; status == STATUS_OK && i < count; i++) {
        list[i].p_adjusted = could_show(&list[i], options->alpha) ? p[k++] : 1;
        decide(&list[i], tests, varying, options);
    }
    free(p);
    return status;
}
