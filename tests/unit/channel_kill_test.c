// channel: a writer killed, or stopped and lapped, between any two instructions of a put
// (single-stepped). Invariants I1, I2, I4, I6, I7 after each.
#include "unit.h"

#include "channel_cell.h"
#include "step.h"

#define SLOTS 4        // two writers, and the two more that a channel should have
#define PLACES_MAX 400 // at most so many of a put's instruction boundaries are tried, evenly spread

static struct channel *writer, *reader;
static uint64_t next_tag = 1;

// A tag whose frame has always the same size, so that a put has always the same instructions.
static uint64_t stepped_tag(void)
{
    return next_tag++ * (FRAME_SIZE_MAX_B - sizeof(uint64_t) + 1) + 200;
}

static void open_ends(void)
{
    make_channel(FRAME_SIZE_MAX_B, SLOTS);
    writer = open_end(CHANNEL_WRITE);
    reader = open_end(CHANNEL_READ);
    put_tag(writer, next_tag++);
}

// A child that is about to put a frame with the given tag, stopped before its first instruction of
// the put.
static pid_t start_put(uint64_t tag)
{
    pid_t pid = fork_child();
    if (pid == 0) {
        unsigned char frame[FRAME_SIZE_MAX_B];
        size_t size_B = fill_frame(frame, tag);
        step_begin();
        enum status status = channel_put(writer, frame, size_B, instant_ns((int64_t)tag));
        step_end();
        _exit(status == STATUS_OK ? 0 : 1);
    }
    step_meet(pid);
    return pid;
}

static unsigned count_steps(void)
{
    pid_t pid = start_put(stepped_tag());
    unsigned steps = 0;
    while (step_once(pid))
        steps++;
    step_kill(pid);
    ck_assert_uint_gt(steps, 50);
    return steps;
}

static uint64_t head_number(void)
{
    return place_number(*channel_head(reader));
}

// Another writer puts more frames than there are slots; each is read at once, whole, under the next
// number.
static void others_go_on(void)
{
    struct channel_frame info;
    for (int i = 0; i < 2 * SLOTS; i++) {
        uint64_t number = head_number(), tag = next_tag++;
        put_tag(writer, tag);
        ck_assert_uint_eq(get_tag(reader, CHANNEL_NEWEST, &info), tag);
        ck_assert_uint_eq(info.number, number + 1);
    }
}

START_TEST(a_writer_killed_at_any_instruction_of_a_put_harms_nobody)
{
    open_ends();
    const unsigned steps = count_steps(), stride = steps / PLACES_MAX + 1;
    unsigned published = 0, places = 0;
    for (unsigned place = 0; place <= steps; place += stride) {
        const uint64_t number = head_number(), tag = stepped_tag();
        struct channel_frame info;
        pid_t pid = start_put(tag);
        for (unsigned i = 0; i < place && step_once(pid); i++)
            continue;
        step_kill(pid);
        uint64_t newest = get_tag(reader, CHANNEL_LAST, &info);
        if (newest == tag) // after the swap: complete. Before it: never happened
            published++;
        ck_assert_uint_eq(info.number, newest == tag ? number + 1 : number);
        others_go_on();
        ck_assert_uint_eq(count_held(), SLOTS);
        places++;
    }
    ck_assert_uint_gt(published, 0);
    ck_assert_uint_lt(published, places);
    remove_channel();
}
END_TEST

START_TEST(a_writer_stopped_at_any_instruction_of_a_put_and_lapped_completes_it_when_continued)
{
    open_ends();
    const unsigned steps = count_steps(), stride = steps / PLACES_MAX + 1;
    for (unsigned place = 0; place <= steps; place += stride) {
        const uint64_t tag = stepped_tag();
        struct channel_frame info;
        pid_t pid = start_put(tag);
        bool ended = false;
        for (unsigned i = 0; i < place && !ended; i++)
            ended = !step_once(pid);
        bool published = get_tag(reader, CHANNEL_LAST, &info) == tag;
        others_go_on();
        ck_assert_uint_ge(count_held(), SLOTS - 1);
        const uint64_t number = head_number();
        int status;
        if (!ended) {
            ck_assert_int_eq(ptrace(PTRACE_CONT, pid, NULL, NULL), 0);
            step_meet(pid); // at step_end()
        }
        ck_assert_int_eq(ptrace(PTRACE_CONT, pid, NULL, NULL), 0);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        uint64_t newest = get_tag(reader, CHANNEL_LAST, &info);
        ck_assert_uint_eq(info.number, published ? number : number + 1);
        ck_assert(published || newest == tag);
        others_go_on();
        ck_assert_uint_eq(count_held(), SLOTS);
    }
    remove_channel();
}
END_TEST

UNIT_MAIN("channel-kill", a_writer_killed_at_any_instruction_of_a_put_harms_nobody,
          a_writer_stopped_at_any_instruction_of_a_put_and_lapped_completes_it_when_continued)
