#include "harness/compare.h"

#include <math.h>
#include <stdlib.h>

#include "harness/rank_test.h"

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
    c->p = c->identical ? 1 : test.p;
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

// Runs of one campaign are more alike than campaigns are: against several, b must lie outside all of their medians.
static bool outside_groups(const struct comparison *c)
{
    bool above = true, below = true;
    for (size_t i = 0, end; i < c->a_count; i = end) {
        for (end = i + 1; end < c->a_count && c->a[end].group == c->a[i].group;)
            end++;
        double *work = malloc((end - i) * sizeof *work);
        const double centre = work == NULL ? c->b_median : median_of(c->a + i, end - i, work);
        free(work);
        above &= c->b_median > centre;
        below &= c->b_median < centre;
    }
    return above || below;
}

static void decide(struct comparison *c, size_t tests, const struct compare_options *options)
{
    const double level = options->alpha / (double)(tests > 0 ? tests : 1);
    c->difference = DIFFERENCE_NONE;
    if (c->p_adjusted > options->alpha) {
        if (c->identical || p_least(c, c->a_count, c->b_count) <= level)
            return;
        c->difference = DIFFERENCE_TOO_FEW;
        c->runs_needed = 1;
        while (c->runs_needed < RUNS_NEEDED_MAX &&
               p_least(c, c->runs_needed, c->runs_needed) > level)
            c->runs_needed++;
        return;
    }
    const bool several = c->a[0].group != c->a[c->a_count - 1].group;
    if (!matters(c, options->relevant) || (several && !outside_groups(c)))
        return;
    c->difference = c->better == BETTER_NEITHER                     ? DIFFERENCE_OTHER
                    : (c->better == BETTER_MORE) == (c->effect > 0) ? DIFFERENCE_BETTER
                                                                    : DIFFERENCE_WORSE;
}

enum status compare(struct comparison *list, size_t count, const struct compare_options *options)
{
    // What never varies has no test to fail, so it does not count among them (Tarone 1990).
    size_t tests = 0;
    enum status status = STATUS_OK;
    double *p = malloc((count + 1) * sizeof *p);
    if (p == NULL)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = measure_one(&list[i]);
        if (status == STATUS_OK && !list[i].identical)
            p[tests++] = list[i].p;
    }
    if (status == STATUS_OK)
        status = holm_adjust(p, tests);
    for (size_t i = 0, k = 0; status == STATUS_OK && i < count; i++) {
        list[i].p_adjusted = list[i].identical ? 1 : p[k++];
        decide(&list[i], tests, options);
    }
    free(p);
    return status;
}
