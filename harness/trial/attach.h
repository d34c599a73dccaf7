// A trial in virtual time that stands still at an instant, for a debugger: time stands for all.
//
// The cell's init stops where the clock is at that instant. A process of the caller's, which sees
// the terminal and all processes of the machine, says how to attach, and waits for a line or the
// end of standard input, or until a debugger that was attached has gone.
#pragma once

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "base/time.h"

struct attach_request {
    const char *process; // its name in the target, or the operator's
    instant at;
};

struct attach_meeting { // in memory mapped shared; all zero
    _Atomic uint32_t stage;
    int pid;            // in the cell's PID namespace
    uint64_t namespace; // its inode
    double at_s;
};

// Time that a debugger may take, in place of limits of time.
#define ATTACH_PATIENCE_S (30.0 * 86400)

// Before the cell: starts the process that speaks. It ends with the caller. SYSTEM, reported.
enum status attach_begin(struct attach_meeting *meeting, const struct attach_request *request,
                         pid_t *speaker) MUST_CHECK;
// After the cell: it ends; if the trial was over before the instant came it says so.
void attach_end(struct attach_meeting *meeting, pid_t speaker);

// In the cell's init, between turns: stands still until the speaker is answered. `pid` 0: the
// process does not run, which is reported.
void attach_stand(struct attach_meeting *meeting, int pid, instant now);
