// The scheduler: who is granted when, how a grant ends, and how time moves.
#include <string.h>

#include "base/invariant.h"
#include "base/running_time.h"
#include "clock/coordinator_private.h"
#include "clock/turn_time.h"

#define NS_PER_MS 1000000
// A wait that took more than twice its slice was a machine that stood still.
#define GAP_MAX_NS (2 * (int64_t)CLK_POLL_MS * NS_PER_MS)
// More without time passing: participants wake each other for ever.
#define GRANTS_PER_INSTANT_MAX 100000
// So often a wait may end at once before the supervisor is asked and the limit looked at: a
// participant gone mad can wake us without end.
#define WAKES_MAX 64
#define DEPARTURE_STEP_NS 100000

// ---- granting ----

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

// How long somebody has been waited for, as far as the machine ran. Begins with the first call.
static int64_t waited_ns(struct running_time *wait)
{
    return running_time_look(wait, monotonic_ns(), GAP_MAX_NS);
}

// What an end leaves in the alive word: nobody's number. Another than it was says that somebody
// else wrote into the page.
static bool is_spoiled(struct clk_slot *slot)
{
    return (atomic_load_explicit(clk_alive_word(slot), memory_order_acquire) & FUTEX_TID_MASK) != 0;
}

// The dead give no turn back: its alive word was wiped out.
static bool has_only_lost(struct clk_coordinator *coordinator, unsigned number)
{
    struct clk_slot *slot = &coordinator->page->slot[number];
    return atomic_load(clk_alive_word(slot)) == 0 &&
           turn_of(coordinator, number) == CLK_TURN_BLOCKED;
}

