// channel: a writer killed or stopped between any two instructions of a put of 16 KiB, and a reader
// of a get. One run is single-stepped; at each boundary the channel's memory is copied, the
// writer's death is done to the copy as the kernel would (channel_death.h), and the copy must
// recover. Real kills and stops, at a sample of the boundaries, confirm it.
//
// The C library copies large frames in several ways. Besides the one that it chooses here, this
// program runs itself again with settings that make it choose another.
#include "tests/unit/common/unit.h"

#include <stddef.h>
#include <sys/resource.h>
#include <sys/user.h>

#include "channel_cell.h"
#include "channel_death.h"
#include "channel_driver.h"
#include "tests/unit/common/step.h"

#define SLOTS DRIVER_SLOTS
#define PREPARED (2 * SLOTS)
#define SAMPLE 4001 // every so manieth boundary gets a real kill, or a stop

// Which instructions copy, by their opcodes.
struct copying {
    unsigned string, vector, non_temporal; // executed
};

static void count_copying(pid_t pid, struct copying *c)
{
#ifdef __x86_64__
    const size_t rip_at = offsetof(struct user, regs) + offsetof(struct user_regs_struct, rip);
    const long at = ptrace(PTRACE_PEEKUSER, pid, rip_at, NULL);
    const long word = ptrace(PTRACE_PEEKTEXT, pid, at, NULL);
    unsigned char code[sizeof word];
    memcpy(code, &word, sizeof word);
    const bool repeated = code[0] == 0xf3 && (code[1] == 0xa4 || code[2] == 0xa5);
    // The opcode follows a VEX prefix of 2 or 3 bytes, an EVEX prefix of 4, or 66 0f.
    const int opcode = code[0] == 0xc5                      ? code[2]
                       : code[0] == 0xc4                    ? code[3]
                       : code[0] == 0x62                    ? code[4]
                       : code[0] == 0x66 && code[1] == 0x0f ? code[2]
                                                            : -1;
    c->string += repeated;
    c->non_temporal += opcode == 0xe7; // movntdq
    c->vector += opcode == 0x6f || opcode == 0x7f || opcode == 0x10 || opcode == 0x11 ||
                 opcode == 0x28 || opcode == 0x29; // moves to and from memory
#else
    (void)pid;
    (void)c;
#endif
}

// Both sides of the channel under test, and of the channel whose memory is the copy.
static struct side {
    struct channel *writer, *reader;
} original, copy;

static size_t size_B;
static uint64_t victim_tag;

static struct side open_side(const char *name)
{
    struct side side;
    require(channel_create(test_cell, name, size_B, SLOTS));
    require(channel_open_in(test_cell, name, CHANNEL_WRITE, &side.writer));
    require(channel_open_in(test_cell, name, CHANNEL_READ, &side.reader));
    return side;
}

static enum status put(struct channel *writer, uint64_t tag)
{
    static unsigned char frame[FRAME_SIZE_LARGEST_B];
    size_t n = fill_frame_of(frame, tag, size_B);
    return channel_put(writer, frame, n, instant_ns((int64_t)tag));
}

// Gets a frame that must be whole; 0: there is none.
static uint64_t get(struct channel *reader, enum channel_which which, struct channel_frame *info)
{
    static unsigned char frame[FRAME_SIZE_LARGEST_B];
    uint64_t tag;
    enum status status = channel_get(reader, frame, sizeof frame, which, info);
    if (status == STATUS_EMPTY)
        return 0;
    ck_assert(status == STATUS_OK || status == STATUS_MISSED);
    ck_assert(is_whole_of(frame, info, &tag, size_B));
    return tag;
}

static uint64_t tag_of(uint64_t number)
{
    return full_size_tag(number, size_B);
}

static void open_large(size_t frame_size_B)
{
    size_B = frame_size_B;
    setpriority(PRIO_PROCESS, 0, -15); // as in channel_driver.c
    victim_tag = tag_of(1000000);
    make_channel(64, 3); // the folder
    original = open_side("original");
    copy = open_side("copy");
    struct channel_frame info;
    for (uint64_t number = 1; number <= PREPARED; number++)
        require(put(original.writer, tag_of(number)));
    ck_assert_uint_eq(get(original.reader, CHANNEL_LAST, &info), tag_of(PREPARED));
}

