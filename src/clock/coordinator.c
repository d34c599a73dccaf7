#include "clock/coordinator.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock/futex.h"
#include "clock/page.h"

#define NS_PER_MS 1000000
#define GRANT_LIMIT_DEFAULT_NS ((int64_t)10 * NS_PER_S)
#define GRANTS_PER_INSTANT_MAX                                                                     \
    100000 // more without time passing: participants wake each other for ever
#define DEPARTURE_PATIENCE_NS ((int64_t)NS_PER_S)
#define DEPARTURE_STEP_NS 100000
#define NEVER_RAN INT64_MIN

struct participant {
    int priority;
    bool follower;
    bool admitted; // joined and seen to have joined by clk_coordinator_await
    bool stopped;
    int64_t ran_at_ns;   // virtual time of its last grant
    unsigned departures; // how often clk_coordinator_left was called
};

struct clk_coordinator {
    struct clk_page *page;
    enum clk_mode mode;
    int64_t now_ns; // virtual mode: the time; the page has a copy
    uint64_t grants;
    unsigned grants_at_now;
    int64_t grant_limit_ns;
    int64_t poll_at_ns; // CLOCK_MONOTONIC; when the poll hook is due next
    void (*poll)(void *context);
    void *poll_context;
    unsigned participant_count;
    struct participant participant[CLK_PARTICIPANTS_MAX];
    unsigned word_count;
    const _Atomic uint64_t *word[CLK_WORDS_MAX];
};

// ---- creation
// ---------------------------------------------------------------------------------------------------

