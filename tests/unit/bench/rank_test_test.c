// harness/rank_test: against published tables of critical values, and at the edges.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdbool.h>

#include "base/random.h"
#include "harness/bench/compare/rank_test.h"

static struct rank_test test;

// Differences of ranks 1..n whose positive ranks add up to `sum`.
static void with_sum(double *difference, size_t n, size_t sum)
{
    for (size_t i = n; i > 0; i--) {
        const bool positive = sum >= i;
        difference[i - 1] = positive ? (double)i : -(double)i;
        sum -= positive ? i : 0;
    }
}

static double signed_p(size_t n, size_t sum)
{
    double difference[SIGNED_RANK_EXACT_MAX];
    with_sum(difference, n, sum);
    ck_assert_int_eq(signed_rank_test(difference, n, &test), STATUS_OK);
    return test.p;
}

START_TEST(signed_rank_agrees_with_the_table_of_critical_values)
{
    // Two-sided, 5 % and 1 % (Wilcoxon and Wilcox 1964); -1: none.
    static const struct {
        size_t n;
        int at_5, at_1;
    } table[] = {{5, -1, -1},  {6, 0, -1},   {7, 2, -1},   {8, 3, 0},    {9, 5, 1},    {10, 8, 3},
                 {11, 10, 5},  {12, 13, 7},  {13, 17, 9},  {14, 21, 12}, {15, 25, 15}, {16, 29, 19},
                 {17, 34, 23}, {18, 40, 27}, {19, 46, 32}, {20, 52, 37}, {25, 89, 68}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const size_t n = table[i].n;
        if (table[i].at_5 >= 0)
            ck_assert_double_le(signed_p(n, (size_t)table[i].at_5), 0.05);
        if (table[i].at_1 >= 0)
            ck_assert_double_le(signed_p(n, (size_t)table[i].at_1), 0.01);
        ck_assert_double_gt(signed_p(n, (size_t)(table[i].at_5 + 1)), 0.05);
        ck_assert_double_gt(signed_p(n, (size_t)(table[i].at_1 + 1)), 0.01);
    }
}
END_TEST

START_TEST(signed_rank_is_exact)
{
    ck_assert_double_eq_tol(signed_p(8, 0), 2.0 / 256, 1e-15);
    ck_assert_double_eq_tol(signed_p(8, 36), 2.0 / 256, 1e-15);
    ck_assert_double_eq_tol(signed_p(8, 3), 10.0 / 256, 1e-15); // sums 0 1 2 3: 1 1 1 2 ways
    ck_assert_double_eq_tol(signed_p(4, 5), 1, 1e-15);
    ck_assert_double_eq_tol(signed_p(1, 0), 1, 1e-15);
}
END_TEST

START_TEST(ties_share_their_ranks_and_zeros_are_left_out)
{
    // Ranks 1.5 1.5 3: sums 0 1.5 1.5 3 3 4.5 4.5 6. Seen 4.5: six of the eight are as far from 3
    // as that.
    ck_assert_int_eq(signed_rank_test((double[]){-1, 1, 2}, 3, &test), STATUS_OK);
    ck_assert_double_eq_tol(test.p, 0.75, 1e-15);
    ck_assert_int_eq(signed_rank_test((double[]){0, -1, 0, 1, 2}, 5, &test), STATUS_OK);
    ck_assert_double_eq_tol(test.p, 0.75, 1e-15);
    ck_assert_int_eq(signed_rank_test((double[]){0, 0, 0}, 3, &test), STATUS_OK);
    ck_assert_double_eq(test.p, 1);
    ck_assert_double_eq(test.shift, 0);
}
END_TEST

