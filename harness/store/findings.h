// What storms have found: trials that failed, those of one signature together (view `signature` of
// schema.sql). Errors are logged to standard error. Not real-time.
#pragma once

#include "harness/store/database.h"

#define STORM_PAGE "storm" // of the reports of storms

struct finding { // valid during the call
    const char *target;
    const char *oracle; // that was broken first
    const char *party;  // the process that it names, or else the target
    const char *acting; // kinds of the faults that acted then, "kill+stall", or "calm"
    unsigned trials;
    int64_t first_id;  // the first such trial,
    uint64_t seed;     // its seed,
    const char *storm; // and its storm's file
    const char *name;  // the storm's name
    int64_t fewest_id; // the trial with the fewest faults,
    uint64_t fewest_seed;
    unsigned fewest;                    // so many
    const char *detail;                 // what the oracle says of that one
    const char *first_seen, *last_seen; // revisions of the lab
};

typedef void finding_take(void *context, const struct finding *finding);

// Calls `take` for each finding of a storm's campaign, or of all (0), the most frequent first.
enum status findings_read(struct database *database, int64_t campaign_id, finding_take *take,
                          void *context) MUST_CHECK;
