// One trial: one run of one scenario with one seed, in a cell of its own. See cell.h for what a
// cell is.
#pragma once

#include "clock/clock.h"
#include "harness/history/history.h"
#include "harness/trial/attach.h"
#include "harness/trial/wire/link.h"
#include "harness/trial/record.h"

struct scenario;
struct target;

struct computing;

// What watches a trial, which costs the target time in wall mode. All zero: the usual.
struct observer {
    unsigned grid_ms; // the recorder reads and the triggers look so often; 0: TRIAL_GRID_MS
    bool probes_off;  // the daemons take no stamps for their latency (UKEMI_ENV_PROBES=off)
    struct computing *computing; // real time: filled with what the daemons use of the processor; in
                                 // memory mapped shared by the caller. NULL: nobody asks
};
#define TRIAL_GRID_MS 10

struct trial_request {
    const struct target *target;
    const struct scenario *scenario;
    const char *build_folder; // where programs lie: programs of the target file are relative to it
    uint64_t seed;
    enum clk_mode mode;
    int core; // CPU to pin the cell to, -1: none
    enum link_choice can, ethernet;
    bool no_wall; // programs have the lab's own rights (cell.h)
    struct observer observer;
    const struct attach_request *attach; // virtual mode: stands still for a debugger; NULL: not
};

// Runs the trial: builds the cell, starts the processes, applies the faults, records, tears down.
// Blocks until all is gone. The caller owns *history (NULL on an early lab error). Needs root or
// user namespaces (UNSUPPORTED, logged to standard error). Leaves nothing behind, whatever happens;
// if the caller is killed, the kernel clears the cell.
//
// A trial ends when nothing more can be learnt: trial_end.h.
enum status trial_run(const struct trial_request *request, struct history **history,
                      struct trial_result *result) MUST_CHECK;
