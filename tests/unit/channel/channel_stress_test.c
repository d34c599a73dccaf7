// channel: many processes at once, some of them killed or stopped at random. For UKEMI_STRESS_S
// seconds (3; at most 100).
#include "tests/unit/common/unit.h"

#include <sys/resource.h>
#include <time.h>

#include "base/random.h"
#include "channel_cell.h"

#define LEDGER_SIZE (1 << 16)
#define WRITERS_MAX (1 << 18) // that ever live in one test
#define SLOTS 8

// Shared by the processes of a test.
static struct ledger {
    // What the first reader of a frame saw: the frame's number in the upper 40 bits, a hash of its
    // tag in the lower 24. A ring.
    _Atomic uint64_t seen[LEDGER_SIZE];
    _Atomic uint64_t accepted;
    _Atomic uint64_t begun, done;                                      // puts
    _Atomic uint64_t torn, misnumbered, disputed, disordered, refused; // must not be
    _Atomic int over;
} * ledger;

static uint64_t failures(void)
{
    return ledger->torn + ledger->misnumbered + ledger->disputed + ledger->disordered +
           ledger->refused;
}

static void open_ledger(void)
{
    ledger = mmap(NULL, sizeof *ledger, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(ledger, MAP_FAILED);
}

// Writes frames whose tags nobody else uses, until killed, over, or `count` are written. Never
// returns.
static void write_frames(uint64_t writer_id, uint64_t count)
{
    struct channel *writer = open_end(CHANNEL_WRITE);
    unsigned char frame[FRAME_SIZE_MAX_B];
    for (uint64_t i = 0; i < count && ledger->over == 0; i++) {
        uint64_t tag = writer_id << 32 | (i + 1);
        size_t size_B = fill_frame(frame, tag);
        ledger->begun++;
        if (channel_put(writer, frame, size_B, instant_ns((int64_t)tag)) != STATUS_OK)
            ledger->refused++;
        ledger->done++;
    }
    _exit(0);
}

// False if somebody has read another frame under this number.
static bool agrees(uint64_t number, uint64_t tag)
{
    const uint64_t mine = number << 24 | (tag * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
    _Atomic uint64_t *place = &ledger->seen[number % LEDGER_SIZE];
    uint64_t seen = *place;
    do { // each failure of the exchange is another reader's success
        if (seen >> 24 == number)
            return seen == mine;
        if (seen >> 24 > number)
            return true; // forgotten
    } while (!atomic_compare_exchange_weak(place, &seen, mine));
    return true;
}

// A reader's memory of what it has read.
struct memory {
    uint64_t before;            // number of the last frame
    uint32_t last[WRITERS_MAX]; // by writer: how many frames it had put
};

static void check_frame(struct memory *m, const unsigned char *frame,
                        const struct channel_frame *info, bool first)
{
    uint64_t tag;
    if (!is_whole(frame, info, &tag)) {
        ledger->torn++;
        return;
    }
    if (info->number <= m->before || (!first && info->number != m->before + 1 + info->missed))
        ledger->misnumbered++;
    if (!agrees(info->number, tag))
        ledger->disputed++;
    // One writer's frames come in the order in which it put them, each once.
    if (tag >> 32 >= WRITERS_MAX || (uint32_t)tag <= m->last[tag >> 32])
        ledger->disordered++;
    else
        m->last[tag >> 32] = (uint32_t)tag;
    m->before = info->number;
    ledger->accepted++;
}

struct habits {
    enum channel_which which;
    bool sleeps; // when there is nothing to read
};

// Reads until the test is over and checks every frame. Never returns.
static void read_frames(struct channel *reader, struct habits habits)
{
    static struct memory memory;
    unsigned char frame[FRAME_SIZE_MAX_B];
    struct clk *clk;
    bool last_round = false, first = reader->number_at_open > 0;
    unsetenv("UKEMI_CELL"); // a stand-alone clock
    require(clk_join(&clk));
    while (!last_round) {
        last_round = ledger->over != 0; // one more look after the end
        struct channel_frame info;
        enum status status;
        while (status = channel_get(reader, frame, sizeof frame, habits.which, &info),
               status == STATUS_OK || status == STATUS_MISSED) {
            check_frame(&memory, frame, &info, first);
            first = false;
        }
        if (status != STATUS_EMPTY)
            ledger->refused++;
        struct clk_watch watch = channel_watch(reader);
        if (habits.sleeps && !last_round)
            if (clk_wait(clk, &watch, 1, instant_add(clk_now(clk), duration_ms(20))) ==
                STATUS_INVALID)
                ledger->refused++;
    }
    _exit(0);
}

static pid_t start_reader(struct habits habits)
{
    struct channel *reader =
        open_end(CHANNEL_READ); // before the first frame, so that every one counts
    pid_t pid = fork_child();
    if (pid == 0)
        read_frames(reader, habits);
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
    pid_t readers[] = {start_reader((struct habits){.which = CHANNEL_NEWEST}),
                       start_reader((struct habits){.which = CHANNEL_NEXT}),
                       start_reader((struct habits){.which = CHANNEL_NEXT, .sleeps = true})};
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
    ck_assert_uint_eq(failures(), 0);
    ck_assert_uint_gt(ledger->accepted, 10);
    ck_assert_uint_ge(count_held(), SLOTS - WRITERS); // I8
    remove_channel();
}
END_TEST

// ---- 8 writers and 8 readers, killed, stopped and continued at random ----

#define LLU(n) ((unsigned long long)(n))
#define PEERS 8                 // of each kind; this process writes, too
#define CROWD_SLOTS (PEERS + 3) // writers + 2

static struct crowd {
    struct peer {
        pid_t pid;
        bool stopped, dying;
    } peer[2 * PEERS]; // writers, then readers
    uint64_t next_id;  // of a writer
    uint64_t writer_kills, reader_kills, stops, continues;
    struct random_stream random;
} crowd;

static void start_peer(unsigned i)
{
    pid_t pid;
    if (i < PEERS)
        pid = start_writer(crowd.next_id++, UINT64_MAX);
    else {
        struct channel *reader = open_end(CHANNEL_READ);
        pid = fork_child();
        if (pid == 0)
            read_frames(reader, (struct habits){.which = i % 2 == 0 ? CHANNEL_NEWEST : CHANNEL_NEXT,
                                                .sleeps = i % 4 < 3});
        channel_close(reader);
    }
    setpriority(PRIO_PROCESS, (id_t)pid, 5); // so that this process gets its turn among so many
    crowd.peer[i] = (struct peer){.pid = pid};
}

// Something happens to somebody.
static void disturb(void)
{
    unsigned i = (unsigned)(random_bits(&crowd.random) % (2 * PEERS));
    struct peer *peer = &crowd.peer[i];
    if (peer->dying) {
        if (waitpid(peer->pid, NULL, WNOHANG) == peer->pid)
            start_peer(i);
        return;
    }
    switch (random_bits(&crowd.random) % 4) {
    case 0:
        kill(peer->pid, SIGKILL);
        peer->dying = true; // takes its time; others go on meanwhile
        *(i < PEERS ? &crowd.writer_kills : &crowd.reader_kills) += 1;
        break;
    case 1:
        kill(peer->pid, SIGSTOP);
        peer->stopped = true;
        crowd.stops++;
        break;
    default:
        if (peer->stopped)
            crowd.continues++;
        kill(peer->pid, SIGCONT);
        peer->stopped = false;
    }
}

static void end_crowd(void)
{
    ledger->over = 1;
    for (unsigned i = 0; i < 2 * PEERS; i++)
        kill(crowd.peer[i].pid, SIGCONT);
    for (unsigned i = 0; i < 2 * PEERS; i++)
        if (crowd.peer[i].dying)
            waitpid(crowd.peer[i].pid, NULL, 0);
        else
            expect_clean_end(crowd.peer[i].pid); // nobody hangs
}

static double stress_s(void)
{
    const char *text = getenv("UKEMI_STRESS_S");
    double s = text == NULL ? 3 : atof(text);
    ck_assert_msg(s > 0 && s <= 100, "UKEMI_STRESS_S=%s: give 1 to 100 seconds", text);
    return s;
}

START_TEST(I1_I3_I4_I6_I7_8_writers_and_8_readers_killed_and_stopped_at_random_harm_nobody)
{
    open_ledger();
    make_channel(FRAME_SIZE_MAX_B, CROWD_SLOTS);
    struct channel *writer = open_end(CHANNEL_WRITE), *reader = open_end(CHANNEL_READ);
    crowd.next_id = 2;
    random_start(&crowd.random, 1, "crowd");
    for (unsigned i = 0; i < 2 * PEERS; i++)
        start_peer(i);
    uint64_t own = 0;
    struct channel_frame info;
    for (const double end_s = now_s() + stress_s();
         now_s() < end_s && crowd.next_id < WRITERS_MAX;) {
        for (unsigned i = random_bits(&crowd.random) % 8; i > 0; i--)
            disturb();
        if (random_bits(&crowd.random) % 4 == 0)
            usleep((useconds_t)(random_bits(&crowd.random) % 2000));
        put_tag(writer, UINT64_C(1) << 32 | ++own); // a put by a live writer completes
        ck_assert_uint_ne(get_tag(reader, CHANNEL_LAST, &info), 0); // and so does a get
    }
    end_crowd();
    const uint64_t published = place_number(*channel_head(reader)), done = ledger->done + own;
    const uint64_t lost = published < done ? done - published : 0;
    printf(
        "figures: %llu frames put by %llu writers, %llu read; killed: %llu writers, %llu readers; "
        "%llu stops, %llu continued; %llu frames of killed writers out; torn %llu, misnumbered "
        "%llu, "
        "disputed %llu, disordered %llu, refused %llu, lost %llu\n",
        LLU(published), LLU(crowd.next_id - 1), LLU(ledger->accepted), LLU(crowd.writer_kills),
        LLU(crowd.reader_kills), LLU(crowd.stops), LLU(crowd.continues),
        LLU(published + lost - done), LLU(ledger->torn), LLU(ledger->misnumbered),
        LLU(ledger->disputed), LLU(ledger->disordered), LLU(ledger->refused), LLU(lost));
    fflush(stdout);
    ck_assert_uint_eq(failures() + lost, 0);
    ck_assert_uint_le(published, ledger->begun + own);
    ck_assert_uint_le(published - done, crowd.writer_kills); // at most the frame in flight
    ck_assert_uint_gt(crowd.writer_kills, 0);
    ck_assert_uint_gt(crowd.reader_kills, 0);
    ck_assert_uint_gt(crowd.continues, 0);
    ck_assert_uint_gt(ledger->accepted, 0);
    for (uint64_t tag = 1; tag <= 2 * CROWD_SLOTS; tag++)
        put_tag(writer, tag);
    ck_assert_uint_eq(count_held(), CROWD_SLOTS); // no slot is lost
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
                ledger->refused++;
        }
    }
    struct channel *reader = open_end(CHANNEL_READ);
    unsigned char *frame = calloc(1, size_B);
    unsigned delivered = 0;
    for (const double end_s = now_s() + 0.5; now_s() < end_s || delivered == 0;) {
        enum status status = channel_get(reader, frame, size_B, CHANNEL_NEXT, NULL);
        ck_assert(status == STATUS_OK || status == STATUS_MISSED || status == STATUS_EMPTY);
        if (status == STATUS_EMPTY)
            continue;
        delivered++;
        ck_assert_uint_eq(frame[0], frame[size_B - 1]);
    }
    ck_assert_uint_gt(delivered, 0);
    ck_assert_uint_eq(failures(), 0);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    remove_channel();
}
END_TEST

UNIT_MAIN("channel-stress", I1_I3_I4_every_frame_is_numbered_once_and_read_whole_under_its_number,
          I1_I3_I4_I6_I7_8_writers_and_8_readers_killed_and_stopped_at_random_harm_nobody,
          I9_a_reader_of_large_frames_is_never_held_up_by_fast_writers)
