// What one trial was, apart from its history: plain data, for the database and the campaign.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define TRIAL_LACKS_MAX 700

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
    double cpu_s;  // user + system of all processes of the cell
    double held_s; // real time: so long a process was ready to run and had no processor, at most
    char held[48]; // its program's name
    bool watched;  // real time: whether the machine stood still was seen to (filled in by job.h):
    double still_s, still_at_s; // for so long at most, and when; 0: it did not
    double still_first_s;       // when it did for the first time
    uint64_t grants;
    bool socketcan;             // frames travelled through the kernel's CAN interfaces
    bool veth;                  // ... and its Ethernet interfaces
    uint64_t strangers_dropped; // frames for which the buses had no room: not in the history
    char hash[33];
    bool
        unsupported; // after TRIAL_LAB_ERROR: it is this machine or clock that cannot; verdict SKIP
    char cell[8];    // "wall", "no wall" or "bare"; "": there was none
    char lacks[TRIAL_LACKS_MAX]; // what that had not, and why; "": nothing is missing
    bool untrusted; // after unsupported: a bare cell was possible, but not for this target
    bool refused;   // after TRIAL_LAB_ERROR: a process of the target ended before it was ready, and
                    // said why: its own fault, or its file's; verdict FAIL
    char short_of[96];   // what was short outside the cell and may have ended a part of it, so that
                         // a bad verdict says nothing (filled in by job.h); "": nothing
    bool machine_failed; // after TRIAL_LAB_ERROR: no memory, no process or the like
    char killed[64];     // what was ended by a SIGKILL from outside (outside.h): a process of the
                         // cell, "fault program", "the cell's init", "the cell's keeper"; or ""
    bool killed_surely;  // `killed` is the init or the keeper: nothing in the cell can have done it
};
