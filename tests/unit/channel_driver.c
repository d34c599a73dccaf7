#include "channel_driver.h"

#include <poll.h>
#include <sched.h>

#include "channel_cell.h"
#include "channel_death.h"
#include "clock/futex.h"
#include "step.h"

#define NUMBERS_MAX 256             // of frames in one round
#define PREPARED (2 * DRIVER_SLOTS) // frames put before the victim comes
#define TIMEOUT_NS 100000           // of a get with a time-out
#define PATIENCE_MS 200             // after which a bystander that sleeps is taken to hang
#define PATIENCE_MAX_MS 20000       // after which any does
#define PLACES_MAX 100000           // a victim that never ends is an error

enum phase { IDLE, PUTTING, GETTING, WAITING };

// Shared by driver, victim and bystander.
static struct exchange {
    _Atomic int phase;             // of the bystander
    _Atomic uint64_t sleeper_read; // number of the last frame that the sleeper read

    unsigned held_min, held_after; // what it must find before, and after it has put
    struct driver_findings found;
    uint64_t tag_of[NUMBERS_MAX]; // by frame number; 0: not known yet
    uint64_t next_tag;
    uint64_t victim_tag, victim_number; // of the victim's put; number 0: not seen yet
    uint64_t last;                      // number of the newest frame seen
    // What the victim's get delivered.
    enum status status;
    struct channel_frame info;
    uint64_t read_before; // number of the last frame it had read
    uint64_t got_tag;
    bool got_whole;
} * x;

static struct driver_plan plan;
static void *own_writer; // the driver's end; its forks have it at the same address

static struct bystander {
    pid_t pid;
    int request, answer;
} bystander;

// ---- the others ----

static enum status put_frame(void *end, uint64_t tag)
{
    static unsigned char frame[FRAME_SIZE_LARGEST_B];
    size_t size_B = fill_frame_of(frame, tag, plan.size_B);
    return plan.subject->put(end, frame, size_B, instant_ns((int64_t)tag));
}

// Notes that `number` was found to hold the frame of `tag`.
static void note(uint64_t number, uint64_t tag)
{
    ck_assert_uint_lt(number, NUMBERS_MAX);
    if (tag == x->victim_tag && x->victim_number == 0 && x->tag_of[number] == 0) {
        x->victim_number = number;
        x->tag_of[number] = tag;
    }
    if (x->tag_of[number] != tag)
        x->found.misnumbered++;
}

