// The loop of latency.h and the machine's floor as histograms and counts; what a stall of the
// machine touched is apart from all else. Pure.
//
// Counted are the states due between LATENCY_WARM_UP_S and LATENCY_TAIL_PERIODS before the last
// one: earlier the stack is starting, later the answer may lie behind the trial's end.
#pragma once

#include "harness/bench/latency/latency.h"
#include "harness/machine/machine_floor.h"

#define LATENCY_WARM_UP_S 1.0
#define LATENCY_TAIL_PERIODS 10

enum latency_sort { LATENCY_CLEAN, LATENCY_STALLED, LATENCY_SORTS };

struct latency_figures {
    // States due, published or not, and per process what it owed for them. A state counts where
    // it was due; where none was published nobody owes an answer.
    struct latency_count deadline[LATENCY_DEADLINES][LATENCY_SORTS];
    uint64_t unanswered;                    // clean states whose loop never closed
    struct histogram stage[LATENCY_STAGES]; // of clean states
    // The loop, one value for each state that was due: one that was not published, or not
    // answered, waited until the first answer to a later one. Clean states; then all.
    struct histogram corrected, corrected_all;
    struct histogram floor[FLOOR_PARTS]; // clean samples
    uint64_t floor_missed, stalls;       // stalls: windows of all cores
    int64_t stalled_ns, held_ns;
};

// Allocates them empty; NULL: no memory. free() ends them.
struct latency_figures *latency_figures_create(void);

// States due in [from, to) of a trial.
struct latency_window {
    instant from, to;
};
#define LATENCY_WHOLE ((struct latency_window){{0}, INSTANT_NEVER})

// Adds a trial whose time 0 was at `epoch_ns`, CLOCK_MONOTONIC. `floor` may be NULL: nothing is
// known of the machine, then all is clean. `sorted` may be NULL, else gets the sort of each of the
// record's chains, or LATENCY_SORTS where it was not counted.
void latency_figures_add(struct latency_figures *figures, const struct latency_record *record,
                         int64_t epoch_ns, const struct floor_record *floor,
                         struct latency_window window, enum latency_sort *sorted);

// Share of what was due, in per cent; NAN: nothing was.
double latency_missed_percent(const struct latency_count *count);

// The promise of the paper (III-A): from a state to the one that shows its answer in at most two
// periods, here at p99.9 of the corrected loop.
#define LATENCY_BOUND_PERIODS 2
#define LATENCY_BOUND_QUANTILE 0.999
bool latency_is_met(const struct histogram *corrected, double period_us);
