// The kill driver finds what is wrong with a channel built on a lock (tests/canaries/lock_channel.c), and with a reader that
// accepts a frame before it has used it: so that it finds nothing in src/channel means something.
#include "tests/unit/common/unit.h"

#include "channel_cell.h"
#include "channel_driver.h"
#include "tests/canaries/lock_channel.h"

// Each hang costs the driver's patience, so not every boundary.
static struct driver_findings try_canary(enum victim_work work, enum deed deed, unsigned stride)
{
    return driver_run(&(struct driver_plan){.subject = &lock_channel_subject,
                                            .work = work,
                                            .deed = deed,
                                            .size_B = 1024,
                                            .stride = stride,
                                            .company = work == SLEEP});
}

START_TEST(a_lock_based_channel_is_corrupt_for_ever_after_a_writers_death_and_the_driver_finds_it)
{
    struct driver_findings found = try_canary(PUT, KILL, 5);
    ck_assert_uint_gt(found.corrupt, 0);
    ck_assert_uint_lt(found.corrupt, found.boundaries); // dying before it took the lock is harmless
}
END_TEST

START_TEST(a_stopped_owner_of_the_lock_blocks_a_get_with_a_time_out_and_the_driver_finds_it)
{
    struct driver_findings found = try_canary(PUT, STOP, 50);
    ck_assert_uint_gt(found.get_hangs, 0);
    ck_assert_uint_lt(found.get_hangs, found.boundaries);
    found = try_canary(GET_NEWEST, STOP, 50);
    ck_assert_uint_gt(found.get_hangs, 0);
}
END_TEST

START_TEST(a_reader_killed_while_it_waits_hangs_a_writer_and_the_driver_finds_it)
{
    struct driver_findings found = try_canary(SLEEP, KILL, 25);
    ck_assert_uint_gt(found.put_hangs, 0);
}
END_TEST

static enum status accept_then_use(void *end, void *buffer, size_t capacity_B,
                                   enum channel_which which, struct channel_frame *info)
{
    struct channel_view view;
    enum status status;
    do {
        status = channel_look(end, which, &view);
        if (status != STATUS_OK && status != STATUS_MISSED)
            return status;
    } while (!channel_accept(end, &view));
    ck_assert_uint_le(view.info.size_B, capacity_B);
    memcpy(buffer, view.frame, view.info.size_B);
    *info = view.info;
    return status;
}

START_TEST(
    a_reader_that_accepts_a_frame_before_it_has_used_it_reads_torn_ones_and_the_driver_finds_it)
{
    struct subject hasty = channel_look_subject;
    hasty.get = accept_then_use;
    const struct driver_findings found = driver_run(&(struct driver_plan){.subject = &hasty,
                                                                          .work = GET_NEWEST,
                                                                          .deed = STOP,
                                                                          .size_B = 1024,
                                                                          .stride = 7}); // of 1644
    ck_assert_uint_gt(found.torn, 0);
    ck_assert_uint_eq(driver_exceptions(&found), found.torn);
}
END_TEST

UNIT_MAIN(
    "channel-canary",
    a_lock_based_channel_is_corrupt_for_ever_after_a_writers_death_and_the_driver_finds_it,
    a_stopped_owner_of_the_lock_blocks_a_get_with_a_time_out_and_the_driver_finds_it,
    a_reader_killed_while_it_waits_hangs_a_writer_and_the_driver_finds_it,
    a_reader_that_accepts_a_frame_before_it_has_used_it_reads_torn_ones_and_the_driver_finds_it)
