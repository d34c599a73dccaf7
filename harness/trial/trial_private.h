// Shared by the files of a trial: what it is while it runs.
#pragma once

#include "clock/coordinator.h"
#include "harness/cell/cell.h"
#include "harness/files/fault/catalogue.h"
#include "harness/trial/computing.h"
#include "harness/trial/recorder.h"
#include "harness/trial/supervise/shims.h"
#include "harness/trial/strike/strikes.h"
#include "harness/trial/supervise/supervisor.h"
#include "harness/trial/taps.h"
#include "harness/trial/trial.h"
#include "harness/trial/trial_end.h"
#include "harness/trial/wire/wiring.h"
#include "harness/packs/watch.h"

// What the caller and the cell's init share.
struct shared {
    bool finished; // the init came to its end
    struct breach breach;
    struct trial_result result;
    struct attach_meeting attach;
};

struct trial {
    const struct trial_request *request;
    struct history *history;
    struct shared *shared;
    const struct cell_request *cell;
    int scratch; // file on disk for faults that want one, -1: none
    // the rest in the cell only
    struct clk_coordinator *coordinator;
    struct wiring wiring;
    struct watch *watch;
    struct recorder *recorder;
    struct taps *taps;     // NULL: the target has none
    enum status taps_went; // how the last reading of them did
    struct supervisor *supervisor;
    bool spoiled;  // somebody has written over the page of a shimmed program
    bool hears_io; // after each turn
    struct strikes *strikes;
    bool attached;  // has stood still for a debugger
    instant grid;   // next instant of the recorder's grid
    instant looked; // the recorder's last look at all channels
    struct trial_facts facts;
    char reason[256];
};

// Keeps the words of a failure; returns `status`.
enum status trial_fail(struct trial *trial, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// In the cell: all that the trial needs, up to its running processes and clock; and its end.
enum status trial_set_up(struct trial *trial) MUST_CHECK;
// Starts what can be started now; more at the next instant (supervisor_start).
enum status trial_start_processes(struct trial *trial) MUST_CHECK;
void trial_tear_down(struct trial *trial);
