// channel: what put and get promise, one process at a time. Kills, stops and races:
// channel_stress_test.c, channel_kill_test.c.
#include "tests/unit/common/unit.h"

#include <fcntl.h>

#include "channel_cell.h"
#include "clock/futex.h"

START_TEST(a_new_channel_is_empty)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *reader = open_end(CHANNEL_READ);
    struct channel_frame info;
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), 0);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), 0);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_LAST, &info), 0);
    ck_assert_str_eq(channel_name(reader), "c");
    ck_assert_uint_eq(channel_frame_size_max_B(reader), FRAME_SIZE_MAX_B);
    channel_close(reader);
    remove_channel();
}
END_TEST

START_TEST(newest_skips_and_counts_what_it_skips)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    struct channel_frame info;
    put_tag(writer, 11);
    put_tag(writer, 12);
    put_tag(writer, 13);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), 13);
    ck_assert_uint_eq(info.number, 3);
    ck_assert_uint_eq(info.missed, 2);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), 0);
    put_tag(writer, 14);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), 14);
    ck_assert_uint_eq(info.missed, 0);
    remove_channel();
}
END_TEST

START_TEST(last_repeats_the_newest_frame)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    struct channel_frame info;
    put_tag(writer, 1);
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_eq(get_tag(reader, CHANNEL_LAST, &info), 1);
        ck_assert_uint_eq(info.number, 1);
        ck_assert_uint_eq(info.missed, 0);
    }
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), 0); // LAST has read it
    remove_channel();
}
END_TEST

START_TEST(next_reads_in_order_and_counts_what_was_overwritten)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    struct channel_frame info;
    for (uint64_t tag = 1; tag <= 3; tag++)
        put_tag(writer, tag);
    for (uint64_t tag = 1; tag <= 3; tag++) {
        ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), tag);
        ck_assert_uint_eq(info.missed, 0);
    }
    for (uint64_t tag = 4; tag <= 13; tag++)
        put_tag(writer, tag);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), 10); // 4 slots hold 10..13
    ck_assert_uint_eq(info.missed, 6);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), 11);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), 13);
    ck_assert_uint_eq(info.missed, 1);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), 0);
    remove_channel();
}
END_TEST

START_TEST(a_late_reader_has_not_missed_what_was_before_it)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE);
    for (uint64_t tag = 1; tag <= 10; tag++)
        put_tag(writer, tag);
    struct channel *newest = open_end(CHANNEL_READ), *next = open_end(CHANNEL_READ);
    struct channel_frame info;
    ck_assert_uint_eq(get_tag(next, CHANNEL_NEXT, &info), 7);
    ck_assert_uint_eq(info.missed, 0);
    put_tag(writer, 11);
    put_tag(writer, 12);
    ck_assert_uint_eq(get_tag(newest, CHANNEL_NEWEST, &info), 12);
    ck_assert_uint_eq(info.missed, 1);
    ck_assert_uint_eq(get_tag(next, CHANNEL_NEXT, &info), 9);
    ck_assert_uint_eq(info.missed, 1);
    remove_channel();
}
END_TEST

START_TEST(frames_larger_than_the_channel_or_the_buffer_are_refused_and_nothing_is_consumed)
{
    make_channel(64, 4);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    unsigned char frame[65] = "frame";
    ck_assert_int_eq(channel_put(writer, frame, 65, instant_ns(0)), STATUS_TOO_LARGE);
    ck_assert_uint_eq(*channel_head(writer), 0);
    require(channel_put(writer, frame, 64, instant_ns(0)));
    ck_assert_int_eq(channel_get(reader, frame, 63, CHANNEL_NEWEST, NULL), STATUS_TOO_LARGE);
    require(channel_get(reader, frame, 64, CHANNEL_NEWEST, NULL));
    require(channel_put(writer, frame, 0, instant_ns(0)));
    struct channel_frame info;
    require(channel_get(reader, NULL, 0, CHANNEL_NEWEST, &info));
    ck_assert_uint_eq(info.size_B, 0);
    ck_assert_int_eq(channel_put(reader, frame, 1, instant_ns(0)), STATUS_DENIED);
    remove_channel();
}
END_TEST

