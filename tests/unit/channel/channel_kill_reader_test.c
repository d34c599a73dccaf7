// channel: a reader killed, or stopped, lapped and continued, between any two instructions of a
// get, or of a sleep until something is unread (single-stepped). Nobody notices; the continued one
// reads a whole frame under its number.
#include "tests/unit/common/unit.h"

#include "channel_driver.h"

static void expect_none_harmed(enum victim_work work, enum deed deed, size_t size_B)
{
    // 1 KiB differs by its copy only, which channel_kill_large_test takes at every boundary.
    unsigned stride = size_B > 64 ? 3 * driver_stride() : driver_stride();
    struct driver_findings found =
        driver_run(&(struct driver_plan){.subject = &channel_subject,
                                         .work = work,
                                         .deed = deed,
                                         .size_B = size_B,
                                         .stride = stride,
                                         .compare_deaths = deed == KILL});
    ck_assert_uint_eq(driver_exceptions(&found), 0);
    ck_assert_uint_gt(found.boundaries, 50 / stride);
    ck_assert_uint_eq(found.marked, 0);
    if (work == SLEEP)
        ck_assert_uint_gt(found.asleep, 0);
    else
        ck_assert_uint_eq(found.boundaries, found.instructions / stride + 1);
}

START_TEST(a_reader_killed_at_any_instruction_of_a_get_of_the_newest_is_not_noticed)
{
    expect_none_harmed(GET_NEWEST, KILL, 64);
    expect_none_harmed(GET_NEWEST, KILL, 1024);
}
END_TEST

START_TEST(a_reader_killed_at_any_instruction_of_a_get_of_the_next_is_not_noticed)
{
    expect_none_harmed(GET_NEXT, KILL, 64);
    expect_none_harmed(GET_NEXT, KILL, 1024);
}
END_TEST

START_TEST(
    a_reader_stopped_at_any_instruction_of_a_get_and_lapped_reads_a_whole_frame_when_continued)
{
    expect_none_harmed(GET_NEWEST, STOP, 64);
    expect_none_harmed(GET_NEWEST, STOP, 1024);
}
END_TEST

START_TEST(so_does_one_that_wanted_the_next)
{
    expect_none_harmed(GET_NEXT, STOP, 64);
    expect_none_harmed(GET_NEXT, STOP, 1024);
}
END_TEST

START_TEST(a_reader_killed_at_any_instruction_of_falling_asleep_or_asleep_is_not_noticed)
{
    expect_none_harmed(SLEEP, KILL, 64);
}
END_TEST

START_TEST(a_reader_stopped_at_any_instruction_of_falling_asleep_or_asleep_misses_no_frame_put_then)
{
    expect_none_harmed(SLEEP, STOP, 64);
}
END_TEST

START_TEST(I5_a_sleeper_learns_of_a_frame_even_if_its_writer_died_before_waking_anybody)
{
    struct driver_findings found = driver_run(&(struct driver_plan){
        .subject = &channel_subject, .work = PUT, .deed = KILL, .size_B = 64, .stride = 7});
    // From the swap on, every boundary.
    found = driver_run(&(struct driver_plan){.subject = &channel_subject,
                                             .work = PUT,
                                             .deed = KILL,
                                             .size_B = 64,
                                             .stride = driver_stride(),
                                             .first = found.published_at - 7,
                                             .company = true});
    ck_assert_uint_eq(driver_exceptions(&found), 0);
    ck_assert_uint_gt(found.before, 0);
    ck_assert_uint_gt(found.after, 20 / driver_stride());
}
END_TEST

UNIT_MAIN(
    "channel-kill-reader", a_reader_killed_at_any_instruction_of_a_get_of_the_newest_is_not_noticed,
    a_reader_killed_at_any_instruction_of_a_get_of_the_next_is_not_noticed,
    a_reader_stopped_at_any_instruction_of_a_get_and_lapped_reads_a_whole_frame_when_continued,
    so_does_one_that_wanted_the_next,
    a_reader_killed_at_any_instruction_of_falling_asleep_or_asleep_is_not_noticed,
    a_reader_stopped_at_any_instruction_of_falling_asleep_or_asleep_misses_no_frame_put_then,
    I5_a_sleeper_learns_of_a_frame_even_if_its_writer_died_before_waking_anybody)
