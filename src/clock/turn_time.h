// How long whoever has a turn has had it, for the turn's limit. A thread that is ready to run on a
// busy machine is not blamed for what others compute: then only its own processor time counts. One
// that sleeps, or is told nothing of, is judged by the time that went by, as far as the machine ran
// (base/running_time.h). So a thread that hangs or spins is found, and one that starves is not
// accused.
//
// Not for real-time use: a look reads /proc.
#pragma once

#include <stdint.h>
#include <sys/types.h>

struct turn_time {
    int64_t looked_ns;  // CLOCK_MONOTONIC at the last look; 0: not looked yet
    int64_t cpu_ns;     // what the thread had computed then
    int64_t counted_ns; // since the first look
};

// A look at thread `tid`, of this PID namespace; the first one, of a structure that is all 0,
// begins. Between two looks no more than `gap_max_ns` counts. Returns counted_ns.
int64_t turn_time_look(struct turn_time *time, pid_t tid, int64_t gap_max_ns);
