// What the coordinator keeps a copy of, because participants can write it: all that it reads of the
// page, and all that only the lab writes there. Another than the copy was written by somebody who
// must not.
#include <string.h>

#include "base/invariant.h"
#include "clock/coordinator_private.h"

#define SPOILED_LOOKS 5 // wall mode: so often in a row; whoever leaves is half gone meanwhile

// ---- what a participant that waits has said ----

static bool same_watches(const struct waiting *waiting, const struct clk_slot *slot)
{
    invariant(waiting->watch_count <= CLK_WATCHES_MAX); // whatever was said
    for (uint32_t i = 0; i < waiting->watch_count; i++)
        if (waiting->watch[i].id != slot->watch[i].id ||
            waiting->watch[i].seen != slot->watch[i].seen)
            return false;
    return true;
}

static uint32_t owner_of(struct clk_slot *slot)
{
    return atomic_load_explicit(clk_alive_word(slot), memory_order_relaxed) & FUTEX_TID_MASK;
}

void guard_take(struct clk_coordinator *coordinator, unsigned number)
{
    expects(number < coordinator->participant_count);
    expects(coordinator->mode == CLK_VIRTUAL); // in wall mode nobody says what it waits for
    expects(coordinator->participant[number].admitted);
    expects(!coordinator->participant[number].waiting.known); // it has run since, or just joined
    struct clk_slot *slot = &coordinator->page->slot[number];
    struct waiting *waiting = &coordinator->participant[number].waiting;
    const uint32_t count = slot->watch_count;
    waiting->known = true;
    waiting->deadline_ns = *(const volatile int64_t *)&slot->deadline_ns; // read once
    waiting->rests = slot->rests;
    waiting->watch_said = count;
    waiting->watch_count = count < CLK_WATCHES_MAX ? count : CLK_WATCHES_MAX;
    for (uint32_t i = 0; i < waiting->watch_count; i++)
        waiting->watch[i] = slot->watch[i];
    waiting->owner = owner_of(slot);
}

// An owner that has died is the supervisor's affair.
static bool same_owner(const struct waiting *waiting, struct clk_slot *slot)
{
    return owner_of(slot) == waiting->owner ||
           (atomic_load(clk_alive_word(slot)) & FUTEX_OWNER_DIED) != 0;
}

bool guard_waits_as_said(const struct clk_coordinator *coordinator, unsigned number)
{
    expects(coordinator->participant[number].waiting.known);
    struct clk_slot *slot = &coordinator->page->slot[number];
    const struct waiting *waiting = &coordinator->participant[number].waiting;
    return atomic_load_explicit(&slot->turn, memory_order_relaxed) == CLK_TURN_BLOCKED &&
           slot->deadline_ns == waiting->deadline_ns && slot->rests == waiting->rests &&
           slot->watch_count == waiting->watch_said && same_watches(waiting, slot) &&
           same_owner(waiting, slot);
}

// ---- what only the lab writes ----

void guard_adopt(struct clk_coordinator *coordinator, unsigned number)
{
    expects(number < coordinator->participant_count);
    const struct clk_slot *slot = &coordinator->page->slot[number];
    struct kept *kept = &coordinator->participant[number].kept;
    memcpy(kept->name, slot->name, sizeof kept->name);
    kept->oscillates = slot->oscillates;
    kept->oscillator = slot->oscillator;
    kept->skew = (struct clk_skew){.step_ns = atomic_load(&slot->skew.step_ns),
                                   .rate_ppb = atomic_load(&slot->skew.rate_ppb),
                                   .busy_ns = atomic_load(&slot->skew.busy_ns),
                                   .turns = atomic_load(&slot->skew.turns_max),
                                   .tag = atomic_load(&slot->skew.tag)};
    kept->since_ns = atomic_load(&slot->skew.since_ns);
    kept->active = atomic_load(&slot->skew.active);
    kept->version = atomic_load(&slot->skew.version);
}

static bool same_skew(const struct kept *kept, const struct clk_page_skew *skew)
{
    return atomic_load(&skew->active) == kept->active &&
           atomic_load(&skew->version) == kept->version &&
           atomic_load(&skew->step_ns) == kept->skew.step_ns &&
           atomic_load(&skew->rate_ppb) == kept->skew.rate_ppb &&
           atomic_load(&skew->since_ns) == kept->since_ns &&
           atomic_load(&skew->busy_ns) == kept->skew.busy_ns &&
           atomic_load(&skew->turns_max) == kept->skew.turns &&
           atomic_load(&skew->tag) == kept->skew.tag;
}

bool guard_clock_as_kept(const struct clk_coordinator *coordinator, unsigned number)
{
    return same_skew(&coordinator->participant[number].kept, &coordinator->page->slot[number].skew);
}

