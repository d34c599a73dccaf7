// The floors: one buffer in shared memory with a number beside it. The reader sleeps on the number (futex; futex-timed: with
// a deadline, as every wait of a daemon has one), or looks at it all the time (spin). No message passing does less; neither would survive a second writer, or a slow reader.
#include <stdatomic.h>
#include <stdalign.h>
#include <string.h>

#include "clock/futex.h"
#include "tests/bench/channels/mechanism.h"

#define SPIN_MAX_NS (2 * 1000000) // then it looks every 50 us: never long enough to be throttled

#define WAIT_NS (100 * 1000000) // as clk_wait, at a time

struct board {
    _Atomic uint32_t number;
    uint32_t size_B;
    alignas(64) unsigned char frame[FRAME_SIZE_MAX_B];
};

struct board_reader {
    struct board *board;
    uint32_t seen;
    unsigned char frame[FRAME_SIZE_MAX_B];
};

static struct board *spin_board, *futex_board, *timed_board;

static void *open_board_reader(struct board *board)
{
    struct board_reader *reader = bench_new(sizeof *reader);
    reader->board = board;
    reader->seen = atomic_load(&board->number);
    return reader;
}

static void publish(struct board *board, const void *frame, size_t size_B)
{
    memcpy(board->frame, frame, size_B);
    board->size_B = (uint32_t)size_B;
    atomic_fetch_add_explicit(&board->number, 1, memory_order_release);
}

static const void *take(struct board_reader *reader, uint32_t number, size_t *size_B)
{
    *size_B = reader->board->size_B;
    if (*size_B > FRAME_SIZE_MAX_B)
        bench_fail("a frame of %zu B", *size_B);
    memcpy(reader->frame, reader->board->frame, *size_B);
    reader->seen = number;
    return reader->frame;
}

static uint32_t number_of(const struct board_reader *reader)
{
    return atomic_load_explicit(&reader->board->number, memory_order_acquire);
}

// ---- futex ----

static void futex_prepare(unsigned readers, size_t size_max_B)
{
    (void)readers;
    (void)size_max_B;
    futex_board = bench_shared(sizeof *futex_board);
}

static void *futex_open_writer(unsigned readers)
{
    (void)readers;
    return futex_board;
}

static void *futex_open_reader(unsigned reader)
{
    (void)reader;
    return open_board_reader(futex_board);
}

static void futex_send(void *writer, const void *frame, size_t size_B)
{
    struct board *board = writer;
    publish(board, frame, size_B);
    futex_wake(&board->number, INT32_MAX);
}

static const void *futex_receive(void *end, size_t *size_B)
{
    struct board_reader *reader = end;
    uint32_t number;
    while ((number = number_of(reader)) == reader->seen)
        futex_wait(&reader->board->number, reader->seen, NULL);
    return take(reader, number, size_B);
}

const struct mechanism mechanism_futex = {.name = "futex",
                                          .kind = MECHANISM_FLOOR,
                                          .prepare = futex_prepare,
                                          .open_writer = futex_open_writer,
                                          .open_reader = futex_open_reader,
                                          .send = futex_send,
                                          .receive = futex_receive};

// ---- futex with a deadline ----

static void timed_prepare(unsigned readers, size_t size_max_B)
{
    (void)readers;
    (void)size_max_B;
    timed_board = bench_shared(sizeof *timed_board);
}

static void *timed_open_writer(unsigned readers)
{
    (void)readers;
    return timed_board;
}

static void *timed_open_reader(unsigned reader)
{
    (void)reader;
    return open_board_reader(timed_board);
}

static const void *timed_receive(void *end, size_t *size_B)
{
    struct board_reader *reader = end;
    uint32_t number;
    while ((number = number_of(reader)) == reader->seen) {
        const struct timespec deadline = timespec_of_ns(monotonic_ns() + WAIT_NS);
        futex_wait_until(&reader->board->number, reader->seen, &deadline);
    }
    return take(reader, number, size_B);
}

const struct mechanism mechanism_futex_timed = {.name = "futex-timed",
                                                .kind = MECHANISM_FLOOR,
                                                .prepare = timed_prepare,
                                                .open_writer = timed_open_writer,
                                                .open_reader = timed_open_reader,
                                                .send = futex_send,
                                                .receive = timed_receive};

// ---- spin ----

static void spin_prepare(unsigned readers, size_t size_max_B)
{
    (void)readers;
    (void)size_max_B;
    spin_board = bench_shared(sizeof *spin_board);
}

static void *spin_open_writer(unsigned readers)
{
    (void)readers;
    return spin_board;
}

static void *spin_open_reader(unsigned reader)
{
    (void)reader;
    return open_board_reader(spin_board);
}

static void spin_send(void *writer, const void *frame, size_t size_B)
{
    publish(writer, frame, size_B);
}

static const void *spin_receive(void *end, size_t *size_B)
{
    struct board_reader *reader = end;
    const int64_t begin_ns = monotonic_ns();
    const struct timespec pause = timespec_of_ns(50000);
    uint32_t number;
    for (unsigned looks = 1; (number = number_of(reader)) == reader->seen; looks++) {
        cpu_relax();
        if (looks % 1024 == 0 && monotonic_ns() - begin_ns > SPIN_MAX_NS)
            nanosleep(&pause, NULL);
    }
    return take(reader, number, size_B);
}

const struct mechanism mechanism_spin = {.name = "spin",
                                         .kind = MECHANISM_FLOOR,
                                         .spins = true,
                                         .prepare = spin_prepare,
                                         .open_writer = spin_open_writer,
                                         .open_reader = spin_open_reader,
                                         .send = spin_send,
                                         .receive = spin_receive};
