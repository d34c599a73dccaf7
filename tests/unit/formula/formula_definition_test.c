// Temporal formulas against the definitions of their semantics, instant by instant.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "tests/unit/formula/formula_names.h"

// NOLINTBEGIN(misc-no-recursion): `depth` bounds it

#define END_NS 16
#define TIMES 80 // beyond all that is looked at

struct range {
    double low, high;
};
struct table {
    struct range at[TIMES];
};

struct random_trace {
    struct formula_samples samples[SIGNALS];
    int64_t time_ns[3][END_NS + 1];
    double value[3][END_NS + 1];
};

static void make_trace(struct random_stream *random, struct random_trace *trace, bool from_start)
{
    *trace = (struct random_trace){0};
    for (int s = 0; s < 3; s++) {
        size_t count = 0;
        for (int64_t t = 0; t <= END_NS; t++)
            if ((t == 0 && from_start) || random_uniform(random, 0, 1) < 0.4) {
                trace->time_ns[s][count] = t;
                trace->value[s][count++] = floor(random_uniform(random, -9, 10));
            }
        trace->samples[s] = (struct formula_samples){count, trace->time_ns[s], trace->value[s]};
    }
}

static struct range value_at(const struct formula_samples *samples, int64_t t)
{
    struct range range = {-INFINITY, INFINITY};
    for (size_t i = 0; i < samples->count && t <= END_NS && samples->time_ns[i] <= t; i++)
        range = (struct range){samples->value[i], samples->value[i]};
    return range;
}

static struct range lesser(struct range a, struct range b)
{
    return (struct range){fmin(a.low, b.low), fmin(a.high, b.high)};
}

static struct range greater(struct range a, struct range b)
{
    return (struct range){fmax(a.low, b.low), fmax(a.high, b.high)};
}

struct interval_ns {
    bool bounded;
    int64_t from, to;
};

static const struct range unknown = {-INFINITY, INFINITY};

static struct range range_at(const struct table *table, int64_t t)
{
    return t < TIMES ? table->at[t] : unknown;
}

static struct range define_temporal(char kind, const struct table *a, const struct table *b,
                                    struct interval_ns interval, int64_t t)
{
    if (!interval.bounded && t > END_NS)
        return unknown;
    const int64_t from = t + interval.from, to = interval.bounded ? t + interval.to : END_NS;
    struct range result =
        kind == 'A' ? (struct range){INFINITY, INFINITY} : (struct range){-INFINITY, -INFINITY};
    struct range so_far = {INFINITY, INFINITY}; // of `a`, from t on
    for (int64_t u = t; u <= to; u++) {
        so_far = lesser(so_far, range_at(a, u));
        if (u < from)
            continue;
        if (kind == 'A')
            result = lesser(result, range_at(a, u));
        else if (kind == 'E')
            result = greater(result, range_at(a, u));
        else
            result = greater(result, lesser(range_at(b, u), so_far));
    }
    return result;
}

static struct interval_ns make_interval(struct random_stream *random, char *text, size_t size)
{
    struct interval_ns interval = {.bounded = random_uniform(random, 0, 1) < 0.7};
    text[0] = '\0';
    if (!interval.bounded)
        return interval;
    interval.from = (int64_t)random_uniform(random, 0, 5);
    interval.to = interval.from + (int64_t)random_uniform(random, 0, 6);
    snprintf(text, size, "[%lde-9, %lde-9]", (long)interval.from, (long)interval.to);
    return interval;
}

static void make_comparison(struct random_stream *random, const struct random_trace *trace,
                            char *text, size_t size, struct table *table)
{
    const int s = (int)random_uniform(random, 0, 3);
    const bool less = random_uniform(random, 0, 1) < 0.5;
    const int bound = (int)random_uniform(random, -9, 10);
    snprintf(text, size, "%c %c %d", 'x' + s, less ? '<' : '>', bound);
    for (int64_t t = 0; t < TIMES; t++) {
        const struct range v = value_at(&trace->samples[s], t);
        table->at[t] = less ? (struct range){bound - v.high, bound - v.low}
                            : (struct range){v.low - bound, v.high - bound};
    }
}

