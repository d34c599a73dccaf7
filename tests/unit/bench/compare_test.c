// harness/compare: what is said of two sides.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "harness/bench/compare/compare.h"

#define RUNS_MAX 40
static const struct compare_options options = {.alpha = 0.01, .relevant = 0.05};
static struct measured a[RUNS_MAX], b[RUNS_MAX];

// A metric of n runs a side, b as a but for the factor, and 3 % of noise on both.
static struct comparison noisy(uint64_t seed, enum better better, size_t n, double factor)
{
    struct random_stream stream;
    random_start(&stream, seed, "compare");
    for (size_t i = 0; i < n; i++) {
        a[i] = (struct measured){1, (unsigned)i, 800 * (1 + 0.03 * random_normal(&stream))};
        b[i] =
            (struct measured){2, (unsigned)i, factor * 800 * (1 + 0.03 * random_normal(&stream))};
    }
    return (struct comparison){.metric = "p99",
                               .unit = "us",
                               .better = better,
                               .a = a,
                               .b = b,
                               .a_count = n,
                               .b_count = n};
}

static enum difference said(struct comparison c)
{
    ck_assert_int_eq(compare(&c, 1, &options), STATUS_OK);
    return c.difference;
}

START_TEST(twenty_per_cent_slower_is_worse_at_eight_runs)
{
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct comparison c = noisy(seed, BETTER_LESS, 8, 1.2);
        ck_assert_int_eq(compare(&c, 1, &options), STATUS_OK);
        ck_assert_int_eq(c.difference, DIFFERENCE_WORSE);
        ck_assert(c.paired && c.relative);
        ck_assert_double_eq_tol(c.effect, 0.2, 0.05);
        ck_assert_double_lt(c.effect_95.low, c.effect);
        ck_assert_double_gt(c.effect_95.high, c.effect);
        ck_assert_double_eq_tol(c.p, 2.0 / 256, 1e-12);
    }
}
END_TEST

START_TEST(which_way_is_better_decides_the_word)
{
    ck_assert_int_eq(said(noisy(1, BETTER_LESS, 10, 0.8)), DIFFERENCE_BETTER);
    ck_assert_int_eq(said(noisy(1, BETTER_MORE, 10, 0.8)), DIFFERENCE_WORSE);
    ck_assert_int_eq(said(noisy(1, BETTER_MORE, 10, 1.2)), DIFFERENCE_BETTER);
    ck_assert_int_eq(said(noisy(1, BETTER_NEITHER, 10, 1.2)), DIFFERENCE_OTHER);
}
END_TEST

START_TEST(what_is_shown_but_small_is_no_difference)
{
    struct comparison c = noisy(1, BETTER_LESS, 40, 1.04);
    ck_assert_int_eq(compare(&c, 1, &options), STATUS_OK);
    ck_assert_double_lt(c.p_adjusted, 0.01);
    ck_assert_int_eq(c.difference, DIFFERENCE_NONE);
    c = noisy(1, BETTER_LESS, 40, 1.04);
    ck_assert_int_eq(compare(&c, 1, &(struct compare_options){0.01, 0.02}), STATUS_OK);
    ck_assert_int_eq(c.difference, DIFFERENCE_WORSE);
}
END_TEST

START_TEST(too_few_runs_are_said_with_how_many_are_needed)
{
    for (size_t n = 1; n < 8; n++) {
        struct comparison c = noisy(1, BETTER_LESS, n, 3);
        ck_assert_int_eq(compare(&c, 1, &options), STATUS_OK);
        ck_assert_int_eq(c.difference, DIFFERENCE_TOO_FEW);
        ck_assert_uint_eq(c.runs_needed, 8);
    }
    // Without pairs, of 4 and 4: 2 of the 70 choices; 5 and 5: 2 of 252 = 0.0079.
    struct comparison c = noisy(1, BETTER_LESS, 4, 3);
    b[3].run = 9;
    ck_assert_int_eq(compare(&c, 1, &options), STATUS_OK);
    ck_assert(!c.paired);
    ck_assert_int_eq(c.difference, DIFFERENCE_TOO_FEW);
    ck_assert_uint_eq(c.runs_needed, 5);
}
END_TEST

