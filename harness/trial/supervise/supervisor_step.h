// What becomes of a process: a pure step (life, happening) -> (life, actions), by a table
// of states and happenings. The supervisor reaps, forks, signals and records; this only decides.
#pragma once

#include <stdbool.h>

#include "base/time.h"
#include "harness/history/history.h"

enum process_state {
    PROCESS_STATE_ABSENT,   // never started
    PROCESS_STATE_STARTING, // started, not yet joined the clock
    PROCESS_STATE_RUNNING,
    PROCESS_STATE_SUSPENDED, // stopped by a signal
    PROCESS_STATE_ENDED,
    PROCESS_STATE_COUNT
};

// What can happen to a process. The first ones are recorded as the process_event_kind they equal.
enum happening_kind {
    HAPPENING_STARTED = PROCESS_STARTED,
    HAPPENING_JOINED = PROCESS_READY,
    HAPPENING_EXITED = PROCESS_EXITED,
    HAPPENING_KILLED = PROCESS_KILLED,
    HAPPENING_STOPPED = PROCESS_STOPPED,
    HAPPENING_CONTINUED = PROCESS_CONTINUED,
    HAPPENING_HUNG = PROCESS_HUNG,
    HAPPENING_END_RECORDED, // its end stands in the history, as of the happening's time
    HAPPENING_HELD,         // a fault keeps it down
    HAPPENING_START_ASKED,  // it is about to be started, which ends a hold
    HAPPENING_COUNT
};

struct happening {
    enum happening_kind kind;
    int value;    // exit status, signal or enum hung
    instant time; // of the trial; END_RECORDED only
};

struct process_life {
    double restart_after_s; // the target's restart policy; 0: none
    enum process_state state;
    unsigned generation;
    int exit_status; // of the last end: exit status or, if killed, signal
    bool killed;
    bool held;           // a fault keeps it down: the policy does not apply
    instant restart_due; // by the policy; INSTANT_NEVER: not
};

// What the supervisor has to do, in this order; bits.
enum process_action {
    ACTION_CLOSE = 2,          // read the last words, close output and pidfd
    ACTION_NOTE = 4,           // note the happening for the history
    ACTION_SAY_LEFT = 8,       // to the clock's coordinator
    ACTION_SAY_STOPPED = 16,   // likewise
    ACTION_SAY_CONTINUED = 32, // likewise
    ACTION_KILL = 64
};

// A process that was never started.
struct process_life process_life_begin(double restart_after_s);

// Changes the life, returns the actions: 0 where the happening is impossible or says nothing new.
unsigned process_life_step(struct process_life *life, const struct happening *happening);
