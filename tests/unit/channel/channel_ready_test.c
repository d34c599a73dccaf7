// channel: what ends do before their time: puts readied, gets awaited and rehearsed.
#include "tests/unit/common/unit.h"

#include "channel_cell.h"

START_TEST(a_readied_put_is_a_put)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    struct channel_frame info;
    for (uint64_t tag = 1; tag <= 9; tag++) {
        for (uint64_t times = 0; times < tag % 3; times++) // not at all, once, and again
            channel_ready_put(writer, zeroes, FRAME_SIZE_MAX_B);
        put_tag(writer, tag);
        ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), tag);
        ck_assert_uint_eq(info.number, tag);
        ck_assert_uint_eq(info.missed, 0);
    }
    struct channel *late = open_end(CHANNEL_READ);
    channel_ready_put(writer, zeroes, 1); // gives up the oldest
    for (uint64_t tag = 7; tag <= 9; tag++)
        ck_assert_uint_eq(get_tag(late, CHANNEL_NEXT, &info), tag);
    ck_assert_uint_eq(get_tag(late, CHANNEL_NEXT, &info), 0);
    remove_channel();
}
END_TEST

START_TEST(what_is_readied_is_not_to_be_seen)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    struct channel_frame info;
    channel_ready_put(writer, zeroes, FRAME_SIZE_MAX_B);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_LAST, &info), 0);
    put_tag(writer, 1);
    channel_ready_put(writer, zeroes, 1); // smaller than the frame that comes
    put_tag(writer, 2);
    for (uint64_t i = 0; i < 9; i++)
        channel_ready_put(writer, zeroes, FRAME_SIZE_MAX_B);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), 1);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), 2);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), 0);
    put_tag(writer, 3);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), 3);
    ck_assert_uint_eq(info.number, 3);
    ck_assert_uint_eq(info.missed, 0);
    remove_channel();
}
END_TEST

START_TEST(a_frame_too_large_to_be_rehearsed_is_readied_all_the_same)
{
    static unsigned char frame[FRAME_SIZE_LARGEST_B], got[FRAME_SIZE_LARGEST_B];
    make_channel(sizeof frame, 4);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    ck_assert_uint_lt(channel_frame_size_max_B(writer->rehearsal), sizeof frame);
    for (size_t size_B = sizeof frame; size_B > sizeof frame - 3; size_B--) {
        channel_ready_put(writer, zeroes, sizeof frame);
        memset(frame, (int)(size_B & 0xff), size_B);
        require(channel_put(writer, frame, size_B, instant_ns(0)));
        struct channel_frame info;
        require(channel_get(reader, got, sizeof got, CHANNEL_NEWEST, &info));
        ck_assert_uint_eq(info.size_B, size_B);
        ck_assert_mem_eq(got, frame, size_B);
    }
    remove_channel();
}
END_TEST

START_TEST(nothing_is_readied_that_cannot_be_put)
{
    make_channel(FRAME_SIZE_MAX_B, 3);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    channel_ready_put(reader, zeroes, 1);
    channel_ready_put(writer, zeroes, FRAME_SIZE_MAX_B + 1);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_uint_eq(atomic_load(&writer->header->slot[i].owner), 0);
    channel_ready_put(writer, NULL, 0);
    ck_assert_uint_ne(atomic_load(&writer->header->slot[0].owner), 0);
    channel_close(writer);
    channel_close(reader);
    remove_channel();
}
END_TEST

// Else two writers who come after that might empty more slots than there are writers.
START_TEST(a_slot_given_back_is_taken_before_a_frame_is_given_up)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE);
    struct channel_slot *slot = writer->header->slot;
    for (uint64_t tag = 1; tag <= 8; tag++) // the last four lie in slots 0 to 3
        put_tag(writer, tag);
    atomic_store(&slot[0].owner, 1); // as by somebody who has chosen it, and lets go of it
    channel_ready_put(writer, zeroes, 8);
    ck_assert_uint_ne(atomic_load(&slot[1].owner), 0);
    atomic_store(&slot[0].owner, 0);
    for (int i = 0; i < 2; i++) {
        channel_ready_put(writer, zeroes, 8); // gives it back and claims anew
        ck_assert_uint_ne(atomic_load(&slot[1].owner), 0);
        ck_assert_uint_eq(atomic_load(&slot[0].number), 5);
    }
    put_tag(writer, 9);
    ck_assert_uint_eq(count_held(), 3);
    remove_channel();
}
END_TEST

