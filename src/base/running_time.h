// Time during which the machine ran, for limits on others' patience: whoever is judged by the wall
// clock would be blamed for a virtual machine that was paused, a container that was frozen, or one
// that swapped.
//
// Told by looking often: who waits in slices and finds that a slice took far longer than it had
// asked for did not run then, and nor, probably, did those it waits for. So of the time between two
// looks no more than `gap_max_ns` counts. A process that hangs or spins while the machine runs is
// found as by the wall clock, on a machine so busy that every slice is late as many times later as
// these are.
//
// Real-time safe.
#pragma once

#include <stdint.h>

struct running_time {
    int64_t looked_ns; // CLOCK_MONOTONIC at the last look; 0: not looked yet
    int64_t ran_ns;    // since the first look
};

// A look at `now_ns`, CLOCK_MONOTONIC; the first one, of a structure that is all 0, begins. Returns
// ran_ns.
static inline int64_t running_time_look(struct running_time *running, int64_t now_ns,
                                        int64_t gap_max_ns)
{
    const int64_t gap_ns = running->looked_ns == 0 ? 0 : now_ns - running->looked_ns;
    running->looked_ns = now_ns;
    running->ran_ns += gap_ns < gap_max_ns ? gap_ns : gap_max_ns;
    return running->ran_ns;
}
