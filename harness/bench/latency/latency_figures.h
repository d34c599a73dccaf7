// The figures of a latency benchmark: the loop of latency.h and the machine's floor as histograms,
// samples that a stall of the machine touched apart from all others. Pure.
//
// Counted are the states published between LATENCY_WARM_UP_S and LATENCY_TAIL_PERIODS before the last
// one: earlier the stack is starting, later the answer may lie behind the trial's end.
#pragma once

#include "harness/bench/latency/latency.h"
#include "harness/bench/machine/machine_floor.h"

#define LATENCY_WARM_UP_S 1.0
#define LATENCY_TAIL_PERIODS 10

// How many states should have been published between that of chain i and the one before.
int64_t latency_missing_before(const struct latency_record *record, size_t i);

enum latency_sort { LATENCY_CLEAN, LATENCY_STALLED, LATENCY_SORTS };

// Of what happened between two instants of a trial whose time 0 was at `epoch_ns`, CLOCK_MONOTONIC. `floor` NULL: nothing is known of the
// machine, then all is clean.
enum latency_sort latency_sort_of(const struct floor_record *floor, int64_t epoch_ns, instant from,
                                  instant to);

struct latency_figures {
    duration period;
    uint64_t states[LATENCY_SORTS];     // counted
    uint64_t unanswered[LATENCY_SORTS]; // of these, whose loop never closed
    struct latency_count deadline[LATENCY_DEADLINES][LATENCY_SORTS];
    struct histogram stage[LATENCY_STAGES][LATENCY_SORTS];
    // The loop, one value for each period that was due, of clean states only: a state that was not
    // published, or not answered, waited until the first answer to a later one.
    struct histogram corrected;
    struct histogram corrected_all;      // the same, of states in stalls, too
    struct histogram floor[FLOOR_PARTS]; // clean samples
    uint64_t floor_samples[LATENCY_SORTS], floor_missed;
    uint64_t stalls, held; // windows of all cores
    int64_t stalled_ns, held_ns, steal_ns;
};

// Allocates them empty; NULL: no memory. free() ends them.
struct latency_figures *latency_figures_create(void);

// Adds a trial. `epoch_ns` is CLOCK_MONOTONIC at its time 0. `floor` may be NULL: nothing is known of
// the machine, then every sample is clean. `sorted` may be NULL, else gets the sort of each of the
// record's chains, or LATENCY_SORTS where it was not counted.
void latency_figures_add(struct latency_figures *figures, const struct latency_record *record,
                         int64_t epoch_ns, const struct floor_record *floor,
                         enum latency_sort *sorted);

// Adds what `from` holds.
void latency_figures_merge(struct latency_figures *into, const struct latency_figures *from);

// The promise of the paper (III-A): from a state to the one that shows its answer in at most two periods.
#define LATENCY_BOUND_PERIODS 2
#define LATENCY_BOUND_QUANTILE 0.999

struct latency_verdict {
    duration bound, reached; // `reached`: of the corrected loop at the quantile
    duration reached_all;    // states in stalls included
    bool measured;           // there was at least one state
    bool met;
};
struct latency_verdict latency_judge(const struct latency_figures *figures);
