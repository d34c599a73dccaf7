// What one trial was, apart from its history: plain data, for the database and the campaign.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define TRIAL_LACKS_MAX 700

// What became of a run (outcome.h decides). Of all but RAN, `reason` says how; nothing is judged.
enum trial_outcome {
    TRIAL_LAB_ERROR, // the lab failed, or nothing is known yet; verdict ERROR
    TRIAL_RAN,       // judge it
    TRIAL_REFUSED,   // a process of the target ended before it was ready, and said why: its own
                     // fault, or its file's; verdict FAIL
    TRIAL_MACHINE_FAILED, // no memory, no process or the like; lost, or ERROR if always (fate.h)
    TRIAL_UNSUPPORTED,    // this machine or clock cannot; verdict SKIP
    TRIAL_UNTRUSTED,      // a bare cell was possible, but not for this target; verdict SKIP
    TRIAL_OUTCOME_COUNT
};

// A SIGKILL from outside that ended a part of the cell.
enum trial_kill {
    TRIAL_KILL_NONE,
    TRIAL_KILL_PERHAPS, // of a part that the target can reach: it may have sent it
    TRIAL_KILL_SURE     // of the cell's init or keeper: nothing in the cell can have done it
};

// What was short outside the cell and may have ended a part of it.
enum trial_shortage { TRIAL_SHORT_OF_NOTHING, TRIAL_SHORT_OF_MEMORY, TRIAL_SHORT_BY_LIMITS };

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
    char cell[8];                // "wall", "no wall" or "bare"; "": there was none
    char lacks[TRIAL_LACKS_MAX]; // what that had not, and why; "": nothing is missing
    enum trial_kill kill;
    char killed[64]; // unless KILL_NONE, what was ended (outside.h): a process of the cell, "fault
                     // program", "the cell's init", "the cell's keeper"
    enum trial_shortage shortage; // a bad verdict then says nothing (filled in by job.h)
    char short_of[96];            // ... in words
};