START_TEST(a_watch_differs_from_the_head_exactly_while_something_is_unread)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    struct channel_frame info;
    channel_set_watch(writer, 7);
    struct clk_watch watch = channel_watch(reader);
    ck_assert_uint_eq(watch.id, 7);
    ck_assert_uint_eq(*watch.word, watch.seen);
    put_tag(writer, 1);
    put_tag(writer, 2);
    ck_assert_uint_ne(*watch.word, watch.seen);
    ck_assert_uint_ne((uint32_t)*watch.word, (uint32_t)watch.seen);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), 1);
    watch = channel_watch(reader);
    ck_assert_uint_ne(*watch.word, watch.seen);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEXT, &info), 2);
    watch = channel_watch(reader);
    ck_assert_uint_eq(*watch.word, watch.seen);
    remove_channel();
}
END_TEST

START_TEST(channels_that_do_not_exist_or_cannot_be_made_are_refused)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *channel;
    const char *const bad_names[] = {"", ".hidden", "a/b", "0123456789012345678901234567890123"};
    ck_assert_int_eq(channel_open("d", CHANNEL_READ, &channel), STATUS_NOT_FOUND);
    for (size_t i = 0; i < sizeof bad_names / sizeof bad_names[0]; i++) {
        ck_assert_int_eq(channel_create(test_cell, bad_names[i], 64, 4), STATUS_INVALID);
        ck_assert_int_eq(channel_open(bad_names[i], CHANNEL_READ, &channel), STATUS_NOT_FOUND);
    }
    ck_assert_int_eq(channel_create(test_cell, "d", 0, 4), STATUS_INVALID);
    ck_assert_int_eq(channel_create(test_cell, "d", 64, 2), STATUS_INVALID);
    ck_assert_int_eq(channel_create(test_cell, "d", 64, CHANNEL_SLOTS_MAX + 1), STATUS_INVALID);
    ck_assert_int_eq(channel_create("/nonexistent", "d", 64, 4), STATUS_SYSTEM);
    unsetenv("UKEMI_CELL");
    ck_assert_int_eq(channel_open("c", CHANNEL_READ, &channel), STATUS_NOT_FOUND);
    remove_channel();
}
END_TEST

START_TEST(a_file_that_is_no_channel_is_refused)
{
    struct channel *channel;
    char path[96];
    const off_t offsets[] = {0,
                             offsetof(struct channel_header, version),
                             offsetof(struct channel_header, slot_count),
                             offsetof(struct channel_header, frame_size_max_B),
                             offsetof(struct channel_header, frame_stride_B),
                             offsetof(struct channel_header, file_size_B)};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        make_channel(FRAME_SIZE_MAX_B, 4);
        snprintf(path, sizeof path, "%s/channels/c", test_cell);
        int file = open(path, O_RDWR);
        unsigned char byte;
        ck_assert_int_eq(pread(file, &byte, 1, offsets[i]), 1);
        byte ^= 0x40; // a size that is less wrong may still fit the stride
        ck_assert_int_eq(pwrite(file, &byte, 1, offsets[i]), 1);
        ck_assert_int_eq(channel_open("c", CHANNEL_READ, &channel), STATUS_CORRUPT);
        byte ^= 0x40;
        ck_assert_int_eq(pwrite(file, &byte, 1, offsets[i]), 1);
        ck_assert_int_eq(ftruncate(file, i < 3 ? 4096 : 10), 0);
        ck_assert_int_eq(channel_open("c", CHANNEL_READ, &channel), STATUS_CORRUPT);
        close(file);
        remove_channel();
    }
}
END_TEST