// A random formula as text, and its robustness at each instant by the definitions.
static void make_formula(struct random_stream *random, const struct random_trace *trace,
                         unsigned depth, char *text, size_t size, struct table *table)
{
    char left[400], right[400], interval[40];
    struct table a, b;
    if (depth == 0) {
        make_comparison(random, trace, text, size, table);
        return;
    }
    const char kind = "NAEU&|"[(int)random_uniform(random, 0, 6)];
    make_formula(random, trace, depth - 1, left, sizeof left, &a);
    make_formula(random, trace, (unsigned)random_uniform(random, 0, depth), right, sizeof right,
                 &b);
    const struct interval_ns of = make_interval(random, interval, sizeof interval);
    switch (kind) {
    case 'N':
        snprintf(text, size, "not (%s)", left);
        break;
    case 'A':
        snprintf(text, size, "always%s (%s)", interval, left);
        break;
    case 'E':
        snprintf(text, size, "eventually%s (%s)", interval, left);
        break;
    case 'U':
        snprintf(text, size, "(%s) until%s (%s)", left, interval, right);
        break;
    default:
        snprintf(text, size, "(%s) %s (%s)", left, kind == '&' ? "and" : "or", right);
    }
    for (int64_t t = 0; t < TIMES; t++)
        table->at[t] = kind == 'N'   ? (struct range){-a.at[t].high, -a.at[t].low}
                       : kind == '&' ? lesser(a.at[t], b.at[t])
                       : kind == '|' ? greater(a.at[t], b.at[t])
                                     : define_temporal(kind, &a, &b, of, t);
}

#define PAIRS CASES(100000)

// Where all is known both must be equal; elsewhere what is said must contain what the definitions
// leave open.
START_TEST(robustness_is_what_the_definitions_say_of_100000_random_formulas)
{
    struct random_stream random;
    unsigned known = 0;
    random_start(&random, 15, "formulas");
    for (int pair = 0; pair < PAIRS; pair++) {
        struct random_trace trace;
        struct table table;
        char text[1000];
        make_trace(&random, &trace, pair % 4 != 0);
        make_formula(&random, &trace, (unsigned)random_uniform(&random, 0, 4), text, sizeof text,
                     &table);
        const int64_t at = (int64_t)random_uniform(&random, 0, END_NS);
        const struct range expected = table.at[at];
        const struct formula_result r =
            result_of(text, &(struct formula_trace){trace.samples, END_NS},
                      (struct formula_window){FORMULA_HOLDS, at, END_NS});
        const bool is_known = isfinite(expected.low) && expected.low == expected.high;
        known += is_known;
        ck_assert_msg(r.low <= expected.low && r.high >= expected.high,
                      "%s at %ld: %g to %g, by definition %g to %g", text, (long)at, r.low, r.high,
                      expected.low, expected.high);
        struct formula *formula = parsed(text);
        const int64_t horizon = formula_horizon_ns(formula);
        formula_free(formula);
        if (pair % 4 != 0 && horizon != INT64_MAX && at + horizon <= END_NS)
            ck_assert_msg(r.low == expected.low && r.high == expected.high,
                          "%s at %ld: %g to %g instead of %g", text, (long)at, r.low, r.high,
                          expected.low);
    }
    ck_assert_uint_gt(known, PAIRS / 3);
}
END_TEST

START_TEST(robustness_over_time_is_that_of_each_instant)
{
    static const int64_t time_ns[] = {0, 10, 20};
    static const double value[] = {1, 3, 2};
    const struct formula_samples samples[SIGNALS] = {{3, time_ns, value}};
    const struct formula_trace trace = {samples, 30};
    static const struct formula_step expected[] = {{INT64_MIN, -INFINITY, INFINITY},
                                                   {0, 1.5, 1.5},
                                                   {10, -0.5, -0.5},
                                                   {20, 0.5, 0.5},
                                                   {31, -INFINITY, INFINITY}};
    struct formula *formula = parsed("x < 2.5");
    struct formula_step *step;
    size_t count;
    ck_assert_int_eq(formula_robustness(formula, &trace, &step, &count), STATUS_OK);
    ck_assert_uint_eq(count, 5);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(step[i].from_ns, expected[i].from_ns);
        ck_assert(step[i].low == expected[i].low && step[i].high == expected[i].high);
    }
    free(step);
    formula_free(formula);
}
END_TEST
// NOLINTEND(misc-no-recursion)

UNIT_MAIN("formula definition", robustness_is_what_the_definitions_say_of_100000_random_formulas,
          robustness_over_time_is_that_of_each_instant)
