// The kill driver finds what is wrong with a channel built on a lock
// (tests/canaries/lab/lock_channel.c), and with a reader that copies a frame without a second look:
// so that it finds nothing in src/channel means something.
#include "tests/unit/common/unit.h"

#include "channel_cell.h"
#include "channel_driver.h"
#include "tests/canaries/lab/lock_channel.h"

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

// Gets the frame as any reader does, then copies it again from where it lies and does not ask
// whether it still does.
static enum status get_and_copy_again(void *end, void *buffer, size_t capacity_B,
                                      enum channel_which which, struct channel_frame *info)
{
    const struct channel *channel = end;
    const enum status status = channel_get(end, buffer, capacity_B, which, info);
    if (status == STATUS_OK || status == STATUS_MISSED)
        memcpy(buffer, channel_payload(channel, place_slot(channel->last)), info->size_B);
    return status;
}

START_TEST(a_reader_that_copies_without_a_second_look_reads_torn_frames_and_the_driver_finds_it)
{
    struct subject hasty = channel_subject;
    hasty.get = get_and_copy_again;
    const struct driver_findings found = driver_run(&(struct driver_plan){
        .subject = &hasty, .work = GET_NEWEST, .deed = STOP, .size_B = 1024, .stride = 7});
    ck_assert_uint_gt(found.torn, 0);
    ck_assert_uint_eq(driver_exceptions(&found), found.torn);
}
END_TEST

UNIT_MAIN("channel-canary",
          a_lock_based_channel_is_corrupt_for_ever_after_a_writers_death_and_the_driver_finds_it,
          a_stopped_owner_of_the_lock_blocks_a_get_with_a_time_out_and_the_driver_finds_it,
          a_reader_killed_while_it_waits_hangs_a_writer_and_the_driver_finds_it,
          a_reader_that_copies_without_a_second_look_reads_torn_frames_and_the_driver_finds_it)
