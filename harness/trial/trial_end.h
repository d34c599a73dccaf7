// When a trial ends: when nothing more can be learnt. Pure.
#pragma once

#include "base/time.h"

struct scenario;

// What the decision depends on.
struct trial_facts {
    const struct scenario *scenario;
    bool bench_ended;    // the simulated robot has
    instant fallen;      // the robot fell; INSTANT_NEVER: it did not
    instant motion_over; // the operator's program has ended, or what it asked for is done;
                         // INSTANT_NEVER: it is not, or more was asked for
    bool faults_done;    // every fault has struck, and has been undone if it is to be
    instant fault_last;  // the last fault or undoing; 0: none yet
};

enum trial_end {
    TRIAL_GOES_ON,
    TRIAL_BENCH_ENDED,
    TRIAL_TIME_UP, // its duration
    // None of these while a promise of the scenario may still be judged: any but one over a window
    // from the start that is over.
    TRIAL_FELL, // the robot has lain for watch_s, and watch_s has passed since the last fault or
                // undoing
    TRIAL_DONE, // every fault has struck, has been undone if it is to be, and has been watched for
                // watch_s, and the motion has been over for a second. A scenario with faults that
                // need not be completed does not wait for the motion
};

struct trial_facts trial_facts_begin(const struct scenario *scenario);

// What a look at `now` shows. A fall stays one; a motion may go on.
void trial_facts_note(struct trial_facts *facts, bool fallen, bool motion_over, instant now);

// Why the trial is over at `now`, or that it goes on.
enum trial_end trial_end(const struct trial_facts *facts, instant now);
