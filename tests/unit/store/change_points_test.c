// Change points of a series: where they are, and where there are none.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdbool.h>

#include "base/random.h"
#include "harness/store/benchmark/change_points.h"

#define N 30

static double series[CHANGE_VALUES_MAX + 1];
static struct change_point point[CHANGE_VALUES_MAX];
static size_t count;

static void look(size_t n, double relevant)
{
    ck_assert_int_eq(change_points(series, n, relevant, point, &count), STATUS_OK);
}

// `low` up to `change`, then `high`, with noise around both.
static void make(size_t n, size_t change, double low, double high, double noise, uint64_t seed)
{
    struct random_stream stream;
    random_start(&stream, seed, "series");
    for (size_t i = 0; i < n; i++)
        series[i] = (i < change ? low : high) + random_uniform(&stream, -noise, noise);
}

START_TEST(a_step_is_found_where_it_is)
{
    for (size_t change = 4; change < N - 3; change++) {
        make(N, change, 10, 12, 0.3, change);
        look(N, 0.05);
        ck_assert_uint_eq(count, 1);
        ck_assert_uint_eq(point[0].index, change);
        ck_assert_double_eq_tol(point[0].before, 10, 0.3);
        ck_assert_double_eq_tol(point[0].after, 12, 0.3);
        ck_assert_double_lt(point[0].p, CHANGE_ALPHA);
    }
}
END_TEST

START_TEST(a_step_up_and_down_again_is_two)
{
    make(N, 0, 0, 10, 0.2, 1);
    for (size_t i = 10; i < 20; i++)
        series[i] += 3;
    look(N, 0.05);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(point[0].index, 10);
    ck_assert_uint_eq(point[1].index, 20);
    ck_assert_double_eq_tol(point[1].before, 13, 0.2);
}
END_TEST

// One false alarm in a thousand points, of which a series has a few to choose from.
START_TEST(noise_alone_is_no_change)
{
    unsigned alarms = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        make(N, 0, 10, 10, 1, seed);
        look(N, 0);
        alarms += count > 0;
    }
    ck_assert_uint_le(alarms, 6);
}
END_TEST

START_TEST(what_does_not_matter_is_not_told)
{
    make(N, 15, 10, 10.2, 0.02, 2);
    look(N, 0.05);
    ck_assert_uint_eq(count, 0);
    look(N, 0.01);
    ck_assert_uint_eq(count, 1);
}
END_TEST

// On the virtual clock a quantity does not vary by itself.
START_TEST(without_noise_any_difference_is_one_but_between_two_values)
{
    make(3, 2, 1, 2, 0, 0);
    look(3, 0.05);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(point[0].index, 2);
    ck_assert_double_eq(point[0].p, 0);
    look(2, 0.05);
    ck_assert_uint_eq(count, 0);
    make(2, 1, 1, 2, 0, 0);
    look(2, 0.05);
    ck_assert_uint_eq(count, 0);
    look(0, 0.05);
    ck_assert_uint_eq(count, 0);
    make(N, 0, 4, 4, 0, 0);
    look(N, 0.05);
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(the_last_value_alone_can_be_one_if_it_is_far_off)
{
    make(N, N - 1, 10, 14, 0.3, 3);
    look(N, 0.05);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(point[0].index, N - 1);
}
END_TEST

START_TEST(too_many_values_are_refused)
{
    ck_assert_int_eq(change_points(series, CHANGE_VALUES_MAX + 1, 0, point, &count),
                     STATUS_INVALID);
}
END_TEST

UNIT_MAIN("change_points", a_step_is_found_where_it_is, a_step_up_and_down_again_is_two,
          noise_alone_is_no_change, what_does_not_matter_is_not_told,
          without_noise_any_difference_is_one_but_between_two_values,
          the_last_value_alone_can_be_one_if_it_is_far_off, too_many_values_are_refused)
