// The progress of a campaign on standard error: one live line on a terminal, a line now and then
// elsewhere.
#pragma once

#include <stdbool.h>

#include "harness/judge/judge.h"

struct progress {
    unsigned total, done;
    unsigned count[VERDICT_COUNT]; // by enum verdict
    unsigned at_start;             // of done, that an earlier run had done
    double simulated_s;            // in this run
    double started_s;              // CLOCK_MONOTONIC
    double shown_s;                // when last shown
    unsigned told;                 // bad trials told
    bool live;                     // on a terminal
    bool quiet;
};

void progress_start(struct progress *progress, unsigned total, bool quiet);
// Counts one finished trial.
void progress_add(struct progress *progress, enum verdict verdict, double simulated_s);
// Shows the line if it is time to (a few times a second live, else twice a minute); `now`: at once.
void progress_show(struct progress *progress, bool now);
// A line of its own above the progress line, for trials that went wrong; only the first ones.
void progress_tell(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Ends the live line.
void progress_end(struct progress *progress);
double progress_elapsed_s(const struct progress *progress);
