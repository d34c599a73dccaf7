// Runs the program of a fault of the catalogue and reads its proof.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "harness/files/fault/catalogue.h"

struct fault_proof {
    bool proven;
    int left; // process, in the cell, that the program left at work; 0: none
    char evidence[160];
};

enum fault_action { // what its program is asked to do
    FAULT_ACTION_APPLY,
    FAULT_ACTION_EFFECT,
    FAULT_ACTION_UNDO,
    FAULT_ACTION_SETTLED
};

// One run of a fault's program.
struct fault_call {
    const struct fault_kind *kind;
    const struct fault_request *request; // gives the parameters
    const struct target *target;
    const struct scenario *scenario; // with what else strikes; NULL: not known
    enum fault_action action;
    const char *process; // name of the one that is struck; NULL: none is
    int pid, pidfd;      // of the process that is struck; 0 and -1: none is, or it is gone
    int scratch;         // a file on disk for programs that want one (catalogue.h), or -1
    // Called every 10 ms while the program runs, if not NULL: in wall mode the target goes on
    // meanwhile.
    void (*meanwhile)(void *context);
    void *context;
    unsigned tag; // the fault's own number in the trial, from 1
    uint64_t seed;
};

// "PROGRAM ACTION KIND key=value...", as catalogue.h says, for at most 10 s of wall time, at the
// caller's real-time priority if it has one: the load of an earlier fault must not keep this one
// from being undone. SYSTEM: the program is missing, failed or said nothing; UNSUPPORTED: this
// machine cannot; DEAD: something ended it; `reason` says which.
enum status fault_program_run(const struct fault_call *call, struct fault_proof *proof,
                              char *reason, size_t size) MUST_CHECK;
