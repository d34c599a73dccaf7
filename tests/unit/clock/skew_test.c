// Clocks that are wrong: what they show, and when they show it.
#include "tests/unit/common/unit.h"

#include <string.h>

#include "clock/coordinator.h"
#include "clock/page.h"
#include "clock/skew.h"

#define S INT64_C(1000000000)

START_TEST(a_step_a_drift_and_a_stop_show_what_they_should)
{
    const struct clk_page_skew step = {.step_ns = -2 * S};
    ck_assert_int_eq(clk_skew_local_ns(&step, true, 5 * S), 3 * S);
    ck_assert_int_eq(clk_skew_local_ns(&step, false, 5 * S), 5 * S);
    const struct clk_page_skew drift = {.rate_ppb = S / 2, .since_ns = 4 * S};
    ck_assert_int_eq(clk_skew_local_ns(&drift, true, 4 * S), 4 * S);
    ck_assert_int_eq(clk_skew_local_ns(&drift, true, 6 * S), 7 * S);
    const struct clk_page_skew stop = {.rate_ppb = CLK_STANDS_STILL_PPB, .since_ns = 4 * S};
    ck_assert_int_eq(clk_skew_local_ns(&stop, true, 900 * S), 4 * S);
    ck_assert_int_eq(clk_skew_true_ns(&stop, true, 5 * S), INT64_MAX);
}
END_TEST

START_TEST(a_time_is_shown_at_the_first_moment_and_not_before)
{
    const int64_t rates_ppb[] = {-999999000, -500000000, -1, 0, 3, 333333333, 10 * S};
    for (unsigned i = 0; i < sizeof rates_ppb / sizeof rates_ppb[0]; i++) {
        const struct clk_page_skew skew = {
            .step_ns = 12345, .rate_ppb = rates_ppb[i], .since_ns = 3 * S};
        for (int64_t local_ns = 4 * S; local_ns < 9 * S; local_ns += 123456789) {
            const int64_t true_ns = clk_skew_true_ns(&skew, true, local_ns);
            ck_assert_int_ge(clk_skew_local_ns(&skew, true, true_ns), local_ns);
            const int64_t tick_ns = S / (S + rates_ppb[i]) + 1; // in which it shows one more
            ck_assert_int_lt(clk_skew_local_ns(&skew, true, true_ns - 2 * tick_ns), local_ns);
        }
    }
}
END_TEST

START_TEST(times_too_far_away_saturate)
{
    const struct clk_page_skew skew = {.step_ns = INT64_MAX, .rate_ppb = 10 * S};
    ck_assert_int_eq(clk_skew_local_ns(&skew, true, INT64_MAX), INT64_MAX);
    ck_assert_int_eq(clk_skew_true_ns(&skew, true, INT64_MAX), INT64_MAX);
}
END_TEST

START_TEST(only_who_made_a_clock_wrong_puts_it_right)
{
    char cell[64];
    struct clk_coordinator *coordinator;
    unsigned number;
    const struct clk_skew drift = {.rate_ppb = 5, .tag = 7};
    const struct clk_skew backwards = {.rate_ppb = CLK_STANDS_STILL_PPB - 1};
    make_folder(cell, sizeof cell);
    ck_assert_int_eq(clk_coordinator_create(cell, CLK_VIRTUAL, &coordinator), STATUS_OK);
    ck_assert_int_eq(clk_coordinator_add(coordinator, "one", 1, false, &number), STATUS_OK);
    ck_assert_int_eq(clk_skew_begin(cell, "nobody", &drift), STATUS_NOT_FOUND);
    ck_assert_int_eq(clk_skew_begin(cell, "one", &backwards), STATUS_INVALID);
    ck_assert_int_eq(clk_skew_end(cell, "one", 7), STATUS_NOT_FOUND);
    ck_assert_int_eq(clk_skew_begin(cell, "one", &drift), STATUS_OK);
    ck_assert_int_eq(clk_skew_end(cell, "one", 8), STATUS_NOT_FOUND);
    ck_assert_int_eq(clk_skew_end(cell, "one", 7), STATUS_OK);
    ck_assert_int_eq(clk_skew_end(cell, "one", 7), STATUS_NOT_FOUND);
    clk_coordinator_destroy(coordinator);
}
END_TEST

UNIT_MAIN("skew", a_step_a_drift_and_a_stop_show_what_they_should,
          a_time_is_shown_at_the_first_moment_and_not_before, times_too_far_away_saturate,
          only_who_made_a_clock_wrong_puts_it_right)