static enum status create_page(const char *cell, enum clk_mode mode, struct clk_page **page)
{
    char path[4096], temporary[4096];
    if (snprintf(path, sizeof path, "%s/%s", cell, CLK_FILE) >= (int)sizeof path ||
        snprintf(temporary, sizeof temporary, "%s/.%s.%d", cell, CLK_FILE, (int)getpid()) >=
            (int)sizeof temporary)
        return STATUS_INVALID;
    int file = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return STATUS_SYSTEM;
    void *memory = MAP_FAILED;
    if (ftruncate(file, sizeof(struct clk_page)) == 0)
        memory = mmap(NULL, sizeof(struct clk_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) {
        unlink(temporary);
        return STATUS_SYSTEM;
    }
    *page = memory;
    (*page)->magic = CLK_PAGE_MAGIC;
    (*page)->version = CLK_PAGE_VERSION;
    (*page)->size_B = sizeof(struct clk_page);
    (*page)->mode = mode;
    if (rename(temporary, path) == 0)
        return STATUS_OK;
    munmap(memory, sizeof(struct clk_page));
    unlink(temporary);
    return STATUS_SYSTEM;
}

enum status clk_coordinator_create(const char *cell, enum clk_mode mode,
                                   struct clk_coordinator **result)
{
    if (futex_wait_any(NULL, 0, NULL) < 0 && errno == ENOSYS)
        return STATUS_UNSUPPORTED;
    struct clk_coordinator *coordinator = calloc(1, sizeof *coordinator);
    if (coordinator == NULL)
        return STATUS_NO_MEMORY;
    coordinator->mode = mode;
    coordinator->grant_limit_ns = GRANT_LIMIT_DEFAULT_NS;
    enum status status = create_page(cell, mode, &coordinator->page);
    if (status == STATUS_OK)
        *result = coordinator;
    else
        free(coordinator);
    return status;
}

void clk_coordinator_destroy(struct clk_coordinator *coordinator)
{
    if (coordinator == NULL)
        return;
    munmap(coordinator->page, sizeof *coordinator->page);
    free(coordinator);
}

void clk_coordinator_on_poll(struct clk_coordinator *coordinator, void (*poll)(void *context),
                             void *context)
{
    coordinator->poll = poll;
    coordinator->poll_context = context;
}

void clk_coordinator_grant_limit(struct clk_coordinator *coordinator, duration limit)
{
    coordinator->grant_limit_ns = limit.ns;
}

// Only while nobody holds it: before the process starts, or after it has ended.
static void reset_alive(struct clk_slot *slot)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    memset(&slot->alive, 0, sizeof slot->alive);
    pthread_mutex_init(&slot->alive, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

enum status clk_coordinator_add(struct clk_coordinator *coordinator, const char *name, int priority,
                                bool follower, unsigned *number)
{
    if (coordinator->participant_count == CLK_PARTICIPANTS_MAX)
        return STATUS_FULL;
    if (strlen(name) >= CLK_NAME_MAX)
        return STATUS_INVALID;
    *number = coordinator->participant_count++;
    coordinator->participant[*number] =
        (struct participant){.priority = priority, .follower = follower, .ran_at_ns = NEVER_RAN};
    struct clk_slot *slot = &coordinator->page->slot[*number];
    strcpy(slot->name, name);
    slot->follower = follower;
    reset_alive(slot);
    atomic_store(&coordinator->page->participant_count, coordinator->participant_count);
    return STATUS_OK;
}

enum status clk_coordinator_watch(struct clk_coordinator *coordinator, const _Atomic uint64_t *word,
                                  uint32_t *id)
{
    *id = CLK_WATCH_NONE;
    if (coordinator->mode == CLK_WALL)
        return STATUS_OK;
    if (coordinator->word_count == CLK_WORDS_MAX)
        return STATUS_FULL;
    coordinator->word[coordinator->word_count++] = word;
    *id = coordinator->word_count; // 1, 2 ...: 0 is CLK_WATCH_NONE
    return STATUS_OK;
}

// ---- what the supervisor reports
// --------------------------------------------------------------------------------

static struct participant *at(struct clk_coordinator *coordinator, unsigned number)
{
    assert(number < coordinator->participant_count);
    return &coordinator->participant[number];
}

void clk_coordinator_left(struct clk_coordinator *coordinator, unsigned number)
{
    struct participant *participant = at(coordinator, number);
    struct clk_slot *slot = &coordinator->page->slot[number];
    participant->departures++;
    participant->admitted = false;
    participant->stopped = false;
    participant->ran_at_ns = NEVER_RAN;
    atomic_store(&slot->turn, CLK_TURN_ABSENT);
    reset_alive(slot); // whatever the dead process has left in it
}

void clk_coordinator_stopped(struct clk_coordinator *coordinator, unsigned number)
{
    at(coordinator, number)->stopped = true;
}

void clk_coordinator_continued(struct clk_coordinator *coordinator, unsigned number)
{
    at(coordinator, number)->stopped = false;
}

// ---- granting
// ---------------------------------------------------------------------------------------------------

static enum clk_turn turn_of(struct clk_coordinator *coordinator, unsigned number)
{
    return atomic_load_explicit(&coordinator->page->slot[number].turn, memory_order_acquire);
}

static void poll_now(struct clk_coordinator *coordinator)
{
    if (coordinator->poll != NULL)
        coordinator->poll(coordinator->poll_context);
    coordinator->poll_at_ns = monotonic_ns() + (int64_t)CLK_POLL_MS * NS_PER_MS;
}

// The participant is dead or has left. Waits (bounded) until the supervisor has seen its end too,
// so that everybody learns of it at the same virtual instant however long the kernel takes to tear
// the process down.
static void depart(struct clk_coordinator *coordinator, unsigned number)
{
    const unsigned before = coordinator->participant[number].departures;
    if (coordinator->poll != NULL) {
        const struct timespec step = timespec_of_ns(DEPARTURE_STEP_NS);
        const int64_t give_up_ns = monotonic_ns() + DEPARTURE_PATIENCE_NS;
        do {
            poll_now(coordinator);
            if (coordinator->participant[number].departures != before)
                return;
            nanosleep(&step, NULL);
        } while (monotonic_ns() < give_up_ns);
    }
    clk_coordinator_left(coordinator, number);
}

// The alive word as it must stay while we sleep, with the bit set that makes the kernel wake us at
// the owner's death. False: dead.
static bool alive_value(struct clk_slot *slot, uint32_t *value)
{
    *value = atomic_load_explicit(clk_alive_word(slot), memory_order_acquire);
    if ((*value & FUTEX_WAITERS) == 0 && (*value & FUTEX_TID_MASK) != 0)
        *value = atomic_fetch_or(clk_alive_word(slot), FUTEX_WAITERS) | FUTEX_WAITERS;
    return (*value & FUTEX_OWNER_DIED) == 0 && (*value & FUTEX_TID_MASK) != 0;
}

// Waits until participant `number`, which is running, blocks, leaves, dies or is stopped. TIMEOUT:
// none within the limit.
static enum status await_return(struct clk_coordinator *coordinator, unsigned number)
{
    struct clk_slot *slot = &coordinator->page->slot[number];
    const struct participant *participant = &coordinator->participant[number];
    int64_t give_up_ns = 0; // the clock is only read when the wait was a long one
    while (turn_of(coordinator, number) == CLK_TURN_GRANTED) {
        uint32_t alive;
        if (participant->stopped || !participant->admitted)
            return STATUS_OK;
        if (!alive_value(slot, &alive))
            break;
        const struct futex_waitv words[] = {futex_expect(&slot->turn, CLK_TURN_GRANTED),
                                            futex_expect(clk_alive_word(slot), alive)};
        // An old poll_at_ns only means that the first sleep ends at once and polls.
        const struct timespec until = timespec_of_ns(coordinator->poll_at_ns);
        if (futex_wait_any(words, 2, &until) >= 0 || errno == EAGAIN)
            continue;
        poll_now(coordinator);
        int64_t now_ns = monotonic_ns();
        if (give_up_ns == 0)
            give_up_ns = now_ns + coordinator->grant_limit_ns;
        else if (now_ns > give_up_ns)
            return STATUS_TIMEOUT;
    }
    if (turn_of(coordinator, number) != CLK_TURN_BLOCKED && participant->admitted)
        depart(coordinator, number);
    return STATUS_OK;
}

static enum status grant(struct clk_coordinator *coordinator, unsigned number)
{
    struct clk_slot *slot = &coordinator->page->slot[number];
    coordinator->participant[number].ran_at_ns = coordinator->now_ns;
    coordinator->grants++;
    atomic_store_explicit(&slot->turn, CLK_TURN_GRANTED, memory_order_release);
    futex_wake(&slot->turn, 1);
    return await_return(coordinator, number);
}

// ---- choosing
// ---------------------------------------------------------------------------------------------------

static bool word_changed(const struct clk_coordinator *coordinator, const struct clk_slot *slot)
{
    uint32_t count = slot->watch_count;
    for (uint32_t i = 0; i < count && i < CLK_WATCHES_MAX; i++) {
        uint32_t index = slot->watch[i].id - 1;
        if (index < coordinator->word_count &&
            atomic_load_explicit(coordinator->word[index], memory_order_acquire) !=
                slot->watch[i].seen)
            return true;
    }
    return false;
}

static bool can_run(struct clk_coordinator *coordinator, unsigned number)
{
    const struct participant *participant = &coordinator->participant[number];
    return participant->admitted && !participant->stopped &&
           turn_of(coordinator, number) == CLK_TURN_BLOCKED;
}

static bool is_due(struct clk_coordinator *coordinator, unsigned number)
{
    const struct participant *participant = &coordinator->participant[number];
    const struct clk_slot *slot = &coordinator->page->slot[number];
    if (!can_run(coordinator, number))
        return false;
    if (participant->follower ? participant->ran_at_ns < coordinator->now_ns
                              : slot->deadline_ns <= coordinator->now_ns)
        return true;
    return word_changed(coordinator, slot);
}

static bool goes_before(const struct participant *a, const struct participant *b)
{
    return a->follower != b->follower ? a->follower : a->priority > b->priority;
}

// Who is granted next at the present instant, or -1. Scanned in order of number, so that the lower
// number wins a tie.
static int next_due(struct clk_coordinator *coordinator)
{
    int best = -1;
    for (unsigned i = 0; i < coordinator->participant_count; i++)
        if ((best < 0 ||
             goes_before(&coordinator->participant[i], &coordinator->participant[best])) &&
            is_due(coordinator, i))
            best = (int)i;
    return best;
}

static int64_t earliest_deadline_ns(struct clk_coordinator *coordinator)
{
    int64_t earliest_ns = INT64_MAX;
    for (unsigned i = 0; i < coordinator->participant_count; i++) {
        int64_t deadline_ns = coordinator->page->slot[i].deadline_ns;
        if (!coordinator->participant[i].follower && deadline_ns < earliest_ns &&
            can_run(coordinator, i))
            earliest_ns = deadline_ns;
    }
    return earliest_ns;
}

// Participants that were stopped in the middle of a grant and have been continued still run: let
// them finish first.
static enum status collect_continued(struct clk_coordinator *coordinator, unsigned *culprit)
{
    for (unsigned i = 0; i < coordinator->participant_count; i++) {
        const struct participant *participant = &coordinator->participant[i];
        if (!participant->admitted || participant->stopped ||
            turn_of(coordinator, i) == CLK_TURN_BLOCKED)
            continue;
        *culprit = i;
        enum status status = await_return(coordinator, i);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status run_virtual(struct clk_coordinator *coordinator, int64_t until_ns,
                               unsigned *culprit)
{
    for (;;) { // ends: each turn of the loop grants (bounded per instant) or advances time
        enum status status = collect_continued(coordinator, culprit);
        if (status != STATUS_OK)
            return status;
        int next = next_due(coordinator);
        if (next >= 0) {
            *culprit = (unsigned)next;
            if (++coordinator->grants_at_now > GRANTS_PER_INSTANT_MAX)
                return STATUS_TIMEOUT;
            status = grant(coordinator, (unsigned)next);
            if (status != STATUS_OK)
                return status;
            continue;
        }
        if (coordinator->now_ns >= until_ns)
            return STATUS_OK;
        int64_t next_ns = earliest_deadline_ns(coordinator);
        coordinator->now_ns = next_ns < until_ns ? next_ns : until_ns;
        coordinator->grants_at_now = 0;
        atomic_store(&coordinator->page->now_ns, coordinator->now_ns);
    }
}

// ---- running
// ----------------------------------------------------------------------------------------------------

enum status clk_coordinator_await(struct clk_coordinator *coordinator, unsigned number,
                                  duration patience)
{
    struct participant *participant = at(coordinator, number);
    struct clk_slot *slot = &coordinator->page->slot[number];
    const unsigned departures = participant->departures;
    const int64_t give_up_ns = monotonic_ns() + patience.ns;
    const struct timespec step = timespec_of_ns((int64_t)CLK_POLL_MS * NS_PER_MS);
    while (turn_of(coordinator, number) == CLK_TURN_ABSENT) {
        if (futex_wait(&slot->turn, CLK_TURN_ABSENT, &step) == 0 || errno == EAGAIN)
            continue;
        poll_now(coordinator);
        if (participant->departures != departures)
            return STATUS_DEAD;
        if (monotonic_ns() > give_up_ns)
            return STATUS_TIMEOUT;
    }
    uint32_t alive;
    if (!alive_value(slot, &alive)) {
        depart(coordinator, number);
        return STATUS_DEAD;
    }
    participant->admitted = true;
    return STATUS_OK;
}

void clk_coordinator_start(struct clk_coordinator *coordinator)
{
    if (coordinator->mode == CLK_VIRTUAL)
        return;
    atomic_store(&coordinator->page->epoch_ns, monotonic_ns());
    atomic_store(&coordinator->page->started, 1);
    futex_wake(&coordinator->page->started, INT32_MAX);
}

static void run_wall(struct clk_coordinator *coordinator, int64_t until_ns)
{
    const int64_t end_ns = atomic_load(&coordinator->page->epoch_ns) + until_ns;
    for (int64_t now_ns = monotonic_ns(); now_ns < end_ns; now_ns = monotonic_ns()) {
        int64_t slice_end_ns = now_ns + (int64_t)CLK_POLL_MS * NS_PER_MS;
        const struct timespec until = timespec_of_ns(slice_end_ns < end_ns ? slice_end_ns : end_ns);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        poll_now(coordinator);
    }
}

enum status clk_coordinator_run_until(struct clk_coordinator *coordinator, instant t,
                                      unsigned *culprit)
{
    unsigned ignored;
    if (coordinator->mode == CLK_VIRTUAL)
        return run_virtual(coordinator, t.ns, culprit != NULL ? culprit : &ignored);
    run_wall(coordinator, t.ns);
    return STATUS_OK;
}

instant clk_coordinator_now(const struct clk_coordinator *coordinator)
{
    if (coordinator->mode == CLK_VIRTUAL)
        return instant_ns(coordinator->now_ns);
    if (atomic_load(&coordinator->page->started) == 0)
        return instant_ns(0);
    return instant_ns(monotonic_ns() - atomic_load(&coordinator->page->epoch_ns));
}

enum clk_participant_state clk_coordinator_state(const struct clk_coordinator *coordinator,
                                                 unsigned number)
{
    assert(number < coordinator->participant_count);
    const struct participant *participant = &coordinator->participant[number];
    enum clk_turn turn = atomic_load(&coordinator->page->slot[number].turn);
    if (!participant->admitted || turn == CLK_TURN_ABSENT)
        return CLK_ABSENT;
    if (participant->stopped)
        return CLK_STOPPED;
    return turn == CLK_TURN_GRANTED ? CLK_GRANTED : CLK_BLOCKED;
}

uint64_t clk_coordinator_grants(const struct clk_coordinator *coordinator)
{
    return coordinator->grants;
}
