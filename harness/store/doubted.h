// What came of the doubts of a campaign (harness/doubt). Errors are logged to standard error. Not
// real-time.
#pragma once

#include "harness/store/database.h"

#define DOUBT_PAGE "doubt"         // of the reports of such campaigns, by which they are known
#define DOUBT_HARMLESS "harmless"  // a square's `expected`, if it need not be noticed
#define DOUBT_OF_ALL "undisturbed" // the row of the trial without a doubt

struct doubted { // valid during the call
    int64_t trial_id;
    const char *name;    // of the doubt
    const char *outcome; // of judge/untold.h; "": it was not judged so
    const char *by, *as; // the oracle that noticed it, and its verdict; "": none
    double after_s;      // since the fault struck; NAN: not known
    const char *claim;   // of its square: why it is harmless
    const char *why;     // what the oracle, or the fault's proof, says
    bool harmless;
};

typedef void doubted_take(void *context, const struct doubted *doubted);

// Calls `take` for each stored doubt, in order.
enum status doubted_read(struct database *database, int64_t campaign_id, doubted_take *take,
                         void *context) MUST_CHECK;