static void remove_large(void)
{
    char path[96];
    snprintf(path, sizeof path, "%s/channels/original", test_cell);
    unlink(path);
    snprintf(path, sizeof path, "%s/channels/copy", test_cell);
    unlink(path);
    remove_channel();
}

// A reader of the copy that has read nothing.
static struct channel *fresh_reader(void)
{
    copy.reader->last = 0;
    copy.reader->number_at_open = 0;
    return copy.reader;
}

static unsigned count_held_in_copy(uint64_t *newest, uint64_t *tag)
{
    struct channel *reader = fresh_reader();
    struct channel_frame info = {0};
    unsigned count = 0;
    uint64_t before = 0, seen;
    for (; (seen = get(reader, CHANNEL_NEXT, &info)) != 0; count++) {
        ck_assert(before == 0 || info.number == before + 1);
        ck_assert(info.number > PREPARED || seen == tag_of(info.number));
        before = info.number;
        *tag = seen;
    }
    *newest = before;
    return count;
}

// The copy is a sound channel: nothing torn, nothing lost but the frame in flight; puts go on, and
// use `slots` slots. True if the victim's frame was published.
static bool expect_sound(unsigned slots)
{
    uint64_t newest = 0, tag = 0;
    struct channel_frame info;
    ck_assert_uint_ge(count_held_in_copy(&newest, &tag), SLOTS - 1);
    const bool published = newest == PREPARED + 1;
    ck_assert(published ? tag == victim_tag : newest == PREPARED);
    for (uint64_t i = 1; i <= SLOTS; i++) {
        require(put(copy.writer, tag_of(5000 + i)));
        ck_assert_uint_eq(get(fresh_reader(), CHANNEL_LAST, &info), tag_of(5000 + i));
        ck_assert_uint_eq(info.number, newest + i);
    }
    ck_assert_uint_ge(count_held_in_copy(&newest, &tag), slots);
    return published;
}

static void take_copy(void)
{
    memcpy(copy.writer->header, original.writer->header, original.writer->file_size_B);
}

static void step_through_a_put(void)
{
    struct copying copying = {0};
    unsigned boundaries = 0, published = 0, marked = 0, steps = 0;
    pid_t pid = fork_child();
    if (pid == 0) {
        static unsigned char frame[FRAME_SIZE_LARGEST_B];
        size_t n = fill_frame_of(frame, victim_tag, size_B);
        step_begin();
        enum status status =
            channel_put(original.writer, frame, n, instant_ns((int64_t)victim_tag));
        step_end();
        _exit(status == STATUS_OK ? 0 : 1);
    }
    step_meet(pid);
    do {
        count_copying(pid, &copying);
        if (steps++ % driver_stride() != 0)
            continue;
        struct dying dying = {.pid = pid,
                              .memory = (const unsigned char *)original.writer->header,
                              .copy = (unsigned char *)copy.writer->header,
                              .size_B = original.writer->file_size_B};
        take_copy(); // as if stopped: its slot stays its own
        expect_sound(SLOTS - 1);
        take_copy();
        emulate_death(&dying);
        marked += dying.marked;
        published += expect_sound(SLOTS);
        boundaries++;
    } while (step_once(pid));
    ck_assert(step_finish(pid, true));
    printf("figures: src/channel, put of %zu B, recovered from a copy: boundaries tried %u "
           "(published %u, "
           "mutex marked %u; rep movs %u, vector moves %u, non-temporal stores %u), exceptions 0\n",
           size_B, boundaries, published, marked, copying.string, copying.vector,
           copying.non_temporal);
    fflush(stdout);
    ck_assert_uint_gt(published, 5);
    ck_assert_uint_gt(marked, 100);
    ck_assert_uint_gt(boundaries, published + 100);
    const char *path = getenv("CHANNEL_COPY_PATH");
    if (path != NULL && strcmp(path, "vector") == 0)
        ck_assert_uint_eq(copying.string + copying.non_temporal, 0);
    if (path != NULL && strcmp(path, "non-temporal") == 0)
        ck_assert_uint_gt(copying.non_temporal, 0);
}

START_TEST(a_writer_may_die_or_stop_at_any_instruction_of_a_large_put)
{
    const char *frame_size_B = getenv("CHANNEL_COPY_SIZE_B");
    open_large(frame_size_B == NULL ? 16384 : (size_t)atol(frame_size_B));
    step_through_a_put();
    remove_large();
}
END_TEST

