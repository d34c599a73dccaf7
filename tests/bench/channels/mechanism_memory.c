// The floors: one buffer in shared memory with a number beside it. The reader sleeps on the number
// (futex; futex-timed: with a deadline, as every wait of a daemon has one). No message passing does
// less; none of these would survive a second writer, or a slow reader.
#include <stdatomic.h>
#include <stdalign.h>
#include <string.h>

#include "clock/futex.h"
#include "tests/bench/channels/mechanism.h"

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

static struct board *prepared; // of the processes that are forked next

static void prepare(unsigned readers, size_t size_max_B)
{
    (void)readers;
    (void)size_max_B;
    prepared = bench_shared(sizeof *prepared);
}

static void *open_writer(unsigned readers)
{
    (void)readers;
    return prepared;
}

static void *open_reader(unsigned number)
{
    (void)number;
    struct board_reader *reader = bench_new(sizeof *reader);
    reader->board = prepared;
    reader->seen = atomic_load(&prepared->number);
    return reader;
}

// A mechanism of such a board.
#define BOARD(label, ...)                                                                          \
    {                                                                                              \
        .name = (label), .kind = MECHANISM_FLOOR, .prepare = prepare, .open_writer = open_writer,  \
        .open_reader = open_reader, ##__VA_ARGS__                                                  \
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

const struct mechanism mechanism_futex =
    BOARD("futex", .send = futex_send, .receive = futex_receive);

// ---- futex with a deadline ----

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

const struct mechanism mechanism_futex_timed =
    BOARD("futex-timed", .send = futex_send, .receive = timed_receive);