START_TEST(many_metrics_need_more_runs)
{
    struct comparison list[10];
    for (int i = 0; i < 10; i++)
        list[i] = noisy(1, BETTER_LESS, 8, 1.2);
    ck_assert_int_eq(compare(list, 10, &options), STATUS_OK);
    ck_assert_int_eq(list[0].difference, DIFFERENCE_TOO_FEW);
    ck_assert_uint_eq(list[0].runs_needed, 11); // 2^(1 - 11) <= 0.01 / 10
    for (int i = 0; i < 10; i++)
        list[i] = noisy(1, BETTER_LESS, 11, 1.2);
    ck_assert_int_eq(compare(list, 10, &options), STATUS_OK);
    ck_assert_int_eq(list[9].difference, DIFFERENCE_WORSE);
}
END_TEST

START_TEST(what_never_varies_is_no_difference_and_no_test)
{
    struct measured zero[8], same[8];
    for (unsigned i = 0; i < 8; i++) {
        zero[i] = (struct measured){1, i, 0};
        same[i] = (struct measured){2, i, 0};
    }
    struct comparison list[2] = {
        noisy(1, BETTER_LESS, 8, 1.2),
        {.better = BETTER_LESS, .a = zero, .b = same, .a_count = 8, .b_count = 8}};
    ck_assert_int_eq(compare(list, 2, &options), STATUS_OK);
    ck_assert(list[1].identical);
    ck_assert_int_eq(list[1].difference, DIFFERENCE_NONE);
    ck_assert_int_eq(list[0].difference, DIFFERENCE_WORSE); // still the only test
}
END_TEST

START_TEST(counts_that_begin_at_zero_are_compared_by_their_difference)
{
    struct measured none[8], some[8];
    for (unsigned i = 0; i < 8; i++) {
        none[i] = (struct measured){1, i, 0};
        some[i] = (struct measured){2, i, 3 + i % 2};
    }
    struct comparison c = {.better = BETTER_LESS, .a = none, .b = some, .a_count = 8, .b_count = 8};
    ck_assert_int_eq(compare(&c, 1, &options), STATUS_OK);
    ck_assert(!c.relative);
    ck_assert_int_eq(c.difference, DIFFERENCE_WORSE);
    ck_assert_double_eq(c.effect, 3.5);
}
END_TEST

START_TEST(pairs_see_through_a_drift_that_both_share)
{
    struct comparison c = noisy(1, BETTER_LESS, 12, 1.1);
    for (unsigned i = 0; i < 12; i++) {
        a[i].value *= 1 + i; // the machine gets slower by a factor of 12
        b[i].value *= 1 + i;
    }
    ck_assert_int_eq(said(c), DIFFERENCE_WORSE);
    for (unsigned i = 0; i < 12; i++)
        b[i].run += 100;
    ck_assert_int_eq(said(c), DIFFERENCE_NONE);
}
END_TEST

// Nights of ten runs: each has its own level, `apart` (a share) from the others, with a hundredth
// of noise. b is one more, times `factor`.
static struct measured nights_before[7 * 10];
static struct comparison nights(struct random_stream *stream, unsigned count, double apart,
                                double factor)
{
    for (unsigned night = 0; night <= count; night++) {
        const double level =
            800 * exp(apart * random_normal(stream)) * (night < count ? 1 : factor);
        struct measured *values = night < count ? nights_before + (size_t)night * 10 : b;
        for (unsigned i = 0; i < 10; i++)
            values[i] = (struct measured){night, i, level * (1 + 0.01 * random_normal(stream))};
    }
    return (struct comparison){.better = BETTER_LESS,
                               .a = nights_before,
                               .b = b,
                               .a_count = (size_t)count * 10,
                               .b_count = 10};
}

START_TEST(against_several_campaigns_it_must_be_unlike_them_as_they_differ)
{
    struct random_stream stream;
    random_start(&stream, 1, "nights");
    ck_assert_int_eq(said(nights(&stream, 7, 0.02, 1.25)), DIFFERENCE_WORSE);
    ck_assert_int_eq(said(nights(&stream, 7, 0.02, 0.8)), DIFFERENCE_BETTER);
    struct comparison c =
        nights(&stream, 7, 0.3, 1.25); // nights that differ by a third say nothing of a quarter
    ck_assert_int_eq(said(c), DIFFERENCE_NONE);
    ck_assert_int_eq(compare(&c, 1, &options), STATUS_OK);
    ck_assert_uint_eq(c.campaigns, 7);
}
END_TEST

#define NIGHTS CASES(2000)
#define FAMILIES CASES(4000)

// At most 5 % of the cases, and three standard deviations; but it does alarm.
static void check_alarms(int alarms, int cases)
{
    ck_assert_double_le(alarms, 0.05 * cases + 3 * sqrt(0.05 * 0.95 * cases));
    ck_assert_double_ge(alarms, 0.02 * cases);
}

