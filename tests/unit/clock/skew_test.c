// Clocks that are wrong: what they show, and when they show it.
#include "tests/unit/common/unit.h"

#include <string.h>

#include "clock/page.h"
#include "clock/skew.h"
#include "tests/unit/common/clock_lab.h"

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

static void sleep_on_and_on(struct clk *clk)
{
    for (;;) { // until it is killed
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(1)));
    }
}

// What the participant's clock shows now.
static int64_t shown_ms(const struct lab *lab)
{
    struct clk_page *page;
    require(clk_page_map(lab->cell, &page));
    const int64_t now_ns = atomic_load(&page->now_ns);
    const struct clk_page_skew *skew = &clk_page_slot(page, "worker")->skew;
    const int64_t shown_ns =
        atomic_load(&skew->active) ? clk_skew_local_ns(skew, true, now_ns) : now_ns;
    return (shown_ns + 500000) / 1000000;
}

START_TEST(faults_of_one_clock_add_up_and_end_in_any_order)
{
    struct lab lab;
    const struct clk_skew ahead = {.step_ns = 5 * S, .tag = 1},
                          behind = {.step_ns = -2 * S, .tag = 2},
                          fast = {.rate_ppb = S / 2, .tag = 3},
                          slow = {.rate_ppb = -S / 2, .tag = 4},
                          stop = {.rate_ppb = CLK_STANDS_STILL_PPB, .tag = 5};
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "worker", 1, false, sleep_on_and_on);
    start_all(&lab);
    run_to_ms(&lab, 100);
    require(clk_skew_begin(lab.cell, "worker", &ahead));
    require(clk_skew_begin(lab.cell, "worker", &behind));
    ck_assert_int_eq(shown_ms(&lab), 3100);
    require(clk_skew_end(lab.cell, "worker", 1));
    ck_assert_int_eq(shown_ms(&lab), -1899); // rounded up
    require(clk_skew_end(lab.cell, "worker", 2));
    require(clk_skew_begin(lab.cell, "worker", &fast));
    run_to_ms(&lab, 200);
    ck_assert_int_eq(shown_ms(&lab), 250);
    require(clk_skew_begin(lab.cell, "worker", &slow));
    run_to_ms(&lab, 300); // what one gains the other loses
    ck_assert_int_eq(shown_ms(&lab), 350);
    require(clk_skew_begin(lab.cell, "worker", &stop));
    run_to_ms(&lab, 400);
    ck_assert_int_eq(shown_ms(&lab), 350);
    require(clk_skew_end(lab.cell, "worker", 5));
    require(clk_skew_end(lab.cell, "worker", 3));
    ck_assert_int_eq(shown_ms(&lab), 300);
    require(clk_skew_end(lab.cell, "worker", 4));
    ck_assert_int_eq(shown_ms(&lab), 400);
    close_lab(&lab);
}
END_TEST

static void work_each_10_ms(struct clk *clk)
{
    struct clk_period period = clk_period_start(clk, instant_ns(0), duration_ms(10));
    for (;;) { // until it is killed
        (void)clk_period_wait(clk, &period);
        note(clk, "works");
    }
}

START_TEST(a_turn_takes_longer_as_often_as_asked_for_and_not_once_it_is_over)
{
    struct lab lab;
    struct clk_skew_turns turns;
    const struct clk_skew once = {.busy_ns = 12 * 1000000, .turns = 1, .tag = 7};
    const struct clk_skew always = {.busy_ns = 12 * 1000000, .tag = 8};
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "worker", 1, false, work_each_10_ms);
    start_all(&lab);
    run_to_ms(&lab, 25);
    expect_story("0 worker works\n10 worker works\n20 worker works\n");
    require(clk_skew_begin(lab.cell, "worker", &once));
    run_to_ms(&lab, 65);
    expect_story("30 worker works\n42 worker works\n50 worker works\n60 worker works\n");
    require(clk_skew_begin(lab.cell, "worker", &always));
    ck_assert_int_eq(clk_skew_turns(lab.cell, "worker", 9, &turns), STATUS_NOT_FOUND);
    require(clk_skew_turns(lab.cell, "worker", 7, &turns));
    ck_assert_uint_eq(turns.now, 1);
    run_to_ms(&lab, 95);
    expect_story("70 worker works\n82 worker works\n94 worker works\n");
    require(clk_skew_end(lab.cell, "worker", 8));
    run_to_ms(&lab, 125);
    expect_story("106 worker works\n110 worker works\n120 worker works\n");
    require(clk_skew_turns(lab.cell, "worker", 8, &turns));
    ck_assert(turns.ended);
    ck_assert_uint_eq(turns.now, 3);
    ck_assert_uint_eq(turns.at_end, 3);
    close_lab(&lab);
}
END_TEST

static void compute_and_say(struct clk *clk)
{
    struct timespec used;
    clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(1)));
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    shared->word[0] = (uint64_t)used.tv_sec * 1000 + (uint64_t)used.tv_nsec / 1000000;
    clk_sleep_until(clk, INSTANT_NEVER);
}

START_TEST(in_real_time_it_computes)
{
    struct lab lab;
    const struct clk_skew once = {.busy_ns = 50 * 1000000, .turns = 1, .tag = 7};
    open_lab(&lab, CLK_WALL);
    add(&lab, "worker", 1, false, compute_and_say);
    require(clk_skew_begin(lab.cell, "worker", &once));
    start_all(&lab);
    for (int64_t ms = 100; shared->word[0] == 0 && ms < 20000; ms += 100)
        run_to_ms(&lab, ms);
    ck_assert_uint_ge(shared->word[0], 50);
    close_lab(&lab);
}
END_TEST

UNIT_MAIN("skew", faults_of_one_clock_add_up_and_end_in_any_order,
          a_turn_takes_longer_as_often_as_asked_for_and_not_once_it_is_over,
          in_real_time_it_computes, a_step_a_drift_and_a_stop_show_what_they_should,
          a_time_is_shown_at_the_first_moment_and_not_before, times_too_far_away_saturate,
          only_who_made_a_clock_wrong_puts_it_right)
