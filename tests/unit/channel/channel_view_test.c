// channel: what look and accept promise, one process at a time. Kills, stops and races: channel_kill_reader_test.c,
// channel_stress_test.c, channel_threads_test.c.
#include "tests/unit/common/unit.h"

#include "channel_cell.h"

#define SLOTS 4

static struct channel *writer, *reader;

static void make_ends(void)
{
    make_channel(FRAME_SIZE_MAX_B, SLOTS);
    writer = open_end(CHANNEL_WRITE);
    reader = open_end(CHANNEL_READ);
}

static void put_tags(uint64_t first, uint64_t last)
{
    for (uint64_t tag = first; tag <= last; tag++)
        put_tag(writer, tag);
}

static struct channel_view look(enum channel_which which)
{
    struct channel_view view = {0};
    const enum status status = channel_look(reader, which, &view);
    ck_assert_int_eq(status, view.info.missed > 0 ? STATUS_MISSED : STATUS_OK);
    return view;
}

static void expect_nothing(enum channel_which which)
{
    struct channel_view view;
    ck_assert_int_eq(channel_look(reader, which, &view), STATUS_EMPTY);
}

START_TEST(a_view_shows_the_frame_where_it_lies_in_the_mapping)
{
    make_ends();
    expect_nothing(CHANNEL_LAST);
    put_tags(1, 2 * SLOTS);
    const struct channel_view view = look(CHANNEL_NEWEST);
    const unsigned char *frame = view.frame, *mapping = (const unsigned char *)reader->header;
    uint64_t tag;
    ck_assert(is_whole(frame, &view.info, &tag));
    ck_assert_uint_eq(tag, 2 * SLOTS);
    ck_assert_uint_eq(view.info.number, 2 * SLOTS);
    ck_assert(frame > mapping && frame + view.info.size_B <= mapping + reader->file_size_B);
    ck_assert_uint_eq((uintptr_t)frame % 16, 0);
    ck_assert(channel_accept(reader, &view));
    remove_channel();
}
END_TEST

START_TEST(a_look_consumes_nothing_and_an_accept_once)
{
    make_ends();
    put_tags(1, 2);
    struct channel_view view = look(CHANNEL_NEXT);
    ck_assert_uint_eq(look(CHANNEL_NEXT).info.number, 1);
    ck_assert(channel_accept(reader, &view));
    ck_assert(channel_accept(reader, &view));
    view = look(CHANNEL_NEXT);
    ck_assert_uint_eq(view.info.number, 2);
    ck_assert_uint_ne(*channel_watch(reader).word, channel_watch(reader).seen); // still unread
    ck_assert(channel_accept(reader, &view));
    expect_nothing(CHANNEL_NEXT);
    expect_nothing(CHANNEL_NEWEST);
    ck_assert_uint_eq(look(CHANNEL_LAST).info.number, 2);
    ck_assert_uint_eq(*channel_watch(reader).word, channel_watch(reader).seen);
    remove_channel();
}
END_TEST

START_TEST(look_and_accept_deliver_what_get_delivers)
{
    make_ends();
    struct channel *getter = open_end(CHANNEL_READ);
    struct channel_frame got = {0}, seen = {0};
    unsigned char copy[FRAME_SIZE_MAX_B], looked_at[FRAME_SIZE_MAX_B];
    unsigned delivered = 0;
    for (unsigned i = 0; i < 300; i++) {
        for (unsigned puts = i * i % 7; puts > 0; puts--)
            put_tag(writer, 7 * i + puts);
        const enum channel_which which = i % 3;
        const enum status status = channel_get(getter, copy, sizeof copy, which, &got);
        ck_assert_int_eq(look_and_copy(reader, looked_at, sizeof looked_at, which, &seen), status);
        if (status == STATUS_EMPTY)
            continue;
        delivered++;
        ck_assert_uint_eq(seen.number, got.number);
        ck_assert_uint_eq(seen.missed, got.missed);
        ck_assert_int_eq(seen.time.ns, got.time.ns);
        ck_assert_uint_eq(seen.size_B, got.size_B);
        ck_assert_mem_eq(looked_at, copy, got.size_B);
    }
    ck_assert_uint_gt(delivered, 100);
    remove_channel();
}
END_TEST

// Of SLOTS slots and one writer: the frame looked at is the newest, so all others are taken before.
START_TEST(I1_a_view_is_accepted_until_its_frame_is_overwritten_and_then_counts_as_missed)
{
    for (uint64_t puts = 0; puts <= 2 * SLOTS; puts++) {
        make_ends();
        put_tag(writer, 1);
        struct channel_view view = look(CHANNEL_NEWEST);
        put_tags(2, 1 + puts);
        ck_assert_int_eq(channel_accept(reader, &view), puts < SLOTS);
        if (puts < SLOTS)
            ck_assert_uint_eq(reader->last, view.place);
        else { // nothing was consumed
            view = look(CHANNEL_NEWEST);
            ck_assert_uint_eq(view.info.number, 1 + puts);
            ck_assert_uint_eq(view.info.missed, puts);
            ck_assert(channel_accept(reader, &view));
        }
        remove_channel();
    }
}
END_TEST

