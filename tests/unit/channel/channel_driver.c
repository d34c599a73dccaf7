#include "channel_driver.h"

#include <sys/resource.h>

#include "channel_cell.h"
#include "channel_death.h"
#include "channel_driver_private.h"
#include "clock/futex.h"
#include "tests/unit/common/step.h"

#define SLEEP_NS 100000   // of this process's own first sleep
#define PLACES_MAX 100000 // a victim that never ends is an error
#define STEPS_OWNING 40 // from its first mark on a slot a writer is in mid-put for longer than this
#define LONG_NS ((int64_t)60 * NS_PER_S) // that a victim waits for a frame
#define NEVER_FINISHED_MAX 3             // each takes 20 s: more would tell nothing new

struct exchange *shared;
struct driver_plan plan;
static void *own_writer; // the driver's end; its forks have it at the same address

// ---- the victim ----

// The work itself, which is stepped through.
static enum status do_work(void *end, unsigned char *frame, size_t size_B)
{
    const struct subject *s = plan.subject;
    const size_t capacity_B = FRAME_SIZE_LARGEST_B;
    switch (plan.work) {
    case PUT:
        return s->put(end, frame, size_B, instant_ns((int64_t)shared->victim_tag));
    case GET_NEWEST:
        return s->get(end, frame, capacity_B, CHANNEL_NEWEST, &shared->info);
    case GET_NEXT:
        return s->get(end, frame, capacity_B, CHANNEL_NEXT, &shared->info);
    case SLEEP:
        return s->sleep(end, LONG_NS);
    }
    return STATUS_INVALID;
}

static void work_as_victim(void)
{
    static unsigned char frame[FRAME_SIZE_LARGEST_B];
    const struct subject *s = plan.subject;
    // Of a writer the driver looks at robust mutexes too, by their address in its own mapping.
    void *end = plan.work == PUT ? own_writer : s->open(CHANNEL_READ);
    if (plan.work != PUT) { // has read the oldest held, or before a wait the newest
        shared->status = s->get(end, frame, sizeof frame,
                                plan.work == SLEEP ? CHANNEL_NEWEST : CHANNEL_NEXT, &shared->info);
        shared->read_before = shared->info.number;
    }
    const size_t size_B = fill_frame_of(frame, shared->victim_tag, plan.size_B);
    step_begin();
    shared->status = do_work(end, frame, size_B);
    step_end();
    if (plan.work == SLEEP && shared->status == STATUS_OK)
        shared->status = s->get(end, frame, sizeof frame, CHANNEL_NEWEST, &shared->info);
    if (plan.work != PUT)
        shared->got_whole = is_whole_of(frame, &shared->info, &shared->got_tag, plan.size_B);
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
            shared->found.overtaken++;
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
        shared->found.never_finished++;
        return;
    }
    if (plan.work == PUT) {
        if (shared->status != STATUS_OK)
            shared->found.refused++;
        return;
    }
    if (shared->status != STATUS_OK && shared->status != STATUS_MISSED)
        shared->found.refused++;
    else if (!shared->got_whole)
        shared->found.torn++;
    else if (shared->info.number != shared->read_before + 1 + shared->info.missed)
        shared->found.misnumbered++;
    else
        note(shared->info.number, shared->got_tag);
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
    memset(shared->tag_of, 0, sizeof shared->tag_of);
    for (uint64_t number = 1; number <= PREPARED; number++)
        shared->tag_of[number] = full_size_tag(number, plan.size_B);
    shared->last = PREPARED;
    shared->next_tag = 1000;
    shared->victim_tag = full_size_tag(1000000, plan.size_B);
    shared->victim_number = 0;
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
    shared->found.marked += dying.marked;
    step_kill(pid);
    if (plan.compare_deaths && memcmp(memory.copy, memory.now, memory.size_B) != 0)
        shared->found.deaths_differ++;
}

static void note_publication(unsigned place)
{
    if (plan.work != PUT)
        return;
    if (shared->victim_number == 0)
        shared->found.before++;
    else if (shared->found.after++ == 0)
        shared->found.published_at = place;
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
        shared->found.never_finished +=
            !others_go_on(DRIVER_SLOTS - 1, DRIVER_SLOTS) || shared->victim_number == 0;
}

// False when there is no such place: the victim's work has fewer instructions, or sleeps earlier.
static bool try_place(unsigned place)
{
    unsigned steps;
    start_round();
    pid_t sleeper = plan.company ? start_sleeper() : 0;
    pid_t pid = start_victim();
    enum where where = step_to(pid, place, &steps);

    if (steps > shared->found.instructions)
        shared->found.instructions = steps;
    shared->found.boundaries++;
    shared->found.asleep += where == ASLEEP;
    if (plan.work != PUT && !plan.subject->readers_write &&
        memcmp(memory.now, memory.prepared, memory.size_B) != 0)
        shared->found.readers_wrote++;
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
        require(s->sleep(reader, SLEEP_NS));
        require(s->get(reader, frame, sizeof frame, CHANNEL_NEXT, &info));
    }
    ck_assert_int_eq(s->sleep(reader, SLEEP_NS), STATUS_TIMEOUT);
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

// A writer is killed in mid-put: its slot is marked and begun to be written. Later victims find
// that.
static void leave_a_dead_writer(void)
{
    start_round();
    pid_t pid = start_victim();
    while (memcmp(memory.prepared, memory.now, memory.size_B) == 0)
        ck_assert(step_once(pid));
    for (int i = 0; i < STEPS_OWNING; i++)
        ck_assert(step_once(pid));
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
        for (unsigned place = plan.first;
             beyond < 3 && shared->found.never_finished < NEVER_FINISHED_MAX; place += plan.stride)
            beyond = try_place(place) ? 0 : beyond + 1;
        return;
    }
    const unsigned steps = count_steps();
    if (steps < 2000)
        ck_assert_uint_eq(count_steps(), steps);
    for (unsigned place = plan.first; place <= steps; place += plan.stride)
        ck_assert(try_place(place) || shared->found.get_hangs + shared->found.put_hangs > 0);
}

struct driver_findings driver_run(const struct driver_plan *wanted)
{
    // A step is two changes of process: on a machine with other work each would wait for its turn.
    // Without the right to this, the test is only slower.
    setpriority(PRIO_PROCESS, 0, -15);
    plan = *wanted;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(shared, MAP_FAILED);
    prepare();
    start_bystander();
    if (plan.after_death)
        leave_a_dead_writer();
    shared->found = (struct driver_findings){0};
    try_all_places();
    end_bystander();
    const struct driver_findings found = shared->found;
    print_figures(&found);
    free(memory.prepared);
    free(memory.copy);
    munmap(shared, sizeof *shared);
    plan.subject->close(own_writer);
    plan.subject->remove();
    return found;
}
