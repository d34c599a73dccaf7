// The processes beside the victim: a bystander that goes on putting and reading, and a reader that
// sleeps.
#include <poll.h>
#include <sched.h>

#include "channel_cell.h"
#include "channel_driver_private.h"
#include "clock/futex.h"
#include "tests/unit/common/step.h"

#define TIMEOUT_NS 100000     // of a get with a time-out
#define PATIENCE_MS 200       // after which a bystander that sleeps is taken to hang
#define PATIENCE_MAX_MS 20000 // after which any does

static struct bystander {
    pid_t pid;
    int request, answer;
} bystander;

enum status put_frame(void *end, uint64_t tag)
{
    static unsigned char frame[FRAME_SIZE_LARGEST_B];
    size_t size_B = fill_frame_of(frame, tag, plan.size_B);
    return plan.subject->put(end, frame, size_B, instant_ns((int64_t)tag));
}

void note(uint64_t number, uint64_t tag)
{
    ck_assert_uint_lt(number, NUMBERS_MAX);
    if (tag == shared->victim_tag && shared->victim_number == 0 && shared->tag_of[number] == 0) {
        shared->victim_number = number;
        shared->tag_of[number] = tag;
    }
    if (shared->tag_of[number] != tag)
        shared->found.misnumbered++;
}

// One get and all that can be wrong about it. True: a frame was delivered.
static bool get_frame(void *end, enum channel_which which, struct channel_frame *info)
{
    static unsigned char frame[FRAME_SIZE_LARGEST_B];
    uint64_t tag;
    shared->phase = GETTING;
    enum status status = plan.subject->get(end, frame, sizeof frame, which, info);
    if (status == STATUS_EMPTY)
        return false;
    if (status != STATUS_OK && status != STATUS_MISSED) {
        shared->found.refused++;
        return false;
    }
    if (is_whole_of(frame, info, &tag, plan.size_B))
        note(info->number, tag);
    else
        shared->found.torn++;
    return true;
}

// Reads all that is held, in order; how many frames that were.
static unsigned read_on(void *end)
{
    struct channel_frame info;
    unsigned count = 0;
    for (uint64_t before = 0; count < 2 * NUMBERS_MAX && get_frame(end, CHANNEL_NEXT, &info);
         before = info.number, count++)
        if (before != 0 && info.number != before + 1)
            shared->found.lost++;
    return count;
}

static unsigned held_now(void)
{
    void *end = plan.subject->open(CHANNEL_READ);
    unsigned count = read_on(end);
    plan.subject->close(end);
    return count;
}

// True if the channel refuses everything, again and again.
static bool is_corrupt_for_ever(void *writer, void *reader)
{
    struct channel_frame info;
    unsigned char frame[FRAME_SIZE_LARGEST_B];
    for (int i = 0; i < 3; i++)
        if (put_frame(writer, 1) != STATUS_CORRUPT ||
            plan.subject->get(reader, frame, sizeof frame, CHANNEL_LAST, &info) != STATUS_CORRUPT)
            return false;
    return true;
}

// The sleeper is woken by a put. It wakes by itself, a little later, if the writer died before it
// could wake anybody.
static void expect_sleeper_reads(uint64_t number)
{
    shared->phase = WAITING;
    for (int i = 0; plan.company && shared->sleeper_read < number; i++) {
        if (i == 200000) { // more than 10 s
            shared->found.sleeper_hangs++;
            return;
        }
        if (i < 100)
            sched_yield();
        else
            usleep(50);
    }
}

static void put_and_read(void *writer, void *newest, void *next)
{
    for (unsigned i = 0; i < 2 * DRIVER_SLOTS; i++) {
        const uint64_t n = shared->next_tag++; // every other frame is as large as can be
        const uint64_t tag = n % 2 == 0 ? full_size_tag(n, plan.size_B) : n;
        struct channel_frame info = {0}, same = {0};
        shared->phase = PUTTING;
        shared->tag_of[shared->last + 1] = tag;
        if (put_frame(writer, tag) != STATUS_OK)
            shared->found.refused++;
        if (!get_frame(newest, CHANNEL_NEWEST, &info) || !get_frame(next, CHANNEL_NEXT, &same) ||
            info.missed != 0 || same.missed != 0)
            shared->found.lost++;
        if (info.number != shared->last + 1 || same.number != info.number)
            shared->found.misnumbered++;
        shared->last = info.number;
        expect_sleeper_reads(shared->last);
    }
}