// Runs this program's first test again, with the C library told to copy in another way.
static void run_again(const char *path, const char *frame_size_B, const char *tunables)
{
    char command[256] = "", line[512];
    if (getenv("CHANNEL_COPY_PATH") != NULL) // this is such a run
        return;
    ck_assert_int_gt(readlink("/proc/self/exe", command, sizeof command - 1), 0);
    setenv("CHANNEL_COPY_PATH", path, 1);
    setenv("CHANNEL_COPY_SIZE_B", frame_size_B, 1);
    setenv("GLIBC_TUNABLES", tunables, 1);
    FILE *again = popen(command, "r");
    ck_assert_ptr_nonnull(again);
    while (fgets(line, sizeof line, again) != NULL)
        printf("  %s: %s", path, line);
    fflush(stdout);
    ck_assert_int_eq(pclose(again), 0);
}

START_TEST(so_if_the_frame_is_copied_by_vector_instructions)
{
#if defined __x86_64__ && defined __GLIBC__
    run_again("vector", "16384",
              "glibc.cpu.x86_rep_movsb_threshold=1000000:glibc.cpu.x86_non_temporal_threshold="
              "2000000");
#endif
}
END_TEST

START_TEST(so_if_the_frame_is_copied_by_non_temporal_stores)
{
#if defined __x86_64__ && defined __GLIBC__
    run_again("non-temporal", "20480",
              "glibc.cpu.x86_rep_movsb_threshold=1000000:glibc.cpu.x86_non_temporal_threshold="
              "16449");
#endif
}
END_TEST

START_TEST(a_reader_in_a_large_get_holds_and_changes_nothing_at_any_instruction)
{
    if (getenv("CHANNEL_COPY_PATH") != NULL)
        return;
    open_large(16384);
    unsigned boundaries = 0;
    pid_t pid = fork_child();
    if (pid == 0) {
        static unsigned char frame[FRAME_SIZE_LARGEST_B];
        struct channel_frame info;
        step_begin();
        enum status status = channel_get(original.reader, frame, sizeof frame, CHANNEL_LAST, &info);
        step_end();
        _exit(status == STATUS_OK ? 0 : 1);
    }
    step_meet(pid);
    take_copy();
    struct dying dying = {.pid = pid,
                          .memory = (const unsigned char *)original.reader->header,
                          .copy = (unsigned char *)copy.writer->header,
                          .size_B = original.writer->file_size_B};
    do { // its death or stop would leave the memory as it was before the get
        emulate_death(&dying);
        ck_assert_int_eq(memcmp(copy.writer->header, original.writer->header, dying.size_B), 0);
        boundaries++;
    } while (step_once(pid));
    ck_assert(step_finish(pid, true));
    ck_assert_uint_eq(dying.marked, 0);
    expect_sound(SLOTS);
    printf("figures: src/channel, get of 16384 B: boundaries %u, memory the same at all of them\n",
           boundaries);
    fflush(stdout);
    ck_assert_uint_gt(boundaries, 100);
    remove_large();
}
END_TEST

static void expect_none_harmed(enum victim_work work, enum deed deed)
{
    if (getenv("CHANNEL_COPY_PATH") != NULL)
        return;
    struct driver_findings found =
        driver_run(&(struct driver_plan){.subject = &channel_subject,
                                         .work = work,
                                         .deed = deed,
                                         .size_B = 16384,
                                         .stride = SAMPLE,
                                         .compare_deaths = deed == KILL});
    ck_assert_uint_eq(driver_exceptions(&found), 0);
}

START_TEST(a_real_kill_at_a_sample_of_the_instructions_leaves_what_was_emulated)
{
    expect_none_harmed(PUT, KILL);
}
END_TEST

START_TEST(so_do_writers_and_readers_stopped_lapped_and_continued_at_a_sample_of_the_instructions)
{
    expect_none_harmed(PUT, STOP);
    expect_none_harmed(GET_NEXT, STOP);
}
END_TEST

UNIT_MAIN("channel-kill-large", a_writer_may_die_or_stop_at_any_instruction_of_a_large_put,
          so_if_the_frame_is_copied_by_vector_instructions,
          so_if_the_frame_is_copied_by_non_temporal_stores,
          a_reader_in_a_large_get_holds_and_changes_nothing_at_any_instruction,
          a_real_kill_at_a_sample_of_the_instructions_leaves_what_was_emulated,
          so_do_writers_and_readers_stopped_lapped_and_continued_at_a_sample_of_the_instructions)