static bool same_oscillator(const struct clk_oscillator *a, const struct clk_oscillator *b)
{
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): one is a copy of the other
    return memcmp(a, b, sizeof *a) == 0;
}

static bool is_as_kept(const struct participant *participant, const struct clk_slot *slot)
{
    const struct kept *kept = &participant->kept;
    return memcmp(slot->name, kept->name, sizeof kept->name) == 0 &&
           slot->follower == participant->follower && slot->oscillates == kept->oscillates &&
           same_oscillator(&slot->oscillator, &kept->oscillator) && same_skew(kept, &slot->skew);
}

static bool is_zero(const void *memory, size_t size_B)
{
    const unsigned char *byte = memory;
    return size_B == 0 || (byte[0] == 0 && memcmp(byte, byte + 1, size_B - 1) == 0);
}

static bool header_is_as_kept(const struct clk_coordinator *coordinator)
{
    invariant(coordinator->now_ns >= 0);
    invariant(coordinator->mode == CLK_WALL || !coordinator->started);
    const struct clk_page *page = coordinator->page;
    const unsigned unused = CLK_PARTICIPANTS_MAX - coordinator->participant_count;
    return page->magic == CLK_PAGE_MAGIC && page->version == CLK_PAGE_VERSION &&
           page->size_B == sizeof *page && page->mode == (uint32_t)coordinator->mode &&
           atomic_load(&page->participant_count) == coordinator->participant_count &&
           atomic_load(&page->now_ns) == coordinator->now_ns &&
           atomic_load(&page->epoch_ns) == coordinator->epoch_ns &&
           atomic_load(&page->started) == (uint32_t)coordinator->started &&
           is_zero(&page->slot[coordinator->participant_count], unused * sizeof page->slot[0]);
}

// ---- all of it ----

// Wall mode: one that has joined keeps its turn's word and its alive word to its end.
static bool is_alive_as_joined(struct clk_slot *slot)
{
    const uint32_t turn = atomic_load(&slot->turn);
    const uint32_t alive = atomic_load(clk_alive_word(slot));
    return turn == CLK_TURN_ABSENT || turn == CLK_TURN_EXECUTES ||
           (turn == CLK_TURN_BLOCKED &&
            ((alive & FUTEX_TID_MASK) != 0 || (alive & FUTEX_OWNER_DIED) != 0));
}

static bool is_spoiled(struct clk_coordinator *coordinator, unsigned number)
{
    struct participant *participant = &coordinator->participant[number];
    struct clk_slot *slot = &coordinator->page->slot[number];
    if (!is_as_kept(participant, slot))
        return true;
    if (!participant->admitted || participant->stopped)
        return false;
    if (coordinator->mode == CLK_VIRTUAL)
        return participant->waiting.known && !guard_waits_as_said(coordinator, number) &&
               atomic_load(&slot->turn) != CLK_TURN_ABSENT;
    participant->odd_looks = is_alive_as_joined(slot) ? 0 : participant->odd_looks + 1;
    return participant->odd_looks >= SPOILED_LOOKS;
}

void guard_note_spoiled(struct clk_coordinator *coordinator)
{
    coordinator->spoiled = true;
}

bool clk_coordinator_is_spoiled(struct clk_coordinator *coordinator)
{
    bool spoiled = coordinator->spoiled || !header_is_as_kept(coordinator);
    for (unsigned i = 0; i < coordinator->participant_count && !spoiled; i++)
        spoiled = is_spoiled(coordinator, i);
    coordinator->spoiled = spoiled;
    if (!spoiled)
        coordinator->suspect = SUSPECT_NONE;
    return spoiled;
}

bool clk_coordinator_spoiler(const struct clk_coordinator *coordinator, unsigned *number)
{
    const bool known =
        coordinator->spoiled && coordinator->suspect < coordinator->participant_count;
    *number = known ? coordinator->suspect : *number;
    return known;
}

void clk_coordinator_adopt(struct clk_coordinator *coordinator)
{
    for (unsigned i = 0; i < coordinator->participant_count; i++)
        guard_adopt(coordinator, i);
}

int64_t clk_coordinator_error_ns(const struct clk_coordinator *coordinator, unsigned number,
                                 instant time)
{
    const struct kept *kept = &coordinator->participant[number].kept;
    const __int128 passed_ns = (__int128)time.ns - kept->since_ns;
    __int128 error_ns = 0;
    if (kept->oscillates != 0)
        error_ns += clk_oscillator_local_ns(&kept->oscillator, time.ns) - time.ns;
    if (kept->active != 0)
        error_ns += kept->skew.step_ns + passed_ns * kept->skew.rate_ppb / NS_PER_S;
    return error_ns > INT64_MAX ? INT64_MAX : error_ns < INT64_MIN ? INT64_MIN : (int64_t)error_ns;
}