static void go_on(void)
{
    const struct subject *s = plan.subject;
    void *writer = s->open(CHANNEL_WRITE);
    void *newest = s->open(CHANNEL_READ), *next = s->open(CHANNEL_READ);
    struct channel_frame info = {0};
    shared->phase = GETTING;
    if (s->sleep(newest, TIMEOUT_NS) == STATUS_CORRUPT && is_corrupt_for_ever(writer, newest)) {
        shared->found.corrupt++;
    } else {
        if (!get_frame(newest, CHANNEL_NEWEST, &info))
            shared->found.lost++;
        if (read_on(next) < shared->held_min)
            shared->found.lost++;
        // Nothing is lost but the frame in flight.
        if (info.number != shared->last && info.number != shared->victim_number)
            shared->found.misnumbered++;
        shared->last = info.number;
        expect_sleeper_reads(shared->last);
        shared->phase = GETTING;

        if (s->sleep(newest, TIMEOUT_NS) != STATUS_TIMEOUT) // nothing is unread
            shared->found.refused++;
        put_and_read(writer, newest, next);
        if (held_now() < shared->held_after)
            shared->found.slots_lost++;
    }
    s->close(writer);
    s->close(newest);
    s->close(next);
}

void start_bystander(void)
{
    int request[2], answer[2];
    ck_assert_int_eq(pipe(request), 0);
    ck_assert_int_eq(pipe(answer), 0);
    bystander.pid = fork_child();
    if (bystander.pid == 0) {
        char byte;
        close(request[1]);
        close(answer[0]);
        while (read(request[0], &byte, 1) == 1) {
            go_on();
            shared->phase = IDLE;
            if (write(answer[1], &byte, 1) != 1)
                break;
        }
        _exit(0);
    }
    close(request[0]);
    close(answer[1]);
    bystander.request = request[1];
    bystander.answer = answer[0];
}

void end_bystander(void)
{
    kill(bystander.pid, SIGKILL);
    waitpid(bystander.pid, NULL, 0);
    close(bystander.request);
    close(bystander.answer);
}

bool others_go_on(unsigned held_min, unsigned held_after)
{
    char byte = 0;
    const int64_t start_ns = monotonic_ns();
    shared->held_min = held_min;
    shared->held_after = held_after;
    ck_assert_int_eq(write(bystander.request, &byte, 1), 1);
    struct pollfd answer = {.fd = bystander.answer, .events = POLLIN};
    bool answered = false;
    for (int ms = 0; !answered && ms < PATIENCE_MAX_MS; ms += PATIENCE_MS) {
        answered = poll(&answer, 1, PATIENCE_MS) == 1;
        if (!answered && shared->phase != WAITING && step_state(bystander.pid) == 'S')
            break;
    }
    // It may have answered since.
    if (answered || poll(&answer, 1, PATIENCE_MS) == 1) {
        ck_assert_int_eq(read(bystander.answer, &byte, 1), 1);
        const double ms = (double)(monotonic_ns() - start_ns) * 1e-6;
        if (ms > shared->found.slowest_ms)
            shared->found.slowest_ms = ms;
        return true;
    }
    if (shared->phase == PUTTING)
        shared->found.put_hangs++;
    else
        shared->found.get_hangs++;
    end_bystander();
    start_bystander();
    return false;
}

pid_t start_sleeper(void)
{
    const struct subject *s = plan.subject;
    shared->sleeper_read = 0;
    pid_t pid = fork_child();
    if (pid == 0) {
        static unsigned char frame[FRAME_SIZE_LARGEST_B];
        struct channel_frame info;
        void *end = s->open(CHANNEL_READ);
        while (s->get(end, frame, sizeof frame, CHANNEL_NEWEST, &info) != STATUS_CORRUPT) {
            shared->sleeper_read = info.number;
            if (s->sleep(end, (int64_t)60 * NS_PER_S) != STATUS_OK)
                break;
        }
        _exit(1);
    }
    while (shared->sleeper_read == 0 || step_state(pid) != 'S')
        usleep(50);
    return pid;
}
