// What becomes of a trial after its runs: stored, lost, or run once more. Pure.
//
// A trial is *lost* when something from outside ended a part of it by SIGKILL (kill -9, a service
// manager, the kernel short of memory), or its worker by SIGTERM, SIGINT or SIGHUP. The part may be
// the worker, the cell's keeper or init (which is coordinator, supervisor and recorder in one), a
// fault program, the simulated robot or a process of the target. It says nothing about the target
// and nothing about the lab, so it is no FAIL and no ERROR. It is not stored; the campaign says so
// and ends with exit status 3, and --resume runs it.
//
// The kernel does not tell who sent a signal, so a target that kills its own processes looks the
// same. What it does by itself it does again, so such a trial is run again. It is the target's own
// doing, stored and judged (peers-survive: FAIL), only if the same process ends so in
// FATE_RUNS_SAME runs, or some process in each of FATE_RUNS_MAX.
//
// A trial is lost, too, when the machine failed: it gave no memory, no process, no descriptor, or a
// device failed. Within the cell the target may have a part in that, so there it must fail in the
// same words in FATE_RUNS_SAME runs before it is an ERROR. A trial whose history should be kept and
// cannot be written is lost as well.
//
// So it is where the kernel, short of memory, ended a process while a run went badly; where the
// limit of CPU time that the lab was started with (`ulimit -t`) ended one; or where the machine
// failed and another such limit is below the target's own. A target that exceeded its own limits is
// not lost by that.
//
// A machine that stood still in real time may have made a target fail, or a fault go without
// effect. So a bad run in which it did is in doubt, unless all was lost before: it is run again,
// and the last of FATE_RUNS_DOUBTED runs counts whatever it is. A run that passed is not in doubt.
#pragma once

#include "harness/judge/verdict.h"
#include "harness/trial/record.h"

#define FATE_RUNS_SAME 3 // in all, with the same process; two could both be disturbed
#define FATE_RUNS_DOUBTED 3
#define FATE_BROKEN_S 1.0 // an oracle may look at a stretch as long: it was broken somewhere in it
#define FATE_RUNS_MAX 5   // in all, with any: whose death is seen first may be chance

enum fate {
    FATE_AGAIN,          // unknown until it has run once more
    FATE_STORED,         // as judged
    FATE_BLAMED,         // stored: the target ends a process of the lab whenever it runs
    FATE_DISTURBED,      // lost: ended from outside
    FATE_MACHINE_FAILED, // lost
};

// Of `count` runs, 1 to FATE_RUNS_MAX, of which the first is the trial. `trouble`: the lab's own
// process has noted one (base/trouble.h), in which the target has no part.
enum fate fate_of_runs(const struct trial_result *run, unsigned count, bool trouble);

// Of a trial that was to be stored and ran again for its hash: FATE_STORED, DISTURBED,
// MACHINE_FAILED.
enum fate fate_of_recheck(const struct trial_result *first, const struct trial_result *again,
                          bool trouble);

// Whether a run that was judged so is in doubt.
bool fate_in_doubt(const struct trial_result *result, const struct judgement *judgement);

// The verdict on a run that left nothing to judge.
enum verdict fate_verdict(const struct trial_result *result);
