// One trial: one run of one scenario with one seed, in a cell of its own. See cell.h for what a
// cell is.
#pragma once

#include "clock/clock.h"
#include "harness/history.h"
#include "harness/link.h"
#include "harness/scenario.h"

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
    enum link_choice can;
    bool no_wall; // programs have the lab's own rights (cell.h)
    struct observer observer;
};

enum trial_outcome {
    TRIAL_RAN,      // to its end: judge it
    TRIAL_LAB_ERROR // the lab failed: `reason` says how; verdict ERROR
};

struct trial_result {
    enum trial_outcome outcome;
    char reason[256];
    int64_t epoch_ns; // wall mode: CLOCK_MONOTONIC at the trial's time 0
    double simulated_s;
    double wall_s;
    double cpu_s; // user + system of all processes of the cell
    uint64_t grants;
    bool socketcan;             // frames travelled through the kernel's CAN interfaces
    uint64_t strangers_dropped; // frames for which the buses had no room: not in the history
    char hash[33];
    bool
        unsupported; // after TRIAL_LAB_ERROR: it is this machine or clock that cannot; verdict SKIP
    bool refused; // after TRIAL_LAB_ERROR: a process of the target ended before it was ready, and
                  // said why: its own fault, or its file's; verdict FAIL
    bool machine_failed; // after TRIAL_LAB_ERROR: no memory, no process or the like
    char killed[64];     // what was ended by a SIGKILL from outside (outside.h): a process of the
                         // cell, "fault program", "the cell's init", "the cell's keeper"; or ""
    bool killed_surely;  // `killed` is the init or the keeper: nothing in the cell can have done it
};

// Runs the trial: builds the cell, starts the processes, applies the faults, records, tears down.
// Blocks until all is gone. The caller owns *history (NULL on an early lab error). Needs root or
// user namespaces (UNSUPPORTED, said on standard error). Leaves nothing behind, whatever happens;
// if the caller is killed, the kernel clears the cell.
//
// A trial ends when nothing more can be learnt:
// - its duration is up; or
// - the robot has lain for watch_s, and watch_s has passed since the last fault or undoing; or
// - every fault has struck, has been undone if it is to be, and has been watched for watch_s, and
//   the motion is over: the operator's program has ended or what it asked for is done, a second
//   ago. A scenario with faults that need not be completed does not wait for this.
enum status trial_run(const struct trial_request *request, struct history **history,
                      struct trial_result *result) MUST_CHECK;