// One get and all that can be wrong about it. True: a frame was delivered.
static bool get_frame(void *end, enum channel_which which, struct channel_frame *info)
{
    static unsigned char frame[FRAME_SIZE_LARGEST_B];
    uint64_t tag;
    x->phase = GETTING;
    enum status status = plan.subject->get(end, frame, sizeof frame, which, info);
    if (status == STATUS_EMPTY)
        return false;
    if (status != STATUS_OK && status != STATUS_MISSED) {
        x->found.refused++;
        return false;
    }
    if (is_whole_of(frame, info, &tag, plan.size_B))
        note(info->number, tag);
    else
        x->found.torn++;
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
            x->found.lost++;
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
    x->phase = WAITING;
    for (int i = 0; plan.company && x->sleeper_read < number; i++) {
        if (i == 200000) { // more than 10 s
            x->found.sleeper_hangs++;
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
        const uint64_t n = x->next_tag++; // every other frame is as large as can be
        const uint64_t tag = n % 2 == 0 ? full_size_tag(n, plan.size_B) : n;
        struct channel_frame info = {0}, same = {0};
        x->phase = PUTTING;
        x->tag_of[x->last + 1] = tag;
        if (put_frame(writer, tag) != STATUS_OK)
            x->found.refused++;
        if (!get_frame(newest, CHANNEL_NEWEST, &info) || !get_frame(next, CHANNEL_NEXT, &same) ||
            info.missed != 0 || same.missed != 0)
            x->found.lost++;
        if (info.number != x->last + 1 || same.number != info.number)
            x->found.misnumbered++;
        x->last = info.number;
        expect_sleeper_reads(x->last);
    }
}

static void go_on(void)
{
    const struct subject *s = plan.subject;
    void *writer = s->open(CHANNEL_WRITE);
    void *newest = s->open(CHANNEL_READ), *next = s->open(CHANNEL_READ);
    struct channel_frame info = {0};
    x->phase = GETTING;
    if (s->sleep(newest, TIMEOUT_NS) == STATUS_CORRUPT && is_corrupt_for_ever(writer, newest)) {
        x->found.corrupt++;
    } else {
        if (!get_frame(newest, CHANNEL_NEWEST, &info))
            x->found.lost++;
        if (read_on(next) < x->held_min)
            x->found.lost++;
        // Nothing is lost but the frame in flight.
        if (info.number != x->last && info.number != x->victim_number)
            x->found.misnumbered++;
        x->last = info.number;
        expect_sleeper_reads(x->last);
        x->phase = GETTING;

        if (s->sleep(newest, TIMEOUT_NS) != STATUS_TIMEOUT) // nothing is unread
            x->found.refused++;
        put_and_read(writer, newest, next);
        if (held_now() < x->held_after)
            x->found.slots_lost++;
    }
    s->close(writer);
    s->close(newest);
    s->close(next);
}

static void start_bystander(void)
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
            x->phase = IDLE;
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

static void end_bystander(void)
{
    kill(bystander.pid, SIGKILL);
    waitpid(bystander.pid, NULL, 0);
    close(bystander.request);
    close(bystander.answer);
}

// Lets the others go on. False if they hang: they sleep, and get nowhere.
static bool others_go_on(unsigned held_min, unsigned held_after)
{
    char byte = 0;
    const int64_t start_ns = monotonic_ns();
    x->held_min = held_min;
    x->held_after = held_after;
    ck_assert_int_eq(write(bystander.request, &byte, 1), 1);
    struct pollfd answer = {.fd = bystander.answer, .events = POLLIN};
    bool answered = false;
    for (int ms = 0; !answered && ms < PATIENCE_MAX_MS; ms += PATIENCE_MS) {
        answered = poll(&answer, 1, PATIENCE_MS) == 1;
        if (!answered && x->phase != WAITING && step_state(bystander.pid) == 'S')
            break;
    }
    // It may have answered since.
    if (answered || poll(&answer, 1, PATIENCE_MS) == 1) {
        ck_assert_int_eq(read(bystander.answer, &byte, 1), 1);
        const double ms = (double)(monotonic_ns() - start_ns) * 1e-6;
        if (ms > x->found.slowest_ms)
            x->found.slowest_ms = ms;
        return true;
    }
    if (x->phase == PUTTING)
        x->found.put_hangs++;
    else
        x->found.get_hangs++;
    end_bystander();
    start_bystander();
    return false;
}

// A reader that has read the newest frame and sleeps until there is another, and so on.
static pid_t start_sleeper(void)
{
    const struct subject *s = plan.subject;
    x->sleeper_read = 0;
    pid_t pid = fork_child();
    if (pid == 0) {
        static unsigned char frame[FRAME_SIZE_LARGEST_B];
        struct channel_frame info;
        void *end = s->open(CHANNEL_READ);
        while (s->get(end, frame, sizeof frame, CHANNEL_NEWEST, &info) != STATUS_CORRUPT) {
            x->sleeper_read = info.number;
            if (s->sleep(end, (int64_t)60 * NS_PER_S) != STATUS_OK)
                break;
        }
        _exit(1);
    }
    while (x->sleeper_read == 0 || step_state(pid) != 'S')
        usleep(50);
    return pid;
}

// ---- the victim ----

static void get_in_victim(void *reader, enum channel_which which)
{
    static unsigned char frame[FRAME_SIZE_LARGEST_B];
    x->status = plan.subject->get(reader, frame, sizeof frame, which, &x->info);
    x->got_whole = is_whole_of(frame, &x->info, &x->got_tag, plan.size_B);
}

static void work_as_victim(void)
{
    static unsigned char frame[FRAME_SIZE_LARGEST_B];
    const struct subject *s = plan.subject;
    // Of a writer the driver looks at robust mutexes too, by their address in its own mapping.
    void *end = plan.work == PUT ? own_writer : s->open(CHANNEL_READ);
    size_t size_B = fill_frame_of(frame, x->victim_tag, plan.size_B);
    if (plan.work != PUT) { // has read the oldest held, or before a sleep the newest
        get_in_victim(end, plan.work == SLEEP ? CHANNEL_NEWEST : CHANNEL_NEXT);
        x->read_before = x->info.number;
    }
    step_begin();
    if (plan.work == PUT)
        x->status = s->put(end, frame, size_B, instant_ns((int64_t)x->victim_tag));
    else if (plan.work == SLEEP)
        x->status = s->sleep(end, (int64_t)60 * NS_PER_S);
    else
        x->status = s->get(end, frame, sizeof frame,
                           plan.work == GET_NEXT ? CHANNEL_NEXT : CHANNEL_NEWEST, &x->info);
    step_end();
    if (plan.work == SLEEP && x->status == STATUS_OK)
        get_in_victim(end, CHANNEL_NEWEST);
    else if (plan.work != PUT)
        x->got_whole = is_whole_of(frame, &x->info, &x->got_tag, plan.size_B);
    _exit(0);
}

static pid_t start_victim(void)
{
    pid_t pid = fork_child();
    if (pid == 0)
        work_as_victim();
    step_meet(pid);
    return pid;
}

enum where { AT_PLACE, AT_END, ASLEEP };

static enum where step_to(pid_t pid, unsigned place, unsigned *steps)
{
    for (*steps = 0; *steps < place; ++*steps) {
        if (plan.overtake != 0 && *steps == plan.overtake) {
            x->found.overtaken++;
            if (!others_go_on(DRIVER_SLOTS - 1, DRIVER_SLOTS - 1))
                return AT_PLACE;
        }
        if (plan.work != SLEEP) {
            if (!step_once(pid))
                return AT_END;
        } else if (!step_once_or_block(pid))
            return step_state(pid) == 'S' ? ASLEEP : AT_END;
    }
    return AT_PLACE;
}

// A continued victim has done what it was about to do.
static void judge_victim(bool finished)
{
    if (!finished) {
        x->found.never_finished++;
        return;
    }
    if (plan.work == PUT) {
        if (x->status != STATUS_OK)
            x->found.refused++;
        return;
    }
    if (x->status != STATUS_OK && x->status != STATUS_MISSED)
        x->found.refused++;
    else if (!x->got_whole)
        x->found.torn++;
    else if (x->info.number != x->read_before + 1 + x->info.missed)
        x->found.misnumbered++;
    else
        note(x->info.number, x->got_tag);
}

// ---- one boundary after the other ----

static struct memory {
    unsigned char *now; // the channel's
    unsigned char *prepared, *copy;
    size_t size_B;
} memory;

static void start_round(void)
{
    memcpy(memory.now, memory.prepared, memory.size_B);
    memset(x->tag_of, 0, sizeof x->tag_of);
    for (uint64_t number = 1; number <= PREPARED; number++)
        x->tag_of[number] = full_size_tag(number, plan.size_B);
    x->last = PREPARED;
    x->next_tag = 1000;
    x->victim_tag = full_size_tag(1000000, plan.size_B);
    x->victim_number = 0;
}

// Frames that must be held when the victim has been killed or stopped, before anybody else puts.
static unsigned held_at_once(void)
{
    return plan.work == PUT ? DRIVER_SLOTS - 1 : DRIVER_SLOTS;
}

static void kill_victim(pid_t pid)
{
    struct dying dying = {
        .pid = pid, .memory = memory.now, .copy = memory.copy, .size_B = memory.size_B};
    memcpy(memory.copy, memory.now, memory.size_B);
    if (plan.compare_deaths)
        emulate_death(&dying);
    x->found.marked += dying.marked;
    step_kill(pid);
    if (plan.compare_deaths && memcmp(memory.copy, memory.now, memory.size_B) != 0)
        x->found.deaths_differ++;
}

static void note_publication(unsigned place)
{
    if (plan.work != PUT)
        return;
    if (x->victim_number == 0)
        x->found.before++;
    else if (x->found.after++ == 0)
        x->found.published_at = place;
}

static void stop_victim(pid_t pid, enum where where, unsigned place)
{
    if (where == ASLEEP)
        step_interrupt(pid);
    bool good = others_go_on(held_at_once(), held_at_once());
    note_publication(place);
    bool finished = good && step_finish(pid, where == AT_END);
    if (good)
        judge_victim(finished);
    if (!finished)
        step_kill(pid);
    else if (plan.work == PUT) // it publishes late, but it does
        x->found.never_finished +=
            !others_go_on(DRIVER_SLOTS - 1, DRIVER_SLOTS) || x->victim_number == 0;
}

// False when there is no such place: the victim's work has fewer instructions, or sleeps earlier.
static bool try_place(unsigned place)
{
    unsigned steps;
    start_round();
    pid_t sleeper = plan.company ? start_sleeper() : 0;
    pid_t pid = start_victim();
    enum where where = step_to(pid, place, &steps);

    if (steps > x->found.instructions)
        x->found.instructions = steps;
    x->found.boundaries++;
    x->found.asleep += where == ASLEEP;
    if (plan.work != PUT && !plan.subject->readers_write &&
        memcmp(memory.now, memory.prepared, memory.size_B) != 0)
        x->found.readers_wrote++;
    if (plan.deed == STOP)
        stop_victim(pid, where, place);
    else {
        kill_victim(pid);
        others_go_on(held_at_once(), DRIVER_SLOTS);
        note_publication(place);
    }
    if (plan.company) {
        kill(sleeper, SIGKILL);
        waitpid(sleeper, NULL, 0);
    }
    return where == AT_PLACE;
}

// The channel as the victim finds it: full, and used by this process too, so that nothing is done
// for the first time (symbols are bound at the first call).
static void prepare(void)
{
    const struct subject *s = plan.subject;
    s->make(plan.size_B, DRIVER_SLOTS);
    void *reader = s->open(CHANNEL_READ);
    unsigned char frame[FRAME_SIZE_LARGEST_B];
    struct channel_frame info;
    own_writer = s->open(CHANNEL_WRITE);
    for (uint64_t number = 1; number <= PREPARED; number++) {
        require(put_frame(own_writer, full_size_tag(number, plan.size_B)));
        require(s->sleep(reader, TIMEOUT_NS));
        require(s->get(reader, frame, sizeof frame, CHANNEL_NEXT, &info));
    }
    ck_assert_int_eq(s->sleep(reader, TIMEOUT_NS), STATUS_TIMEOUT);
    s->close(reader);
    memory.now = s->memory(own_writer, &memory.size_B);
    memory.prepared = malloc(memory.size_B);
    memory.copy = malloc(memory.size_B);
    ck_assert(memory.prepared != NULL && memory.copy != NULL);
    memcpy(memory.prepared, memory.now, memory.size_B);
}

static unsigned count_steps(void)
{
    unsigned steps;
    start_round();
    pid_t pid = start_victim();
    ck_assert_int_eq(step_to(pid, PLACES_MAX, &steps), AT_END);
    step_kill(pid);
    return steps;
}

// A writer is killed in mid-put: its mutex is marked, its slot half written. Later victims find that.
static void leave_a_dead_writer(void)
{
    unsigned steps;
    const unsigned middle = count_steps() / 2;
    start_round();
    pid_t pid = start_victim();
    ck_assert_int_eq(step_to(pid, middle, &steps), AT_PLACE);
    step_kill(pid);
    ck_assert_int_ne(memcmp(memory.prepared, memory.now, memory.size_B), 0);
    memcpy(memory.prepared, memory.now, memory.size_B);
    require(put_frame(own_writer, 1)); // binds what only a recovery calls
}

static const char *const work_names[] = {"put", "get newest", "get next", "sleep"};

static void print_figures(const struct driver_findings *f)
{
    printf("figures: %s, %s of %zu B%s%s, %s: %u instructions, boundaries tried %u (published %u, "
           "not %u, asleep %u, mutex marked %u), others at most %.1f ms, exceptions %u\n",
           plan.subject->name, work_names[plan.work], plan.size_B,
           plan.after_death ? " after a death" : "", plan.overtake != 0 ? ", overtaken" : "",
           plan.deed == KILL ? "killed" : "stopped and continued", f->instructions, f->boundaries,
           f->after, f->before, f->asleep, f->marked, f->slowest_ms, driver_exceptions(f));
    if (driver_exceptions(f) > 0)
        printf("figures:   put hangs %u, get hangs %u, sleeper hangs %u, corrupt for ever %u, "
               "refused %u, torn %u, lost "
               "%u, misnumbered %u, slots lost %u, readers wrote %u, never finished %u, deaths "
               "differ %u\n",
               f->put_hangs, f->get_hangs, f->sleeper_hangs, f->corrupt, f->refused, f->torn,
               f->lost, f->misnumbered, f->slots_lost, f->readers_wrote, f->never_finished,
               f->deaths_differ);
    fflush(stdout);
}

unsigned driver_exceptions(const struct driver_findings *f)
{
    return f->put_hangs + f->get_hangs + f->sleeper_hangs + f->corrupt + f->refused + f->torn +
           f->lost + f->misnumbered + f->slots_lost + f->readers_wrote + f->never_finished +
           f->deaths_differ;
}

static void try_all_places(void)
{
    if (plan.work == SLEEP) { // reads the time, which takes a varying number of instructions
        unsigned beyond = 0;
        for (unsigned place = plan.first; beyond < 3; place += plan.stride)
            beyond = try_place(place) ? 0 : beyond + 1;
        return;
    }
    const unsigned steps = count_steps();
    if (steps < 2000)
        ck_assert_uint_eq(count_steps(), steps);
    for (unsigned place = plan.first; place <= steps; place += plan.stride)
        ck_assert(try_place(place) || x->found.get_hangs + x->found.put_hangs > 0);
}

struct driver_findings driver_run(const struct driver_plan *wanted)
{
    plan = *wanted;
    x = mmap(NULL, sizeof *x, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(x, MAP_FAILED);
    prepare();
    start_bystander();
    if (plan.after_death)
        leave_a_dead_writer();
    x->found = (struct driver_findings){0};
    try_all_places();
    end_bystander();
    const struct driver_findings found = x->found;
    print_figures(&found);
    free(memory.prepared);
    free(memory.copy);
    munmap(x, sizeof *x);
    plan.subject->close(own_writer);
    plan.subject->remove();
    return found;
}