// Wilcoxon 1945 and Hollander, Wolfe and Chicken 2014, table 3.1: depression scale factors before
// and after; p = 0.0391 two-sided.
START_TEST(the_textbook_example_of_pairs_comes_out)
{
    static const double before[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    static const double after[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    double difference[9];
    for (int i = 0; i < 9; i++)
        difference[i] = after[i] - before[i];
    ck_assert_int_eq(signed_rank_test(difference, 9, &test), STATUS_OK);
    ck_assert_double_eq_tol(test.p, 0.0391, 5e-5);
    ck_assert_double_eq_tol(test.shift, -0.46, 1e-9);
    ck_assert_double_eq_tol(test.shift_95.low, -0.786, 1e-9);
    ck_assert_double_eq_tol(test.shift_95.high, -0.010, 1e-9);
}
END_TEST

// Values 1..m+n so that U, the pairs in which b is the smaller, is as given.
static double sum_p(size_t m, size_t n, size_t u)
{
    double a[RANK_SUM_EXACT_MAX], b[RANK_SUM_EXACT_MAX];
    for (size_t i = 0; i < m; i++)
        a[i] = 2 * (double)(i + 1);
    // Each b stands above as many a as still are to be counted.
    for (size_t i = 0; i < n; i++) {
        const size_t above = u < m ? u : m;
        b[i] = 2 * (double)above + 1 + 0.001 * (double)i;
        u -= above;
    }
    ck_assert_uint_eq(u, 0);
    ck_assert_int_eq(rank_sum_test(a, m, b, n, &test), STATUS_OK);
    return test.p;
}

START_TEST(rank_sum_agrees_with_the_table_of_critical_values)
{
    // Two-sided, 5 % (Mann and Whitney 1947; Milton 1964).
    static const struct {
        size_t m, n;
        int at_5;
    } table[] = {{3, 5, 0},   {4, 4, 0},    {5, 5, 2},  {6, 6, 5},    {7, 7, 8},
                 {8, 8, 13},  {9, 9, 17},   {5, 8, 6},  {10, 10, 23}, {10, 15, 39},
                 {8, 12, 22}, {15, 15, 64}, {4, 10, 5}, {6, 12, 14},  {20, 20, 127}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const size_t m = table[i].m, n = table[i].n;
        ck_assert_double_le(sum_p(m, n, (size_t)table[i].at_5), 0.05);
        ck_assert_double_gt(sum_p(m, n, (size_t)table[i].at_5 + 1), 0.05);
        ck_assert_double_le(sum_p(n, m, (size_t)table[i].at_5), 0.05);
        ck_assert_double_gt(sum_p(n, m, (size_t)table[i].at_5 + 1), 0.05);
    }
}
END_TEST

START_TEST(rank_sum_is_exact_also_with_ties)
{
    ck_assert_double_eq_tol(sum_p(4, 4, 0), 2.0 / 70, 1e-15);
    ck_assert_double_eq_tol(sum_p(3, 5, 0), 2.0 / 56, 1e-15);
    // Ranks of 1 1 | 1 2: 2 2 2 4. b has 2 4; of the six choices three have 2 2 and three 2 4: all
    // are as far from the mean 5.
    ck_assert_int_eq(rank_sum_test((double[]){1, 1}, 2, (double[]){1, 2}, 2, &test), STATUS_OK);
    ck_assert_double_eq_tol(test.p, 1, 1e-15);
    ck_assert_int_eq(rank_sum_test((double[]){1, 1, 1}, 3, (double[]){1, 2, 2, 2}, 4, &test),
                     STATUS_OK);
    // Four of rank 2.5, three of rank 6. b has all of rank 6, as 4 of the 35 choices of four; the
    // one choice that has none of them is further from the mean.
    ck_assert_double_eq_tol(test.p, 5.0 / 35, 1e-15);
    ck_assert_int_eq(rank_sum_test((double[]){7, 7}, 2, (double[]){7, 7, 7}, 3, &test), STATUS_OK);
    ck_assert_double_eq(test.p, 1);
    ck_assert_int_eq(rank_sum_test((double[]){1}, 1, (double[]){2}, 1, &test), STATUS_OK);
    ck_assert_double_eq(test.p, 1);
}
END_TEST

// Hollander, Wolfe and Chicken 2014, table 4.1: water permeability at term and earlier; p = 0.2544
// two-sided.
START_TEST(the_textbook_example_of_two_samples_comes_out)
{
    static const double term[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    static const double early[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    ck_assert_int_eq(rank_sum_test(early, 5, term, 10, &test), STATUS_OK);
    ck_assert_double_eq_tol(test.p, 0.2544, 5e-5);
    ck_assert_double_eq_tol(test.shift, 0.305, 1e-9);
    ck_assert_double_eq_tol(test.shift_95.low, -0.15, 1e-9);
    ck_assert_double_eq_tol(test.shift_95.high, 0.76, 1e-9);
}
END_TEST

START_TEST(the_normal_approximation_continues_the_exact_distribution)
{
    struct random_stream stream;
    random_start(&stream, 6, "rank");
    double difference[SIGNED_RANK_EXACT_MAX + 1], a[26], b[26];
    for (int k = 0; k < 50; k++) {
        const double shift = random_uniform(&stream, -1, 1);
        for (int i = 0; i <= SIGNED_RANK_EXACT_MAX; i++) {
            a[i] = random_normal(&stream);
            b[i] = random_normal(&stream) + shift;
            difference[i] = random_normal(&stream) + shift;
        }
        // One value of no weight more, and the other way is taken.
        ck_assert_int_eq(signed_rank_test(difference, 25, &test), STATUS_OK);
        const double exact = test.p;
        difference[25] = 1e-9;
        ck_assert_int_eq(signed_rank_test(difference, 26, &test), STATUS_OK);
        ck_assert_double_eq_tol(test.p, exact, 0.05);
        ck_assert_int_eq(rank_sum_test(a, 25, b, 25, &test), STATUS_OK);
        const double exact_sum = test.p;
        a[25] = shift / 2; // in the middle
        ck_assert_int_eq(rank_sum_test(a, 26, b, 25, &test), STATUS_OK);
        ck_assert_double_eq_tol(test.p, exact_sum, 0.05);
    }
}
END_TEST

#define SAMPLES CASES(1000)

START_TEST(the_interval_holds_the_truth_19_times_of_20)
{
    struct random_stream stream;
    random_start(&stream, 7, "interval");
    static const size_t sizes[] = {6, 8, 20, 40};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        int paired = 0, unpaired = 0;
        for (int k = 0; k < SAMPLES; k++) {
            double a[40], b[40];
            for (size_t i = 0; i < sizes[s]; i++) {
                a[i] = random_normal(&stream);
                b[i] = 0.7 + random_normal(&stream);
            }
            ck_assert_int_eq(rank_sum_test(a, sizes[s], b, sizes[s], &test), STATUS_OK);
            unpaired += test.shift_95.low <= 0.7 && 0.7 <= test.shift_95.high;
            ck_assert_int_eq(signed_rank_test(b, sizes[s], &test), STATUS_OK);
            paired += test.shift_95.low <= 0.7 && 0.7 <= test.shift_95.high;
        }
        const int hits[] = {paired, unpaired};
        for (int i = 0; i < 2; i++) {
            ck_assert_double_ge(hits[i], 0.95 * SAMPLES - 2.9 * sqrt(0.95 * 0.05 * SAMPLES));
            ck_assert_double_le(hits[i], 0.95 * SAMPLES + 5 * sqrt(0.95 * 0.05 * SAMPLES));
        }
    }
}
END_TEST

START_TEST(too_few_values_have_no_interval_and_no_small_p)
{
    for (size_t n = 1; n < 6; n++) {
        double all_up[5] = {1, 2, 3, 4, 5};
        ck_assert_int_eq(signed_rank_test(all_up, n, &test), STATUS_OK);
        ck_assert(isnan(test.shift_95.low) && isnan(test.shift_95.high));
        ck_assert_double_eq_tol(test.p, signed_rank_p_least(n), 1e-15);
        ck_assert_double_gt(test.p, 0.05);
    }
    ck_assert_double_eq_tol(signed_rank_p_least(8), 2.0 / 256, 1e-15);
    ck_assert_double_eq_tol(rank_sum_p_least(4, 4), 2.0 / 70, 1e-15);
    ck_assert_double_eq_tol(rank_sum_p_least(1, 10), 2.0 / 11, 1e-15);
    ck_assert_double_eq(signed_rank_p_least(0), 1);
    ck_assert_double_eq(rank_sum_p_least(0, 4), 1);
    ck_assert_double_eq(rank_sum_p_least(1, 1), 1);
}
END_TEST

START_TEST(values_that_are_none_are_refused)
{
    static double many[RANK_VALUES_MAX + 1];
    ck_assert_int_eq(signed_rank_test(many, 0, &test), STATUS_INVALID);
    ck_assert_int_eq(signed_rank_test(many, RANK_VALUES_MAX + 1, &test), STATUS_INVALID);
    ck_assert_int_eq(signed_rank_test((double[]){NAN}, 1, &test), STATUS_INVALID);
    ck_assert_int_eq(rank_sum_test(many, 1, (double[]){INFINITY}, 1, &test), STATUS_INVALID);
    ck_assert_int_eq(rank_sum_test(many, 0, many, 1, &test), STATUS_INVALID);
}
END_TEST

START_TEST(holm_multiplies_by_the_tests_that_are_left)
{
    double p[] = {0.04, 0.01, 0.03, 0.005, 0.9};
    ck_assert_int_eq(holm_adjust(p, 5), STATUS_OK);
    ck_assert_double_eq_tol(p[3], 0.025, 1e-15);
    ck_assert_double_eq_tol(p[1], 0.04, 1e-15);
    ck_assert_double_eq_tol(p[2], 0.09, 1e-15);
    ck_assert_double_eq_tol(p[0], 0.09, 1e-15); // 0.08, but never below the one before
    ck_assert_double_eq_tol(p[4], 0.9, 1e-15);
    double high[] = {0.6, 0.7};
    ck_assert_int_eq(holm_adjust(high, 2), STATUS_OK);
    ck_assert_double_eq(high[0], 1);
    ck_assert_double_eq(high[1], 1);
    ck_assert_int_eq(holm_adjust(NULL, 0), STATUS_OK);
}
END_TEST

UNIT_MAIN("rank_test", signed_rank_agrees_with_the_table_of_critical_values, signed_rank_is_exact,
          ties_share_their_ranks_and_zeros_are_left_out, the_textbook_example_of_pairs_comes_out,
          rank_sum_agrees_with_the_table_of_critical_values, rank_sum_is_exact_also_with_ties,
          the_textbook_example_of_two_samples_comes_out,
          the_normal_approximation_continues_the_exact_distribution,
          the_interval_holds_the_truth_19_times_of_20,
          too_few_values_have_no_interval_and_no_small_p, values_that_are_none_are_refused,
          holm_multiplies_by_the_tests_that_are_left)
