// channel: many processes at once, some of them killed or stopped at random.
#include "unit.h"

#include <time.h>

#include "base/random.h"
#include "channel_cell.h"

#define LEDGER_SIZE (1 << 20)
#define SLOTS 8

// Shared by the processes of a test.
static struct ledger {
    _Atomic uint64_t tag_of[LEDGER_SIZE]; // by frame number: what the first reader of it saw
    _Atomic uint64_t accepted;
    _Atomic uint64_t failures;
    _Atomic int over;
} * ledger;

static void open_ledger(void)
{
    ledger = mmap(NULL, sizeof *ledger, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(ledger, MAP_FAILED);
}

// Writes frames whose tags nobody else uses, until killed or `count` are written. Never returns.
static void write_frames(uint64_t writer_id, uint64_t count)
{
    struct channel *writer = open_end(CHANNEL_WRITE);
    unsigned char frame[FRAME_SIZE_MAX_B];
    for (uint64_t i = 0; i < count; i++) {
        uint64_t tag = writer_id << 32 | (i + 1);
        size_t size_B = fill_frame(frame, tag);
        if (channel_put(writer, frame, size_B, instant_ns((int64_t)tag)) != STATUS_OK)
            ledger->failures++;
    }
    _exit(0);
}

// Reads until the test is over and checks every frame. Never returns.
static void read_frames(struct channel *reader, enum channel_which which)
{
    unsigned char frame[FRAME_SIZE_MAX_B];
    uint64_t before = 0;
    bool last_round = false;
    while (!last_round) {
        last_round = ledger->over != 0; // one more look after the end
        struct channel_frame info;
        enum status status = channel_get(reader, frame, sizeof frame, which, &info);
        while (status == STATUS_OK || status == STATUS_MISSED) {
            uint64_t tag, first = 0;
            bool good = is_whole(frame, &info, &tag) && info.number > before &&
                        info.number == before + 1 + info.missed;
            if (info.number < LEDGER_SIZE &&
                !atomic_compare_exchange_strong(&ledger->tag_of[info.number], &first, tag))
                good = good && first == tag;
            if (!good)
                ledger->failures++;
            ledger->accepted++;
            before = info.number;
            status = channel_get(reader, frame, sizeof frame, which, &info);
        }
        if (status != STATUS_EMPTY)
            ledger->failures++;
    }
    _exit(0);
}

static pid_t start_reader(enum channel_which which)
{
    struct channel *reader =
        open_end(CHANNEL_READ); // before the first frame, so that every one counts
    pid_t pid = fork_child();
    if (pid == 0)
        read_frames(reader, which);
    return pid;
}

static pid_t start_writer(uint64_t id, uint64_t count)
{
    pid_t pid = fork_child();
    if (pid == 0)
        write_frames(id, count);
    return pid;
}

static void expect_clean_end(pid_t pid)
{
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

START_TEST(I1_I3_I4_every_frame_is_numbered_once_and_read_whole_under_its_number)
{
    enum { WRITERS = 4, FRAMES = 100000 };
    open_ledger();
    make_channel(FRAME_SIZE_MAX_B, SLOTS);
    pid_t readers[] = {start_reader(CHANNEL_NEWEST), start_reader(CHANNEL_NEXT),
                       start_reader(CHANNEL_NEXT)};
    pid_t writers[WRITERS];
    for (uint64_t i = 0; i < WRITERS; i++)
        writers[i] = start_writer(i + 1, FRAMES);
    for (int i = 0; i < WRITERS; i++)
        expect_clean_end(writers[i]);
    ledger->over = 1;
    for (int i = 0; i < 3; i++)
        expect_clean_end(readers[i]);
    struct channel *channel = open_end(CHANNEL_READ);
    ck_assert_uint_eq(place_number(*channel_head(channel)), WRITERS * FRAMES);
    ck_assert_uint_eq(ledger->failures, 0);
    ck_assert_uint_gt(ledger->accepted, 10);
    ck_assert_uint_ge(count_held(), SLOTS - WRITERS); // I8
    remove_channel();
}
END_TEST

#define KILLS 500

START_TEST(I1_I6_I7_writers_killed_at_random_harm_nobody)
{
    open_ledger();
    make_channel(FRAME_SIZE_MAX_B, SLOTS);
    struct random_stream random;
    random_start(&random, 1, "kills");
    pid_t readers[] = {start_reader(CHANNEL_NEWEST), start_reader(CHANNEL_NEXT)};
    uint64_t id = 1, kills = 0;
    pid_t survivor = start_writer(id++, UINT64_MAX);
    struct channel *writer = open_end(CHANNEL_WRITE);
    while (kills < KILLS) { // a count and not a time: a loaded machine is only slower
        pid_t victims[2] = {start_writer(id, UINT64_MAX), start_writer(id + 1, UINT64_MAX)};
        id += 2;
        usleep((useconds_t)(random_bits(&random) % 3000));
        for (int i = 0; i < 2; i++) {
            kill(victims[i], SIGKILL);
            waitpid(victims[i], NULL, 0);
            kills++;
        }
        put_tag(writer, id << 48 | kills); // a put by a live writer completes
    }
    kill(survivor, SIGKILL);
    waitpid(survivor, NULL, 0);
    ledger->over = 1;
    for (int i = 0; i < 2; i++)
        expect_clean_end(readers[i]);
    ck_assert_uint_eq(ledger->failures, 0);
    for (uint64_t tag = 1; tag <= 2 * SLOTS; tag++)
        put_tag(writer, tag);
    ck_assert_uint_eq(count_held(), SLOTS); // no slot is lost
    remove_channel();
}
END_TEST

START_TEST(I1_I6_writers_stopped_lapped_and_continued_at_random_harm_nobody)
{
    enum { WRITERS = 5 };
    open_ledger();
    make_channel(FRAME_SIZE_MAX_B, WRITERS + 2); // and this process writes too
    struct random_stream random;
    random_start(&random, 1, "stops");
    pid_t reader = start_reader(CHANNEL_NEXT), writers[WRITERS];
    struct channel *writer = open_end(CHANNEL_WRITE);
    for (uint64_t i = 0; i < WRITERS; i++)
        writers[i] = start_writer(i + 1, UINT64_MAX);
    const double end_s = now_s() + 1.0;
    for (uint64_t tag = 1; now_s() < end_s; tag++) {
        pid_t pid = writers[random_bits(&random) % WRITERS];
        kill(pid, SIGSTOP);
        usleep((useconds_t)(random_bits(&random) % 500));
        put_tag(writer, (uint64_t)99 << 32 | tag);
        if (random_bits(&random) % 2 == 0)
            kill(writers[random_bits(&random) % WRITERS], SIGCONT);
    }
    for (int i = 0; i < WRITERS; i++) {
        kill(writers[i], SIGKILL);
        waitpid(writers[i], NULL, 0);
    }
    ledger->over = 1;
    expect_clean_end(reader);
    ck_assert_uint_eq(ledger->failures, 0);
    remove_channel();
}
END_TEST

START_TEST(I9_a_reader_of_large_frames_is_never_held_up_by_fast_writers)
{
    const size_t size_B = 256 * 1024;
    open_ledger();
    make_channel(size_B, 3);
    pid_t pid = fork_child();
    if (pid == 0) {
        struct channel *writer = open_end(CHANNEL_WRITE);
        unsigned char *frame = calloc(1, size_B);
        for (unsigned char i = 0;; i++) {
            memset(frame, i, 64);
            memset(frame + size_B - 64, i, 64);
            if (channel_put(writer, frame, size_B, instant_ns(0)) != STATUS_OK)
                ledger->failures++;
        }
    }
    struct channel *reader = open_end(CHANNEL_READ);
    unsigned char *frame = calloc(1, size_B);
    unsigned delivered = 0;
    for (const double end_s = now_s() + 0.5; now_s() < end_s;) {
        enum status status = channel_get(reader, frame, size_B, CHANNEL_NEXT, NULL);
        ck_assert(status == STATUS_OK || status == STATUS_MISSED || status == STATUS_EMPTY);
        if (status == STATUS_EMPTY)
            continue;
        delivered++;
        ck_assert_uint_eq(frame[0], frame[size_B - 1]);
    }
    ck_assert_uint_gt(delivered, 0);
    ck_assert_uint_eq(ledger->failures, 0);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    remove_channel();
}
END_TEST

UNIT_MAIN("channel-stress", I1_I3_I4_every_frame_is_numbered_once_and_read_whole_under_its_number,
          I1_I6_I7_writers_killed_at_random_harm_nobody,
          I1_I6_writers_stopped_lapped_and_continued_at_random_harm_nobody,
          I9_a_reader_of_large_frames_is_never_held_up_by_fast_writers)
