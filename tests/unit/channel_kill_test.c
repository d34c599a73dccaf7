// channel: a writer killed, or stopped, lapped and continued, between any two instructions of a put
// (single-stepped). Invariants I1, I2, I4, I5, I6, I7, I8 after each.
#include "unit.h"

#include "channel_driver.h"

static struct driver_findings expect_none_harmed(struct driver_plan plan)
{
    plan.subject = &channel_subject;
    plan.work = PUT;
    plan.stride = 1;
    plan.compare_deaths = plan.deed == KILL;
    struct driver_findings found = driver_run(&plan);
    ck_assert_uint_eq(driver_exceptions(&found), 0);
    ck_assert_uint_eq(found.boundaries, found.instructions + 1 - plan.first);
    ck_assert_uint_eq(found.boundaries, found.before + found.after);
    ck_assert_uint_gt(found.before, 5);
    ck_assert_uint_gt(found.after, 5);
    return found;
}

START_TEST(a_writer_killed_at_any_instruction_of_a_put_overtaken_or_not_harms_nobody)
{
    struct driver_findings found =
        expect_none_harmed((struct driver_plan){.deed = KILL, .size_B = 1024});
    ck_assert_uint_gt(found.marked, found.instructions / 4);
    found = expect_none_harmed((struct driver_plan){.deed = KILL, .size_B = 64});
    ck_assert_uint_gt(found.marked, found.instructions / 4);
    // Others put just before its swap: it numbers its frame anew, and swaps again.
    const unsigned swap = found.published_at - 1; // the swap is the instruction after this place
    for (int i = 0; i < 2; i++) {
        found = expect_none_harmed((struct driver_plan){
            .deed = i == 0 ? KILL : STOP, .size_B = 64, .first = swap + 1, .overtake = swap});
        ck_assert_uint_ge(found.overtaken, found.boundaries);
    }
}
END_TEST

START_TEST(a_writer_stopped_at_any_instruction_of_a_put_and_lapped_completes_it_when_continued)
{
    for (size_t size_B = 64; size_B <= 1024; size_B *= 16)
        expect_none_harmed((struct driver_plan){.deed = STOP, .size_B = size_B});
}
END_TEST

START_TEST(a_writer_that_takes_a_dead_ones_slot_may_die_or_stop_at_any_instruction_too)
{
    expect_none_harmed((struct driver_plan){.deed = KILL, .size_B = 64, .after_death = true});
    expect_none_harmed((struct driver_plan){.deed = STOP, .size_B = 64, .after_death = true});
}
END_TEST

UNIT_MAIN("channel-kill", a_writer_killed_at_any_instruction_of_a_put_overtaken_or_not_harms_nobody,
          a_writer_stopped_at_any_instruction_of_a_put_and_lapped_completes_it_when_continued,
          a_writer_that_takes_a_dead_ones_slot_may_die_or_stop_at_any_instruction_too)
