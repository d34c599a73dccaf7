// What a fault of load does to the target's deadlines: the chain of a target (chain.h) before,
// during and after it, in the same trial. What the machine itself does shows before and after; what
// the fault does, in the difference. Pure, but for interference_hog_of.
#pragma once

#include "harness/chain/chain_figures.h"

struct scenario;
struct target;

enum interference_window {
    INTERFERENCE_BEFORE,
    INTERFERENCE_DURING,
    INTERFERENCE_AFTER,
    INTERFERENCE_WINDOWS
};
extern const char *const interference_window_names[INTERFERENCE_WINDOWS]; // "before " ...

struct interference_times {
    instant applied, undone; // the first fault, the last undoing
};

// From the fault events of a history; false: none was proven to be applied, or none to be undone.
bool interference_times_of(const struct history *history, struct interference_times *times);

// What a process has until its deadline, and what it needs of that, where no fault is at work; sums
// over `count` states.
struct interference_way {
    uint64_t count;
    int64_t room_ns, work_ns;
};

struct interference { // of one trial
    struct chain_figures *window[INTERFERENCE_WINDOWS];
    // By link, of those between who writes and who takes that the struck machine's share decides.
    struct interference_way way[CHAIN_LINKS_MAX];
};

// NO_MEMORY. To be freed also after an error.
enum status interference_create(const struct chain_config *chain,
                                struct interference *interference) MUST_CHECK;
void interference_free(struct interference *interference);

// Adds a trial; arguments as of chain_figures_add.
void interference_add(struct interference *interference, const struct chain_config *chain,
                      const struct chain_record *record, const struct interference_times *times,
                      const struct chain_stalls *stalls);

// ---- what is to be expected -------------------------------------------------------------------

// A load that takes every core for `share` of each period.
struct interference_hog {
    double period_ns, share;
    int priority; // SCHED_FIFO; 0: none
};

// That of a scenario whose only fault loads every core; false: it is something else, and nothing
// can be expected. Reads the fault catalogue near the scenario's file.
bool interference_hog_of(const struct scenario *scenario, const struct target *target,
                         struct interference_hog *hog);

// Share of its deadlines, 0..1, that a link's writer will miss by waiting for the hog; NAN: not to
// be told. The hog is to meet every part of the cycle equally often.
double interference_expected(const struct interference_hog *hog, const struct target *target,
                             const struct chain_config *chain, const struct interference *measured,
                             unsigned link);
