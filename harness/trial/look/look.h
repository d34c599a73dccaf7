// What the lab itself looks at to confirm a fault. A fault's program proves its effect; a looker
// finds one that only claims it. The catalogue names the looker of each kind (catalogue.h).
#pragma once

#include <stdint.h>

#include "harness/trial/strike/fault_program.h"
#include "harness/trial/supervise/supervisor.h"

// What a looker remembers between two looks at one fault.
struct look_memory {
    int pidfd;          // of the process that its program left at work; -1: none
    int clock;          // its CPU time
    int64_t applied_ns; // of that, when the fault was applied
    instant applied;    // when the fault was applied,
    instant undone;     // and undone; INSTANT_NEVER: not yet
};

struct watch;

struct look {
    const struct fault_call *call; // to which the program has answered
    const struct fault_proof *proof;
    struct supervisor *supervisor;
    int process; // number of the one that is struck; -1: none is
    struct look_memory *memory;
    const struct history *history;
    struct watch *watch; // the newest of it
    instant began;       // before its program ran; in real time that takes a while
    instant now;
    enum clk_mode mode;
    bool last;  // the trial ends: what is not there yet never comes
    char *seen; // what the looker has seen by itself, for the evidence; "" as it begins
    size_t seen_size;
};

struct looker {
    // What speaks against the program's answer, in words that go on from its own; NULL: nothing.
    // Asked whether or not the answer is proven. Waits at most a second.
    const char *(*doubt)(const struct look *look);
    // How long after the fault's end what it struck may still come out; INSTANT_NEVER.ns: any time.
    // NULL: its effect is to be seen while it acts.
    duration (*late)(const struct fault_call *call);
    bool reads_history;    // which is to be complete up to now
    bool outlives_process; // the fault acts on when the process that was struck has ended
};

// The entry of the catalogue's `look`.
const struct looker *look_with(enum fault_look look);

void look_remember_nothing(struct look_memory *memory);
// The process that is remembered is not ended.
void look_forget(struct look_memory *memory);

// For lookers that compare a window: notes when the fault is applied and undone. Whether that was
// all there is to do.
bool look_begins(const struct look *look);
// The effect's window ends now, or when all that the fault struck has come out.
instant look_effect_till(const struct look *look);

// That things may take in real time, on a machine that has others to do. None in virtual time.
duration look_slack(const struct look *look);

// What the fault's parameter says by which its effect is measured; 0: there is none.
duration look_proves(const struct fault_call *call);

// From when on another fault acts on the same channel or process, and the lab looks at it in the
// same way: then what is seen is not this one's work alone any more. At most `till`; `since`: one
// acts already.
instant look_untouched_till(const struct look *look, instant since, instant till);

// Whether another fault of the same place struck or ended from the first to the second instant.
bool look_other_struck(const struct look *look, instant since, instant till);

// How long after this fault's end what it has struck together with others of the same place and
// look comes out, at most; none, where it met none. Of a look that has `late`.
duration look_met_late(const struct look *look);

// Whether the process that is struck has put this (look_clock.c).
bool look_hears(const struct look *look, const struct event *event);

#define LOOKER_DECLARE(name) extern const struct looker look_##name;
FAULT_LOOKS(LOOKER_DECLARE)
#undef LOOKER_DECLARE
