// Private to src/clock: the coordinator's own state, shared by coordinator.c (who takes part) and
// schedule.c (who runs).
#pragma once

#include "clock/coordinator.h"
#include "base/invariant.h"
#include "clock/futex.h"
#include "clock/page.h"
#include "clock/skew.h"

#define CLK_NEVER_RAN INT64_MIN
#define SUSPECT_NONE UINT32_MAX
#define SUSPECT_SEVERAL (UINT32_MAX - 1)

// What a participant waits for, as it said when it gave its turn back (guard.c).
struct waiting {
    bool known;
    int64_t deadline_ns;
    uint32_t rests, watch_said, watch_count, owner;
    struct clk_page_watch watch[CLK_WATCHES_MAX];
};

// What only the lab writes of a slot.
struct kept {
    char name[CLK_NAME_MAX];
    uint32_t oscillates, active, version;
    struct clk_oscillator oscillator;
    struct clk_skew skew;
    int64_t since_ns;
};

struct participant {
    int priority;
    unsigned process; // whose thread it is; its own number: a process
    bool follower;
    bool admitted; // joined and seen to have joined by clk_coordinator_await
    bool stopped;
    int64_t ran_at_ns;   // virtual time of its last grant
    unsigned departures; // how often clk_coordinator_left was called
    unsigned odd_looks;  // wall mode: at a slot in no state that its owner leaves it in
    struct waiting waiting;
    struct kept kept;
};

struct clk_coordinator {
    struct clk_page *page;
    enum clk_mode mode;
    int64_t now_ns;   // virtual mode: the time; the page has a copy
    int64_t epoch_ns; // wall mode: CLOCK_MONOTONIC at the start; the page has a copy
    bool started;     // wall mode
    uint64_t grants;
    unsigned grants_at_now;
    int64_t grant_limit_ns;
    int64_t poll_at_ns; // CLOCK_MONOTONIC; when the poll hook is due next
    void (*poll)(void *context);
    void *poll_context;
    void (*returned)(void *context); // after each grant
    void *returned_context;
    bool (*outlasts)(void *context, unsigned number, bool last); // a long grant
    void *outlasts_context;
    bool spoiled;     // somebody has written over the page,
    unsigned suspect; // this process: no other but the world has run since it was found sound
    unsigned ran;     // who was granted last
    unsigned participant_count;
    struct participant participant[CLK_PARTICIPANTS_MAX];
    unsigned word_count;
    const _Atomic uint64_t *word[CLK_WORDS_MAX];
};

static inline struct participant *coordinator_participant(struct clk_coordinator *coordinator,
                                                          unsigned number)
{
    invariant(number < coordinator->participant_count);
    return &coordinator->participant[number];
}

// guard.c: takes what a participant waits for; whether it still says the same, and that it waits;
// whether its clock goes as the lab has made it; takes what the lab has written of its slot; the
// page was found to be written over.
void guard_take(struct clk_coordinator *coordinator, unsigned number);
bool guard_waits_as_said(const struct clk_coordinator *coordinator, unsigned number);
bool guard_clock_as_kept(const struct clk_coordinator *coordinator, unsigned number);
void guard_adopt(struct clk_coordinator *coordinator, unsigned number);
void guard_note_spoiled(struct clk_coordinator *coordinator);