START_TEST(nights_that_differ_raise_no_more_alarms_than_asked_for)
{
    struct random_stream stream;
    random_start(&stream, 3, "nights");
    int alarms = 0;
    for (int k = 0; k < NIGHTS; k++) {
        struct comparison c = nights(&stream, 4, 0.1, 1);
        ck_assert_int_eq(compare(&c, 1, &(struct compare_options){0.05, 0}), STATUS_OK);
        alarms += c.difference != DIFFERENCE_NONE;
    }
    check_alarms(alarms, NIGHTS);
}
END_TEST

START_TEST(what_has_too_few_runs_for_any_test_takes_no_level_from_the_others)
{
    struct measured one = {1, 0, 700}, other = {2, 0, 900};
    struct comparison list[3] = {
        noisy(1, BETTER_LESS, 8, 1.2),
        {.better = BETTER_LESS, .a = &one, .b = &other, .a_count = 1, .b_count = 1},
        {.better = BETTER_LESS, .a = &one, .b = &other, .a_count = 1, .b_count = 1}};
    ck_assert_int_eq(compare(list, 3, &options), STATUS_OK);
    ck_assert_int_eq(list[0].difference, DIFFERENCE_WORSE);
    ck_assert_double_eq_tol(list[0].p_adjusted, 2.0 / 256, 1e-12);
    ck_assert_int_eq(list[1].difference, DIFFERENCE_TOO_FEW);
    ck_assert_uint_eq(list[1].runs_needed,
                      10); // with these there would be three: 2^(1 - 10) <= 0.01 / 3
}
END_TEST

START_TEST(students_t_has_its_tabulated_values)
{
    static const struct {
        double t;
        unsigned degrees;
        double p;
    } known[] = {{12.706, 1, 0.05}, {63.657, 1, 0.01}, {4.303, 2, 0.05},  {5.841, 3, 0.01},
                 {2.776, 4, 0.05},  {4.032, 5, 0.01},  {2.447, 6, 0.05},  {5.959, 6, 0.001},
                 {2.228, 10, 0.05}, {2.947, 15, 0.01}, {1.984, 100, 0.05}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ck_assert_double_eq_tol(student_two_sided(known[i].t, known[i].degrees), known[i].p,
                                0.001 * known[i].p);
        ck_assert_double_eq_tol(student_two_sided(-known[i].t, known[i].degrees), known[i].p,
                                0.001 * known[i].p);
    }
    ck_assert_double_eq(student_two_sided(0, 3), 1);
    ck_assert_double_lt(student_two_sided(1e6, 6), 1e-12);
}
END_TEST

// Families of five metrics without a difference: at most one in twenty may raise any alarm at that
// level, however small a difference matters.
START_TEST(false_alarms_are_as_rare_as_asked_for)
{
    struct random_stream stream;
    random_start(&stream, 2, "family");
    static struct measured value[10][12];
    int alarms = 0;
    for (int k = 0; k < FAMILIES; k++) {
        struct comparison list[5];
        for (int m = 0; m < 5; m++) {
            for (int side = 0; side < 2; side++)
                for (unsigned i = 0; i < 12; i++)
                    value[2 * m + side][i] = (struct measured){
                        (unsigned)side, i, 100 * exp(0.1 * random_normal(&stream))};
            list[m] = (struct comparison){.better = BETTER_LESS,
                                          .a = value[2 * m],
                                          .b = value[2 * m + 1],
                                          .a_count = 12,
                                          .b_count = 12};
        }
        ck_assert_int_eq(compare(list, 5, &(struct compare_options){0.05, 0}), STATUS_OK);
        bool alarm = false;
        for (int m = 0; m < 5; m++)
            alarm |= list[m].difference != DIFFERENCE_NONE;
        alarms += alarm;
    }
    check_alarms(alarms, FAMILIES);
}
END_TEST

UNIT_MAIN("compare", twenty_per_cent_slower_is_worse_at_eight_runs,
          which_way_is_better_decides_the_word, what_is_shown_but_small_is_no_difference,
          too_few_runs_are_said_with_how_many_are_needed, many_metrics_need_more_runs,
          what_never_varies_is_no_difference_and_no_test,
          counts_that_begin_at_zero_are_compared_by_their_difference,
          pairs_see_through_a_drift_that_both_share,
          against_several_campaigns_it_must_be_unlike_them_as_they_differ,
          nights_that_differ_raise_no_more_alarms_than_asked_for,
          what_has_too_few_runs_for_any_test_takes_no_level_from_the_others,
          students_t_has_its_tabulated_values, false_alarms_are_as_rare_as_asked_for)
