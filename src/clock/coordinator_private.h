// Private to src/clock: the coordinator's own state, shared by coordinator.c (who takes part) and
// schedule.c (who runs).
#pragma once

#include <assert.h>

#include "clock/coordinator.h"
#include "clock/futex.h"
#include "clock/page.h"

#define CLK_NEVER_RAN INT64_MIN

struct participant {
    int priority;
    unsigned process; // whose thread it is; its own number: a process
    bool follower;
    bool admitted; // joined and seen to have joined by clk_coordinator_await
    bool stopped;
    int64_t ran_at_ns;   // virtual time of its last grant
    unsigned departures; // how often clk_coordinator_left was called
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
    unsigned participant_count;
    struct participant participant[CLK_PARTICIPANTS_MAX];
    unsigned word_count;
    const _Atomic uint64_t *word[CLK_WORDS_MAX];
};

static inline struct participant *coordinator_participant(struct clk_coordinator *coordinator,
                                                          unsigned number)
{
    assert(number < coordinator->participant_count);
    return &coordinator->participant[number];
}