START_TEST(I1_a_view_of_the_oldest_frame_goes_with_the_next_put_that_is_begun)
{
    make_ends();
    put_tags(1, SLOTS);
    const struct channel_view view = look(CHANNEL_NEXT);
    ck_assert_uint_eq(view.info.number, 1);
    channel_ready_put(writer, zeroes, 1);
    ck_assert(!channel_accept(reader, &view));
    ck_assert_uint_eq(look(CHANNEL_NEXT).info.number, 2);
    ck_assert_uint_eq(look(CHANNEL_NEXT).info.missed, 1);
    remove_channel();
}
END_TEST

START_TEST(I3_a_view_is_not_accepted_once_something_else_was_read_here)
{
    make_ends();
    struct channel_frame info;
    put_tags(1, 3);
    struct channel_view view = look(CHANNEL_NEWEST);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), 1); // so 1 was not missed
    ck_assert(!channel_accept(reader, &view));
    view = look(CHANNEL_NEXT);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), 3);
    ck_assert(!channel_accept(reader, &view)); // 2 after 3
    expect_nothing(CHANNEL_NEWEST);
    remove_channel();
}
END_TEST

START_TEST(a_frame_of_any_size_is_shown)
{
    make_ends();
    require(channel_put(writer, NULL, 0, instant_ns(5)));
    struct channel_view view = look(CHANNEL_NEWEST);
    ck_assert_uint_eq(view.info.size_B, 0);
    ck_assert(channel_accept(reader, &view));
    put_tag(writer, full_size_tag(1, FRAME_SIZE_MAX_B));
    view = look(CHANNEL_NEWEST);
    ck_assert_uint_eq(view.info.size_B, FRAME_SIZE_MAX_B);
    ck_assert_uint_eq((uintptr_t)view.frame % 64, 0); // of any slot: this is the second
    ck_assert(channel_accept(reader, &view));
    remove_channel();
}
END_TEST

START_TEST(I1_a_frame_being_written_or_lying_about_itself_is_not_shown)
{
    make_ends();
    struct channel_view view;
    put_tag(writer, 1);
    const unsigned newest = place_slot(*channel_head(writer));
    struct channel_slot *slot = &writer->header->slot[newest];
    slot->number = 0;
    ck_assert_int_eq(channel_look(reader, CHANNEL_NEWEST, &view), STATUS_CORRUPT);
    slot->number = 1;
    slot->size_B = FRAME_SIZE_MAX_B + 1;
    ck_assert_int_eq(channel_look(reader, CHANNEL_NEWEST, &view), STATUS_CORRUPT);
    writer->header->head = place_of(1, 200); // no such slot
    ck_assert_int_eq(channel_look(reader, CHANNEL_NEXT, &view), STATUS_CORRUPT);
    writer->header->head = place_of(0, newest + 1); // a slot never written holds number 0
    ck_assert_int_eq(channel_look(reader, CHANNEL_LAST, &view), STATUS_CORRUPT);
    view = (struct channel_view){.place = place_of(0, newest + 1)}; // nor is that a view
    ck_assert(!channel_accept(reader, &view));
    remove_channel();
}
END_TEST

START_TEST(I10_a_view_cannot_be_written_through)
{
    make_ends();
    put_tag(writer, 1);
    const struct channel_view view = look(CHANNEL_NEWEST);
    const pid_t pid = fork_child();
    if (pid == 0) {
        signal(SIGSEGV, SIG_DFL);
        *(volatile unsigned char *)view.frame = 1;
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
    ck_assert(channel_accept(reader, &view));
    remove_channel();
}
END_TEST

UNIT_MAIN("channel-view", a_view_shows_the_frame_where_it_lies_in_the_mapping,
          a_look_consumes_nothing_and_an_accept_once, look_and_accept_deliver_what_get_delivers,
          I1_a_view_is_accepted_until_its_frame_is_overwritten_and_then_counts_as_missed,
          I1_a_view_of_the_oldest_frame_goes_with_the_next_put_that_is_begun,
          I3_a_view_is_not_accepted_once_something_else_was_read_here, a_frame_of_any_size_is_shown,
          I1_a_frame_being_written_or_lying_about_itself_is_not_shown,
          I10_a_view_cannot_be_written_through)