// The participant is dead or has left. Waits, for no longer than for a grant, until the supervisor
// has seen its end too, so that everybody learns of it at the same virtual instant however long the
// kernel takes to tear the process down. One that is stopped on its way out is not waited for: it
// departs when continued or killed. DEAD: it lives on; CORRUPT: it never left, its slot was written
// over.
static enum status depart(struct clk_coordinator *coordinator, unsigned number)
{
    const unsigned before = coordinator->participant[number].departures;
    if (coordinator->poll != NULL) {
        const struct timespec step = timespec_of_ns(DEPARTURE_STEP_NS);
        struct running_time wait = {0};
        do {
            poll_now(coordinator);
            if (coordinator->participant[number].departures != before ||
                coordinator->participant[number].stopped)
                return STATUS_OK;
            if (is_spoiled(&coordinator->page->slot[number]) || has_only_lost(coordinator, number))
                return STATUS_CORRUPT;
            nanosleep(&step, NULL);
        } while (waited_ns(&wait) < coordinator->grant_limit_ns);
        return STATUS_DEAD;
    }
    clk_coordinator_left(coordinator, coordinator->participant[number].process);
    return STATUS_OK;
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

// A grant that is out: what of its time (turn_time.h) is waited for.
struct patience {
    int64_t asks_ns, limit_ns; // when the process is asked next, and when nobody waits any more
    bool was_last;
};

static bool ask(struct clk_coordinator *coordinator, unsigned number, bool last)
{
    return coordinator->outlasts != NULL &&
           coordinator->outlasts(coordinator->outlasts_context,
                                 coordinator->participant[number].process, last);
}

// Whether the grant has taken too long.
static bool is_over(struct clk_coordinator *coordinator, unsigned number, int64_t had_ns,
                    struct patience *patience)
{
    if (had_ns > patience->limit_ns) {
        if (patience->was_last || !ask(coordinator, number, true))
            return true;
        patience->was_last = true;
        patience->limit_ns += patience->limit_ns / 4;
    } else if (had_ns >= patience->asks_ns) {
        (void)ask(coordinator, number, false);
        patience->asks_ns = 2 * had_ns;
    }
    return false;
}

// Waits until participant `number`, which is running, blocks, leaves, dies or is stopped. TIMEOUT:
// none within the limit. DEAD, CORRUPT: see depart.
static enum status await_return(struct clk_coordinator *coordinator, unsigned number)
{
    expects(coordinator->mode == CLK_VIRTUAL && !coordinator->participant[number].waiting.known);
    struct clk_slot *slot = &coordinator->page->slot[number];
    struct participant *participant = &coordinator->participant[number];
    struct turn_time had = {0}; // looked at only when the wait was a long one
    struct patience patience = {(int64_t)CLK_LONG_MS * NS_PER_MS, coordinator->grant_limit_ns,
                                false};
    unsigned wakes = 0;
    for (;;) { // ends: with the turn, or with the limit
        const enum clk_turn turn = turn_of(coordinator, number);
        uint32_t alive;
        if (turn != CLK_TURN_GRANTED && turn != CLK_TURN_EXECUTES)
            break;
        if (participant->stopped || !participant->admitted)
            return STATUS_OK;
        // While it executes a program nobody holds the word of those who are alive. It may have
        // begun to since its turn was read, so that is read again.
        if (!alive_value(slot, &alive) && turn_of(coordinator, number) == CLK_TURN_GRANTED)
            break;
        const struct futex_waitv words[] = {futex_expect(&slot->turn, turn),
                                            futex_expect(clk_alive_word(slot), alive)};
        // An old poll_at_ns only means that the first sleep ends at once and polls.
        const struct timespec until = timespec_of_ns(coordinator->poll_at_ns);
        if ((futex_wait_any(words, 2, &until) >= 0 || errno == EAGAIN) && ++wakes < WAKES_MAX)
            continue;
        wakes = 0;
        poll_now(coordinator);
        const int64_t had_ns = turn_time_look(&had, (pid_t)(alive & FUTEX_TID_MASK), GAP_MAX_NS);
        if (is_over(coordinator, number, had_ns, &patience))
            return STATUS_TIMEOUT;
    }
    const enum clk_turn turn = turn_of(coordinator, number);
    if (turn == CLK_TURN_BLOCKED || !participant->admitted)
        return STATUS_OK;
    if (turn == CLK_TURN_ABSENT && participant->process != number) {
        participant->admitted = false; // this thread has left; its process goes on
        return STATUS_OK;
    }
    return depart(coordinator, number);
}

// Only the granted has run: what is wrong with the time now is its doing.
static void suspect(struct clk_coordinator *coordinator, unsigned number)
{
    expects(coordinator_participant(coordinator, number)->process < coordinator->participant_count);
    const struct participant *participant = &coordinator->participant[number];
    coordinator->ran = number;
    if (participant->follower || coordinator->suspect == participant->process)
        return;
    coordinator->suspect =
        coordinator->suspect == SUSPECT_NONE ? participant->process : SUSPECT_SEVERAL;
}

static enum status give_turn(struct clk_coordinator *coordinator, unsigned number)
{
    struct participant *participant = &coordinator->participant[number];
    expects(coordinator->mode == CLK_VIRTUAL);
    expects(participant->admitted && !participant->stopped && participant->waiting.known);
    invariant(participant->ran_at_ns <= coordinator->now_ns);
    struct clk_slot *slot = &coordinator->page->slot[number];
    coordinator->participant[number].waiting.known = false;
    coordinator->participant[number].ran_at_ns = coordinator->now_ns;
    coordinator->grants++;
    atomic_store_explicit(&slot->turn, CLK_TURN_GRANTED, memory_order_release);
    futex_wake(&slot->turn, 1);
    enum status status = await_return(coordinator, number);
    if (atomic_load_explicit(&coordinator->page->now_ns, memory_order_relaxed) !=
        coordinator->now_ns) {
        guard_note_spoiled(coordinator);
        if (!coordinator->participant[number].follower)
            coordinator->suspect = coordinator->participant[number].process;
        status = STATUS_CORRUPT;
    }
    if (coordinator->returned != NULL)
        coordinator->returned(coordinator->returned_context);
    return status;
}

// A thread may have left with its process's end, or before an exec.
static enum status grant(struct clk_coordinator *coordinator, unsigned number)
{
    struct participant *participant = &coordinator->participant[number];
    if (turn_of(coordinator, number) == CLK_TURN_ABSENT && participant->process != number) {
        participant->admitted = false;
        participant->waiting.known = false; // should it come back, with other words
        return STATUS_OK;
    }
    // The simulated world's clock is looked at each time: what it says is ground truth.
    if (!guard_waits_as_said(coordinator, number) ||
        (participant->follower && !guard_clock_as_kept(coordinator, number))) {
        guard_note_spoiled(coordinator);
        return STATUS_CORRUPT;
    }
    suspect(coordinator, number);
    return give_turn(coordinator, number);
}

// ---- choosing ----

static bool word_changed(const struct clk_coordinator *coordinator, const struct waiting *waiting)
{
    invariant(waiting->watch_count <= CLK_WATCHES_MAX); // whatever was said
    for (uint32_t i = 0; i < waiting->watch_count; i++) {
        uint32_t index = waiting->watch[i].id - 1;
        if (index < coordinator->word_count &&
            atomic_load_explicit(coordinator->word[index], memory_order_acquire) !=
                waiting->watch[i].seen)
            return true;
    }
    return false;
}

static bool can_run(struct clk_coordinator *coordinator, unsigned number)
{
    const struct participant *participant = &coordinator->participant[number];
    if (!participant->admitted || participant->stopped)
        return false;
    if (!participant->waiting.known && turn_of(coordinator, number) == CLK_TURN_BLOCKED)
        guard_take(coordinator, number);
    return participant->waiting.known;
}

static bool is_due(struct clk_coordinator *coordinator, unsigned number)
{
    const struct participant *participant = &coordinator->participant[number];
    const struct waiting *waiting = &participant->waiting;
    if (!can_run(coordinator, number))
        return false;
    const bool goes_first = participant->follower && waiting->rests == 0;
    if (participant->follower && participant->ran_at_ns == coordinator->now_ns)
        return word_changed(coordinator, waiting);
    if (goes_first || waiting->deadline_ns <= coordinator->now_ns)
        return true;
    return word_changed(coordinator, waiting);
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
    ensures(best < 0 || coordinator->participant[best].waiting.known);
    return best;
}

// *whose is left alone without one.
static int64_t earliest_deadline_ns(struct clk_coordinator *coordinator, unsigned *whose)
{
    int64_t earliest_ns = INT64_MAX;
    expects(coordinator->mode == CLK_VIRTUAL);
    for (unsigned i = 0; i < coordinator->participant_count; i++) {
        const struct waiting *waiting = &coordinator->participant[i].waiting;
        if (can_run(coordinator, i) && waiting->deadline_ns < earliest_ns) {
            earliest_ns = waiting->deadline_ns;
            *whose = i;
        }
    }
    return earliest_ns;
}

// Participants that were stopped in the middle of a grant and have been continued still run: let
// them finish first.
static enum status collect_continued(struct clk_coordinator *coordinator, unsigned *culprit)
{
    for (unsigned i = 0; i < coordinator->participant_count; i++) {
        const struct participant *participant = &coordinator->participant[i];
        if (!participant->admitted || participant->stopped || participant->waiting.known ||
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
        int64_t next_ns = earliest_deadline_ns(coordinator, culprit);
        if (next_ns <= coordinator->now_ns) { // a word changed since next_due looked
            if (++coordinator->grants_at_now > GRANTS_PER_INSTANT_MAX)
                return STATUS_TIMEOUT;
            continue;
        }
        coordinator->now_ns = next_ns < until_ns ? next_ns : until_ns;
        coordinator->grants_at_now = 0;
        atomic_store(&coordinator->page->now_ns, coordinator->now_ns);
    }
}

// ---- running ----

// Until the participant has joined, or its process has ended.
static enum status await_joined(struct clk_coordinator *coordinator, unsigned number,
                                duration patience, struct running_time *wait)
{
    const struct participant *participant = &coordinator->participant[number];
    struct clk_slot *slot = &coordinator->page->slot[number];
    const unsigned departures = participant->departures;
    const struct timespec step = timespec_of_ns((int64_t)CLK_POLL_MS * NS_PER_MS);
    unsigned wakes = 0;
    while (turn_of(coordinator, number) == CLK_TURN_ABSENT) {
        if ((futex_wait(&slot->turn, CLK_TURN_ABSENT, &step) == 0 || errno == EAGAIN) &&
            ++wakes < WAKES_MAX)
            continue;
        wakes = 0;
        poll_now(coordinator);
        if (participant->departures != departures)
            return STATUS_DEAD;
        if (waited_ns(wait) > patience.ns)
            return STATUS_TIMEOUT;
    }
    uint32_t alive;
    if (alive_value(slot, &alive))
        return STATUS_OK;
    if (depart(coordinator, number) != STATUS_OK)
        clk_coordinator_left(coordinator, participant->process);
    return STATUS_DEAD;
}

enum status clk_coordinator_await(struct clk_coordinator *coordinator, unsigned number,
                                  duration patience)
{
    struct running_time wait = {0};
    const unsigned departures = coordinator_participant(coordinator, number)->departures;
    expects(coordinator->participant[number].process == number); // its threads are awaited with it
    expects(!coordinator->participant[number].admitted);         // its predecessor has left
    for (unsigned i = 0; i < coordinator->participant_count; i++) {
        if (coordinator->participant[i].process != number)
            continue;
        const enum status status = await_joined(coordinator, i, patience, &wait);
        if (status != STATUS_OK)
            return status;
        if (coordinator->participant[number].departures != departures)
            return STATUS_DEAD; // while its thread was waited for
    }
    for (unsigned i = 0; i < coordinator->participant_count; i++)
        if (coordinator->participant[i].process == number) {
            invariant(!coordinator->participant[i].waiting.known); // or old words would grant it
            coordinator->participant[i].admitted = true;
        }
    return STATUS_OK;
}

void clk_coordinator_start(struct clk_coordinator *coordinator)
{
    if (coordinator->mode == CLK_VIRTUAL)
        return;
    expects(!coordinator->started); // or participants would go by two epochs
    coordinator->epoch_ns = monotonic_ns();
    coordinator->started = true;
    atomic_store(&coordinator->page->epoch_ns, coordinator->epoch_ns);
    atomic_store(&coordinator->page->started, 1);
    futex_wake(&coordinator->page->started, INT32_MAX);
}

static void run_wall(struct clk_coordinator *coordinator, int64_t until_ns)
{
    expects(coordinator->started);
    const int64_t end_ns = time_sum_ns(coordinator->epoch_ns, until_ns);
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
    if (coordinator->mode == CLK_VIRTUAL) {
        unsigned last = 0;
        const enum status status = run_virtual(coordinator, t.ns, &last);
        if (culprit != NULL)
            *culprit = coordinator->participant[last].process;
        if (coordinator->spoiled && culprit != NULL)
            (void)clk_coordinator_spoiler(coordinator, culprit);
        // Whoever keeps its turn may have been misled by the page: that is the writer's doing.
        const bool hung = status == STATUS_TIMEOUT || status == STATUS_DEAD;
        return hung && clk_coordinator_is_spoiled(coordinator) ? STATUS_CORRUPT : status;
    }
    run_wall(coordinator, t.ns);
    return STATUS_OK;
}
