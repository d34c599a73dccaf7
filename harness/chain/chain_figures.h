// The chains of a trial as histograms and counts; what a stall of the machine touched is apart from
// all else. Pure.
//
// Counted are the instants due between CHAIN_WARM_UP_S and CHAIN_TAIL_PERIODS before the last one:
// earlier the stack is starting, later the answer may lie behind the trial's end.
#pragma once

#include "base/histogram.h"
#include "harness/chain/chain.h"

#define CHAIN_WARM_UP_S 1.0
#define CHAIN_TAIL_PERIODS 10

enum chain_sort { CHAIN_CLEAN, CHAIN_STALLED, CHAIN_SORTS };

// Whether the machine stood still in [from, to], by the trial's time.
struct chain_stalls {
    bool (*touch)(const void *machine, instant from, instant to); // NULL: nothing is known
    const void *machine;
};

struct chain_figures {
    // Instants due, published or not, and per link what its writer owed for them. An instant counts
    // where it was due; where none was published nobody owes an answer.
    struct chain_count owed[CHAIN_LINKS_MAX][CHAIN_SORTS];
    uint64_t unanswered; // clean instants whose chain never came to its end
    // The whole chain, one value for each instant that was due: one that was not published, or not
    // answered, waited until the first answer to a later one. Clean instants; then all.
    struct histogram corrected, corrected_all;
    struct chain_stages stages;
    struct histogram stage[]; // of clean instants, by chain_stages
};

// Allocates them empty; NULL: no memory. free() ends them.
struct chain_figures *chain_figures_create(const struct chain_config *chain);

// Instants due in [from, to) of a trial.
struct chain_window {
    instant from, to;
};
#define CHAIN_WHOLE ((struct chain_window){{0}, INSTANT_NEVER})

// Adds a trial. `sorted` may be NULL, else gets the sort of each of the record's instants, or
// CHAIN_SORTS where it was not counted.
void chain_figures_add(struct chain_figures *figures, const struct chain_config *chain,
                       const struct chain_record *record, const struct chain_stalls *stalls,
                       struct chain_window window, enum chain_sort *sorted);

// Share of what was due, in per cent; NAN: nothing was.
double chain_missed_percent(const struct chain_count *count);

// How long the bound lets it take, us; 0: there is none.
double chain_bound_us(const struct chain_bound *bound, double period_us);
// Whether the corrected chain keeps it.
bool chain_bound_is_met(const struct histogram *corrected, const struct chain_bound *bound,
                        double period_us);