START_TEST(I1_a_frame_being_written_or_lying_about_itself_is_not_delivered)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    unsigned char frame[FRAME_SIZE_MAX_B];
    put_tag(writer, 1);
    const unsigned newest = place_slot(*channel_head(writer));
    struct channel_slot *slot = &writer->header->slot[newest];
    slot->number = 0;
    ck_assert_int_eq(channel_get(reader, frame, sizeof frame, CHANNEL_NEWEST, NULL),
                     STATUS_CORRUPT);
    slot->number = 1;
    slot->size_B = FRAME_SIZE_MAX_B + 1;
    ck_assert_int_eq(channel_get(reader, frame, sizeof frame, CHANNEL_NEWEST, NULL),
                     STATUS_CORRUPT);
    writer->header->head = place_of(1, 200); // no such slot
    ck_assert_int_eq(channel_get(reader, frame, sizeof frame, CHANNEL_NEXT, NULL), STATUS_CORRUPT);
    writer->header->head = place_of(0, newest + 1); // a slot never written holds number 0
    ck_assert_int_eq(channel_get(reader, frame, sizeof frame, CHANNEL_LAST, NULL), STATUS_CORRUPT);
    remove_channel();
}
END_TEST

// A live process that owns a slot and has begun to write it, as a writer stopped in mid-put does.
static pid_t hold_slot(struct channel *writer, unsigned slot)
{
    pid_t pid = fork_child();
    if (pid == 0) {
        if (!owner_try(&writer->header->slot[slot].owner))
            _exit(1);
        writer->header->slot[slot].number = 0;
        raise(SIGSTOP);
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
    ck_assert(WIFSTOPPED(status));
    return pid;
}

static void release(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

START_TEST(I2_the_newest_frame_is_not_overwritten_even_if_every_other_slot_is_held)
{
    make_channel(FRAME_SIZE_MAX_B, 3);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    struct channel_frame info;
    put_tag(writer, 1);
    unsigned newest = place_slot(*channel_head(writer));
    pid_t one = hold_slot(writer, (newest + 1) % 3), two = hold_slot(writer, (newest + 2) % 3);
    ck_assert_int_eq(channel_put(writer, "x", 1, instant_ns(0)), STATUS_FULL);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), 1);
    release(one);
    put_tag(writer, 2);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), 2);
    release(two);
    remove_channel();
}
END_TEST

START_TEST(I6_I8_stopped_writers_cost_one_slot_each_and_nothing_else)
{
    const unsigned slots = 8, stopped = 6; // writers: 7 = slots - 1
    make_channel(FRAME_SIZE_MAX_B, slots);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    struct channel_frame info;
    pid_t pids[6];
    for (unsigned i = 0; i < stopped; i++) {
        for (uint64_t tag = 1; tag <= 20; tag++) {
            put_tag(writer, tag);
            ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), tag);
        }
        ck_assert_uint_ge(count_held(), slots - i);
        unsigned slot = 0; // any that is free and not the newest
        for (; slot == place_slot(*channel_head(writer)) || writer->header->slot[slot].number == 0;
             slot++)
            continue;
        pids[i] = hold_slot(writer, slot);
    }
    put_tag(writer, 99);
    ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), 99);
    for (unsigned i = 0; i < stopped; i++)
        release(pids[i]);
    for (uint64_t tag = 1; tag <= 2 * slots; tag++)
        put_tag(writer, tag);
    ck_assert_uint_eq(count_held(), slots); // I7: the dead writers' slots are all back
    remove_channel();
}
END_TEST

START_TEST(I7_a_dead_writers_slot_is_used_by_the_next_put)
{
    make_channel(FRAME_SIZE_MAX_B, 3);
    struct channel *writer = open_end(CHANNEL_WRITE);
    put_tag(writer, 1);
    unsigned victim = (place_slot(*channel_head(writer)) + 1) % 3;
    release(hold_slot(writer, victim));
    put_tag(writer, 2);
    put_tag(writer, 3);
    put_tag(writer, 4);
    ck_assert_uint_eq(count_held(), 3);
    ck_assert_uint_ne(writer->header->slot[victim].number, 0);
    remove_channel();
}
END_TEST