// Which the kernel must be told of: one for each thread.
START_TEST(what_was_readied_is_given_back_by_a_put_elsewhere_and_by_closing)
{
    make_channel(FRAME_SIZE_MAX_B, 3);
    struct channel *writer = open_end(CHANNEL_WRITE), *other = open_end(CHANNEL_WRITE);
    struct channel *reader = open_end(CHANNEL_READ);
    struct channel_frame info;
    for (uint64_t tag = 1; tag <= 8;
         tag += 2) { // with 3 slots, one kept would be missed in the second round
        channel_ready_put(writer, zeroes, 8);
        put_tag(other, tag);
        put_tag(writer, tag + 1);
        ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), tag);
        ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), tag + 1);
    }
    channel_ready_put(writer, zeroes, 8);
    channel_close(writer);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_uint_eq(atomic_load(&other->header->slot[i].owner), 0);
    remove_channel();
}
END_TEST

#define SPIN_US 100

static struct clk *join(bool spins)
{
    struct clk *clk;
    unsetenv("UKEMI_CELL"); // stand-alone: the wall clock
    require(clk_join(&clk));
    if (spins)
        require(clk_spin(clk, duration_us(SPIN_US)));
    ck_assert(clk_spins(clk) == spins);
    return clk;
}

// The tag of a whole frame that is there; 0: none came within the patience.
static uint64_t await_tag(struct channel *reader, struct clk *clk, duration patience,
                          enum channel_which which, struct channel_frame *info)
{
    unsigned char frame[FRAME_SIZE_MAX_B], expected[FRAME_SIZE_MAX_B];
    uint64_t tag;
    const enum status status = channel_await(reader, clk, instant_add(clk_now(clk), patience),
                                             frame, sizeof frame, which, info);
    if (status == STATUS_TIMEOUT)
        return 0;
    ck_assert_str_eq(status_name(status), info->missed > 0 ? "MISSED" : "OK");
    memcpy(&tag, frame, sizeof tag);
    ck_assert_uint_eq(fill_frame(expected, tag), info->size_B);
    ck_assert_mem_eq(frame, expected, info->size_B);
    return tag;
}

// Whatever there is, and whatever the reader has had of it.
static void expect_as_by_gets(bool spins)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    struct clk *clk = join(spins);
    const duration none = duration_ns(0), brief = duration_us(SPIN_US);
    struct channel_frame info;
    ck_assert_uint_eq(await_tag(reader, clk, none, CHANNEL_NEWEST, &info), 0);
    put_tag(writer, 1);
    ck_assert_uint_eq(await_tag(reader, clk, none, CHANNEL_NEWEST, &info), 1);
    ck_assert_uint_eq(await_tag(reader, clk, brief, CHANNEL_NEWEST, &info), 0);
    ck_assert_uint_eq(await_tag(reader, clk, brief, CHANNEL_NEXT, &info), 0);
    put_tag(writer, 2);
    put_tag(writer, 3);
    ck_assert_uint_eq(await_tag(reader, clk, none, CHANNEL_NEXT, &info), 2);
    ck_assert_uint_eq(info.missed, 0);
    put_tag(writer, 4);
    ck_assert_uint_eq(await_tag(reader, clk, none, CHANNEL_NEWEST, &info), 4);
    ck_assert_uint_eq(info.missed, 1);
    ck_assert_uint_eq(await_tag(reader, clk, none, CHANNEL_NEWEST, &info), 0);
    ck_assert_uint_eq(await_tag(reader, clk, none, CHANNEL_LAST, &info), 4);
    clk_leave(clk);
    remove_channel();
}

