// How late a process is since the machine did not let it run: neither its own sleep nor its own
// computing counts. So a late machine can be told from late peers, and from a slow program.
//
//   ideal instant after a sleep   max(due, ideal instant before it + CPU time used since)
//   kept back                     now - (ideal instant + CPU time used since)
//
// By the process's own clock, in real time; in virtual time nobody is kept back. Real-time safe.
#pragma once

#include "clock/clock.h"

struct clk_pace { // zeros: from the trial's start
    int64_t ideal_ns, cpu_ns;
};

// The process has slept until `due`, or found it past.
void clk_pace_slept(struct clk_pace *pace, const struct clk *clk, instant due);
// By how much it is kept back now, 0 or more.
duration clk_pace_kept(const struct clk_pace *pace, const struct clk *clk);