START_TEST(I8_a_slot_whose_number_was_never_published_is_used_before_any_frame_is_given_up)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE);
    for (uint64_t tag = 1; tag <= 4; tag++)
        put_tag(writer, tag);
    unsigned victim = (place_slot(*channel_head(writer)) + 2) % 4;
    pid_t pid = hold_slot(writer, victim);
    writer->header->slot[victim].number =
        5; // as by a writer killed between the number and the swap
    release(pid);
    // By another: a writer that was alone takes its own slots in turn, and no killed one can have
    // left that slot then.
    writer = open_end(CHANNEL_WRITE);
    put_tag(writer, 5);
    ck_assert_uint_eq(place_slot(*channel_head(writer)), victim);
    put_tag(writer, 6);
    put_tag(writer, 7);
    ck_assert_uint_eq(count_held(), 4);
    remove_channel();
}
END_TEST

// In a child: sleeps on the head of a read-only mapping. Exits 0 if woken or if the head had
// changed already.
static pid_t sleep_on_head(uint32_t seen)
{
    pid_t pid = fork_child();
    if (pid == 0) {
        struct channel *reader = open_end(CHANNEL_READ);
        const struct timespec patience = {.tv_sec = 20};
        long result = futex_wait((const _Atomic uint32_t *)channel_head(reader), seen, &patience);
        _exit(result == 0 || errno == EAGAIN ? 0 : 1);
    }
    return pid;
}

static int exit_status(pid_t pid)
{
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(I5_a_put_and_a_kick_wake_sleepers_on_a_read_only_mapping)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    pid_t one = sleep_on_head(0), two = sleep_on_head(0);
    usleep(100000);
    put_tag(writer, 1);
    ck_assert_int_eq(exit_status(one), 0);
    ck_assert_int_eq(exit_status(two), 0);
    one = sleep_on_head((uint32_t)*channel_head(writer));
    int status;
    for (int i = 0; i < 2000 && waitpid(one, &status, WNOHANG) == 0; i++) {
        usleep(10000);
        channel_kick(reader);
    }
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    remove_channel();
}
END_TEST

START_TEST(I10_a_reader_cannot_make_its_mapping_writable)
{
    make_channel(FRAME_SIZE_MAX_B, 4);
    struct channel *reader = open_end(CHANNEL_READ);
    ck_assert_int_eq(mprotect(reader->header, 4096, PROT_READ | PROT_WRITE), -1);
    ck_assert_int_eq(errno, EACCES);
    pid_t pid = fork_child();
    if (pid == 0) {
        signal(SIGSEGV, SIG_DFL);
        atomic_store(&reader->header->head, 1);
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
    channel_set_watch(reader, 3); // ignored
    ck_assert_uint_eq(channel_watch(reader).id, CLK_WATCH_NONE);
    remove_channel();
}
END_TEST

UNIT_MAIN("channel", a_new_channel_is_empty, newest_skips_and_counts_what_it_skips,
          last_repeats_the_newest_frame, next_reads_in_order_and_counts_what_was_overwritten,
          a_late_reader_has_not_missed_what_was_before_it,
          frames_larger_than_the_channel_or_the_buffer_are_refused_and_nothing_is_consumed,
          a_watch_differs_from_the_head_exactly_while_something_is_unread,
          channels_that_do_not_exist_or_cannot_be_made_are_refused,
          a_file_that_is_no_channel_is_refused,
          I1_a_frame_being_written_or_lying_about_itself_is_not_delivered,
          I2_the_newest_frame_is_not_overwritten_even_if_every_other_slot_is_held,
          I6_I8_stopped_writers_cost_one_slot_each_and_nothing_else,
          I7_a_dead_writers_slot_is_used_by_the_next_put,
          I8_a_slot_whose_number_was_never_published_is_used_before_any_frame_is_given_up,
          I5_a_put_and_a_kick_wake_sleepers_on_a_read_only_mapping,
          I10_a_reader_cannot_make_its_mapping_writable)
