#include "tests/unit/common/unit.h"

#include <string.h>

#include "harness/machine/stalls.h"

static struct stall_list list;

static void reset(void)
{
    memset(&list, 0, sizeof list);
}

START_TEST(an_empty_list_touches_nothing)
{
    reset();
    ck_assert(!stall_list_touches(&list, 0, INT64_MAX));
}
END_TEST

START_TEST(a_sample_is_marked_if_it_shares_an_instant_with_a_window_and_not_else)
{
    reset();
    stall_list_add(&list, 100, 200);
    stall_list_add(&list, 400, 500);
    ck_assert(!stall_list_touches(&list, 0, 99));
    ck_assert(stall_list_touches(&list, 0, 100));
    ck_assert(stall_list_touches(&list, 150, 160));
    ck_assert(stall_list_touches(&list, 200, 300));
    ck_assert(!stall_list_touches(&list, 201, 399));
    ck_assert(stall_list_touches(&list, 50, 600));
    ck_assert(stall_list_touches(&list, 500, 500));
    ck_assert(!stall_list_touches(&list, 501, INT64_MAX));
}
END_TEST

START_TEST(windows_that_touch_become_one_and_their_length_counts_once)
{
    reset();
    stall_list_add(&list, 100, 200);
    stall_list_add(&list, 150, 250);
    stall_list_add(&list, 250, 260);
    stall_list_add(&list, 120, 130); // within: changes nothing
    ck_assert_uint_eq(list.count, 1);
    ck_assert_uint_eq(list.happened, 4);
    ck_assert_int_eq(list.total_ns, 160);
    ck_assert_int_eq(list.window[0].end_ns, 260);
}
END_TEST

START_TEST(a_window_that_ends_before_it_begins_is_none)
{
    reset();
    stall_list_add(&list, 200, 100);
    ck_assert_uint_eq(list.happened, 0);
    ck_assert_uint_eq(list.count, 0);
}
END_TEST

START_TEST(a_full_list_still_marks_every_later_window)
{
    reset();
    for (int64_t i = 0; i < STALLS_MAX + 10; i++)
        stall_list_add(&list, 100 * i, 100 * i + 10);
    ck_assert_uint_eq(list.count, STALLS_MAX);
    ck_assert_uint_eq(list.happened, STALLS_MAX + 10);
    ck_assert(!stall_list_touches(&list, 11, 99));
    for (int64_t i = 0; i < STALLS_MAX + 10; i++)
        ck_assert(stall_list_touches(&list, 100 * i + 5, 100 * i + 5));
    ck_assert(!stall_list_touches(&list, 100 * (STALLS_MAX + 10), INT64_MAX));
}
END_TEST

START_TEST(a_core_that_stood_still_is_a_window_since_it_was_last_seen)
{
    reset();
    const struct stall_wake wake = {.seen_ns = 1000, .due_ns = 2000, .woke_ns = 9000};
    ck_assert_int_eq(stall_unexplained_ns(&wake), 7000);
    ck_assert(stall_list_judge(&list, &wake, 6999));
    ck_assert_int_eq(list.window[0].begin_ns, 1000);
    ck_assert_int_eq(list.window[0].end_ns, 9000);
}
END_TEST

START_TEST(what_others_of_this_machine_ran_is_no_stall)
{
    reset();
    const struct stall_wake queued = {
        .seen_ns = 1000, .due_ns = 2000, .woke_ns = 9000, .queued_ns = 6900};
    ck_assert_int_eq(stall_unexplained_ns(&queued), 100);
    ck_assert(!stall_list_judge(&list, &queued, 200));
    const struct stall_wake early = {.seen_ns = 1, .due_ns = 2, .woke_ns = 3, .queued_ns = 50};
    ck_assert_int_eq(stall_unexplained_ns(&early), 0);
    ck_assert(!stall_list_judge(&list, &early, 0));
    ck_assert_uint_eq(list.count, 0);
}
END_TEST

START_TEST(a_core_that_the_kernel_held_is_a_window_unless_it_took_too_long)
{
    reset();
    const struct stall_wake held = {
        .seen_ns = 1000, .due_ns = 2000, .woke_ns = 9000, .queued_ns = 7000};
    ck_assert(!stall_list_judge_held(&list, &held, 7000, 8000)); // not late enough
    ck_assert(!stall_list_judge_held(&list, &held, 6999, 6999)); // too late: throttled
    ck_assert_uint_eq(list.count, 0);
    ck_assert(stall_list_judge_held(&list, &held, 6999, 7000));
    ck_assert_int_eq(list.window[0].begin_ns, 1000);
    ck_assert_int_eq(list.window[0].end_ns, 9000);
}
END_TEST

UNIT_MAIN("stalls", an_empty_list_touches_nothing,
          a_sample_is_marked_if_it_shares_an_instant_with_a_window_and_not_else,
          windows_that_touch_become_one_and_their_length_counts_once,
          a_window_that_ends_before_it_begins_is_none, a_full_list_still_marks_every_later_window,
          a_core_that_stood_still_is_a_window_since_it_was_last_seen,
          what_others_of_this_machine_ran_is_no_stall,
          a_core_that_the_kernel_held_is_a_window_unless_it_took_too_long)
