// channel: a writer killed, or stopped, lapped and continued, between instructions of a put
// (single-stepped). Invariants I1, I2, I4, I5, I6, I7, I8 after each.
#include "tests/unit/common/unit.h"

#include "channel_driver.h"

static struct driver_findings expect_none_harmed(struct driver_plan plan)
{
    plan.subject = &channel_subject;
    plan.work = PUT;
    // 1 KiB differs by its copy only, which channel_kill_large_test takes at every boundary.
    plan.stride = plan.size_B > 64 ? 3 * driver_stride() : driver_stride();
    plan.compare_deaths = plan.deed == KILL;
    struct driver_findings found = driver_run(&plan);
    ck_assert_uint_eq(driver_exceptions(&found), 0);
    ck_assert_uint_eq(found.boundaries, (found.instructions - plan.first) / plan.stride + 1);
    ck_assert_uint_eq(found.boundaries, found.before + found.after);
    ck_assert_uint_gt(found.before, 5 / plan.stride);
    ck_assert_uint_gt(found.after, 5 / plan.stride);
    return found;
}

START_TEST(a_writer_killed_at_any_instruction_of_a_put_harms_nobody)
{
    struct driver_findings found =
        expect_none_harmed((struct driver_plan){.deed = KILL, .size_B = 1024});
    ck_assert_uint_gt(found.marked, found.boundaries / 4);
}
END_TEST

START_TEST(so_if_others_overtook_it_just_before_its_swap_and_it_numbers_its_frame_anew)
{
    struct driver_findings found =
        expect_none_harmed((struct driver_plan){.deed = KILL, .size_B = 64});
    ck_assert_uint_gt(found.marked, found.boundaries / 4);
    // The swap is the instruction after this place (or one soon after it, if only some were tried).
    const unsigned swap = found.published_at - driver_stride();
    for (int i = 0; i < 2; i++) {
        found = expect_none_harmed((struct driver_plan){
            .deed = i == 0 ? KILL : STOP, .size_B = 64, .first = swap + 1, .overtake = swap});
        ck_assert_uint_ge(found.overtaken, found.boundaries);
    }
}
END_TEST

START_TEST(a_writer_stopped_at_any_instruction_of_a_put_and_lapped_completes_it_when_continued)
{
    expect_none_harmed((struct driver_plan){.deed = STOP, .size_B = 64});
}
END_TEST

START_TEST(so_does_a_writer_of_1_KiB)
{
    expect_none_harmed((struct driver_plan){.deed = STOP, .size_B = 1024});
}
END_TEST

START_TEST(a_writer_that_takes_a_dead_ones_slot_may_die_at_any_instruction_too)
{
    expect_none_harmed((struct driver_plan){.deed = KILL, .size_B = 64, .after_death = true});
}
END_TEST

START_TEST(a_writer_that_takes_a_dead_ones_slot_may_stop_at_any_instruction_too)
{
    expect_none_harmed((struct driver_plan){.deed = STOP, .size_B = 64, .after_death = true});
}
END_TEST

UNIT_MAIN("channel-kill", a_writer_killed_at_any_instruction_of_a_put_harms_nobody,
          so_if_others_overtook_it_just_before_its_swap_and_it_numbers_its_frame_anew,
          a_writer_stopped_at_any_instruction_of_a_put_and_lapped_completes_it_when_continued,
          so_does_a_writer_of_1_KiB,
          a_writer_that_takes_a_dead_ones_slot_may_die_at_any_instruction_too,
          a_writer_that_takes_a_dead_ones_slot_may_stop_at_any_instruction_too)
