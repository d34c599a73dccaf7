// A process's own clock that goes wrong: what a fault asks of clk_now and of all that waits by it.
//
// A participant whose clock is wrong reads, and sleeps until, its own time. The coordinator, and
// everybody else, keep the trial's. Not real-time.
//
// Its turns may take longer, too: before each wait it computes for a while. In virtual time, where
// computing takes none, that while passes.
#pragma once

#include <stdbool.h>

#include "clock/clock.h"

struct clk_skew {
    int64_t step_ns;  // at once
    int64_t rate_ppb; // gained with each second from now on; -1e9: it stands still
    int64_t busy_ns;  // by which a turn takes longer
    uint64_t turns;   // how many do; 0: all
    uint64_t tag;     // whatever its author finds it by again
};

#define CLK_STANDS_STILL_PPB INT64_C(-1000000000)

// From now on, together with those that act already: they add up. NOT_FOUND: no such cell, or
// participant; INVALID: it would go backwards; FULL, CORRUPT, SYSTEM.
enum status clk_skew_begin(const char *cell, const char *participant,
                           const struct clk_skew *skew) MUST_CHECK;
// The clock is right again, but for others. NOT_FOUND: this one does not act.
enum status clk_skew_end(const char *cell, const char *participant, uint64_t tag) MUST_CHECK;

struct clk_skew_turns {
    uint64_t now, at_end; // that took longer; `at_end`: of these, before clk_skew_end
    bool ended;
};
// Errors as clk_skew_end: there never was one of this tag.
enum status clk_skew_turns(const char *cell, const char *participant, uint64_t tag,
                           struct clk_skew_turns *turns) MUST_CHECK;

// The process's own side. Whether its clock is wrong; by how much, and which part of that was a
// step; whose doing.
bool clk_is_wrong(const struct clk *clk);
int64_t clk_error_ns(const struct clk *clk);
int64_t clk_step_ns(const struct clk *clk);
uint64_t clk_skew_tag(const struct clk *clk);
// It has another clock that steps (CLOCK_REALTIME); this one only drifts.
void clk_is_monotonic(struct clk *clk);
