// channel: writers and readers as threads of one process, at full speed, so that ThreadSanitizer
// sees them (`make check-tsan`).
//
// Each thread has a struct channel of its own, as each process has. All of them use one mapping:
// the sanitizer knows memory by its address. What it is asked is not only whether every word of the
// channel is free of races: before a put a writer writes, and after the get of that very frame a
// reader reads, a plain variable outside the channel. That is no race only because a get happens
// after the put of what it delivers.
#include "tests/unit/common/unit.h"

#include <pthread.h>

#include "channel_cell.h"

#define WRITERS 3
#define READERS 4
#define FRAMES 12000 // of each writer
#define SLOTS (WRITERS + 2)
#define PATIENCE duration_ms(5) // of one wait
// A writer puts so many frames and sleeps so long: else, on a busy machine, all are put before most
// readers run.
#define BURST 16
#define BREATH_US 50

static struct channel *opened;
static uint64_t witness[WRITERS][FRAMES + 1]; // plain: by the frame's writer and number there
static _Atomic unsigned writers_left = WRITERS;

static struct reader {
    pthread_t thread;
    enum channel_which which;
    bool sleeps;
    uint64_t read, bad;
} readers[READERS] = {
    {.which = CHANNEL_NEWEST},
    {.which = CHANNEL_NEXT},
    {.which = CHANNEL_NEWEST, .sleeps = true},
    {.which = CHANNEL_NEXT, .sleeps = true},
};

static void *write_frames(void *argument)
{
    struct channel view = *opened;
    unsigned char frame[FRAME_SIZE_MAX_B];
    const uint64_t self = (uint64_t)(uintptr_t)argument;
    for (uint64_t i = 1; i <= FRAMES; i++) {
        const uint64_t tag = self << 32 | i;
        size_t size_B = fill_frame(frame, tag);
        witness[self][i] = tag;
        if (channel_put(&view, frame, size_B, instant_ns((int64_t)tag)) != STATUS_OK)
            abort();
        if (i % BURST == 0)
            usleep(BREATH_US);
    }
    writers_left--;
    return NULL;
}

// is_whole keeps what it expects in a static buffer: not for threads.
static bool is_sound(const unsigned char *frame, const struct channel_frame *info)
{
    unsigned char expected[FRAME_SIZE_MAX_B];
    uint64_t tag;
    memcpy(&tag, frame, sizeof tag);
    return tag >> 32 < WRITERS && (uint32_t)tag <= FRAMES &&
           info->size_B == fill_frame(expected, tag) && info->time.ns == (int64_t)tag &&
           memcmp(frame, expected, info->size_B) == 0 && witness[tag >> 32][(uint32_t)tag] == tag;
}

static void *read_frames(void *argument)
{
    struct reader *reader = argument;
    struct channel view = *opened;
    unsigned char frame[FRAME_SIZE_MAX_B];
    struct channel_frame info;
    struct clk *clk;
    uint64_t before = 0;
    view.role = CHANNEL_READ;
    if (clk_join_thread("thread", &clk) != STATUS_OK) // stand-alone: UKEMI_CELL is not set
        abort();
    for (bool last_round = false; !last_round;) {
        last_round = writers_left == 0;
        enum status status;
        while (status = channel_get(&view, frame, sizeof frame, reader->which, &info),
               status == STATUS_OK || status == STATUS_MISSED) {
            reader->read++;
            reader->bad += !is_sound(frame, &info) || info.number != before + 1 + info.missed;
            before = info.number;
        }
        reader->bad += status != STATUS_EMPTY;
        struct clk_watch watch = channel_watch(&view);
        if (reader->sleeps && !last_round)
            reader->bad +=
                clk_wait(clk, &watch, 1, instant_add(clk_now(clk), PATIENCE)) == STATUS_INVALID;
    }
    clk_leave(clk);
    return NULL;
}

START_TEST(threads_that_put_get_and_sleep_at_full_speed_share_no_word_without_order)
{
    pthread_t writers[WRITERS];
    make_channel(FRAME_SIZE_MAX_B, SLOTS);
    opened = open_end(CHANNEL_WRITE);
    unsetenv("UKEMI_CELL");
    for (int i = 0; i < READERS; i++)
        ck_assert_int_eq(pthread_create(&readers[i].thread, NULL, read_frames, &readers[i]), 0);
    for (uintptr_t i = 0; i < WRITERS; i++)
        ck_assert_int_eq(pthread_create(&writers[i], NULL, write_frames, (void *)i), 0);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    unsigned long long read = 0;
    for (int i = 0; i < READERS; i++) {
        pthread_join(readers[i].thread, NULL);
        read += readers[i].read;
        ck_assert_uint_eq(readers[i].bad, 0);
        ck_assert_uint_gt(readers[i].read, 0);
    }
    ck_assert_uint_eq(place_number(*channel_head(opened)), WRITERS * FRAMES);
    printf("figures: %d frames put by %d threads, %llu read by %d\n", WRITERS * FRAMES, WRITERS,
           read, READERS);
    channel_close(opened);
    remove_channel();
}
END_TEST

UNIT_MAIN("channel-threads",
          threads_that_put_get_and_sleep_at_full_speed_share_no_word_without_order)