START_TEST(what_is_awaited_is_what_a_get_would_give)
{
    expect_as_by_gets(false);
}
END_TEST

START_TEST(rehearsed_gets_consume_nothing)
{
    expect_as_by_gets(true);
}
END_TEST

START_TEST(what_does_not_fit_is_awaited_and_not_consumed)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    struct clk *clk = join(true);
    struct channel_frame info;
    unsigned char byte;
    put_tag(writer, 1);
    ck_assert_uint_eq(await_tag(reader, clk, duration_ns(0), CHANNEL_NEWEST, &info), 1);
    ck_assert_int_eq(channel_await(reader, clk, clk_now(clk), &byte, 1, CHANNEL_NEWEST, &info),
                     STATUS_TIMEOUT); // though the rehearsed frame is too large
    put_tag(writer, 2);
    ck_assert_int_eq(channel_await(reader, clk, clk_now(clk), &byte, 1, CHANNEL_NEWEST, &info),
                     STATUS_TOO_LARGE);
    ck_assert_uint_eq(await_tag(reader, clk, duration_ns(0), CHANNEL_NEWEST, &info), 2);
    clk_leave(clk);
    remove_channel();
}
END_TEST

// Each frame is put only when the one before has come, so that the reader waits for all of them.
static void expect_to_be_woken(bool spins)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *there = open_end(CHANNEL_READ);
    require(channel_create(test_cell, "back", 8, 4));
    const pid_t other = fork_child();
    if (other == 0) {
        struct channel *writer = open_end(CHANNEL_WRITE), *answers;
        require(channel_open("back", CHANNEL_READ, &answers));
        struct clk *clk = join(false);
        for (uint64_t tag = 1, answer = 0; tag <= 50; tag++) {
            clk_sleep_until(clk,
                            instant_add(clk_now(clk), duration_us((int64_t)(tag % 3) * SPIN_US)));
            put_tag(writer, tag);
            while (answer != tag)
                require(channel_await(answers, clk, INSTANT_NEVER, &answer, sizeof answer,
                                      CHANNEL_NEXT, NULL));
        }
        clk_leave(clk);
        _exit(0);
    }
    struct channel *back;
    struct channel_frame info;
    require(channel_open("back", CHANNEL_WRITE, &back));
    struct clk *clk = join(spins);
    for (uint64_t tag = 1; tag <= 50; tag++) {
        ck_assert_uint_eq(await_tag(there, clk, duration_s(20), CHANNEL_NEWEST, &info), tag);
        ck_assert_uint_eq(info.number, tag);
        channel_ready_put(back, &tag, sizeof tag);
        require(channel_put(back, &tag, sizeof tag, clk_now(clk)));
    }
    int status;
    ck_assert_int_eq(waitpid(other, &status, 0), other);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    clk_leave(clk);
    channel_close(back);
    char path[96];
    snprintf(path, sizeof path, "%s/channels/back", test_cell);
    unlink(path);
    remove_channel();
}

START_TEST(a_put_ends_a_wait_that_blocks)
{
    expect_to_be_woken(false);
}
END_TEST

START_TEST(a_put_ends_a_wait_that_spins)
{
    expect_to_be_woken(true);
}
END_TEST

UNIT_MAIN("channel, readied", a_readied_put_is_a_put, what_is_readied_is_not_to_be_seen,
          a_frame_too_large_to_be_rehearsed_is_readied_all_the_same,
          nothing_is_readied_that_cannot_be_put,
          a_slot_given_back_is_taken_before_a_frame_is_given_up,
          what_was_readied_is_given_back_by_a_put_elsewhere_and_by_closing,
          what_is_awaited_is_what_a_get_would_give, rehearsed_gets_consume_nothing,
          what_does_not_fit_is_awaited_and_not_consumed, a_put_ends_a_wait_that_blocks,
          a_put_ends_a_wait_that_spins)
