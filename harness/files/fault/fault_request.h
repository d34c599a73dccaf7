// A fault that a scenario asks for, and what its kind is to the judge.
#pragma once

#include <stdbool.h>

#include "harness/files/fault/fault_trigger.h"
#include "harness/files/lengths.h"

#define FAULTS_MAX 8

// What a kind of fault is to the judge, as the catalogue says. No code knows a fault by its name.
enum fault_halts { // the struck process
    HALTS_NOTHING,
    HALTS_ENDED,   // it ends
    HALTS_STOPPED, // it stops, and can go on
};

enum fault_loads { // what it takes from all that runs; that makes a target late, in real time
    LOADS_NOTHING,
    LOADS_CPU,
    LOADS_MEMORY,
    LOADS_CACHE,
    LOADS_NETWORK,
    LOADS_DISK,
    LOADS_PRIORITY,
};

enum fault_struck { // what the scenario's `component` names
    STRUCK_PROCESS,
    STRUCK_BUS,
    STRUCK_NETWORK,
    STRUCK_CHANNEL, // one that has a writer
    STRUCK_MACHINE, // all that runs on it: MACHINE_NAME
};

struct fault_request {
    char kind[NAME_MAX_LENGTH];      // entry of the catalogue: kill, stall, restart
    char component[NAME_MAX_LENGTH]; // row of the failure table, or process name
    // Of this kind, as the catalogue says:
    enum fault_struck struck;
    enum fault_halts halts;
    enum fault_loads loads;
    bool falsifies; // readings that pass every check of the bus are untrue while it acts
    bool restarts;  // its undoing starts the process again
    struct trigger at;
    double duration_s;        // stall: until undo; kill: 0
    double restart_after_s;   // kill: restart the process so long after; < 0 never
    unsigned parameter_count; // further parameters for the fault's program: "signal=KILL"
    char parameter[PARAMETERS_MAX][NAME_MAX_LENGTH];
    bool untold; // the judge sees the trial as if it had not struck (judge/untold.h); of no file
};
