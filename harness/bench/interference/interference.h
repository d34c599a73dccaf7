// What a fault of load does to the target's deadlines: the loop of latency.h before, during and after it, in the same trial. What the
// machine itself does shows before and after; what the fault does, in the difference. Pure.
#pragma once

#include "harness/bench/latency/latency_figures.h"

struct history;

enum interference_window {
    INTERFERENCE_BEFORE, // from LATENCY_WARM_UP_S on
    INTERFERENCE_DURING,
    INTERFERENCE_AFTER,
    INTERFERENCE_WINDOWS
};

struct interference_times {
    instant applied, undone; // the first fault, the last undoing
};

// From the fault events of a history; false: none was proven to be applied, or none to be undone.
bool interference_times_of(const struct history *history, struct interference_times *times);

struct interference_figures { // of one window, over all trials
    uint64_t unanswered;      // states whose loop never closed
    struct latency_count deadline[LATENCY_DEADLINES];
    // State published to state acquired, one value for each state that was due: one that was not published, or not answered, waited until
    // the first answer to a later one.
    struct histogram loop;
};

// States that a stall of the machine touched before they were answered: counted here, and nowhere else.
struct interference_apart { // of one window, over all trials
    uint64_t states;
    struct latency_count deadline[LATENCY_DEADLINES];
};

// What a process has until its deadline, and what it needs of that, where no fault is at work; sums over `count` states.
struct interference_way {
    uint64_t count;
    int64_t room_ns, work_ns;
};

struct interference_spread { // of the share of deadlines missed in a trial, 0..1
    double low, high;
};

struct interference { // of one fault
    unsigned trials;
    struct interference_figures window[INTERFERENCE_WINDOWS];
    struct interference_apart apart[INTERFERENCE_WINDOWS];
    uint64_t stalls; // of the machine, on all cores
    int64_t stalled_ns;
    struct interference_way way[LATENCY_DEADLINES]; // of commands and references alone
    struct interference_spread spread[INTERFERENCE_WINDOWS][LATENCY_DEADLINES]; // joined trials
};

// Allocates it empty; NULL: no memory. free() ends it.
struct interference *interference_create(void);

// Adds a trial. A state counts for the window in which it was due; where none was published nobody owes an answer. Not counted are the
// first LATENCY_WARM_UP_S of the trial and its last LATENCY_TAIL_PERIODS. `floor` may be NULL: nothing is known of the machine; else `epoch_ns` is
// CLOCK_MONOTONIC at the trial's time 0.
void interference_add(struct interference *interference, const struct latency_record *record,
                      const struct interference_times *times, const struct floor_record *floor,
                      int64_t epoch_ns);

// Adds what was found in one trial to the sum of several. `trial` holds one, or none.
void interference_join(struct interference *sum, const struct interference *trial);

// Missed to due, 0 if none was due.
double interference_share(const struct latency_count *count);

const char *interference_window_name(enum interference_window window); // "before" ...
