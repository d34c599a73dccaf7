// Merging result databases: parts of a campaign that ran on many machines become one.
//
// A campaign is the same in two databases if name, target, seed, clock, wall, contents and lab are;
// a trial, if square and number are, too. What both have is there once: merging again changes
// nothing, and the order does not matter. On the virtual clock the same trial has the same history
// wherever it ran; if it has not, nothing is merged.
//
// Errors are logged to standard error, with what to do. Not real-time.
#pragma once

#include <stdbool.h>

#include "base/status.h"

struct merge_options {
    bool add; // also campaigns that the other databases have not
};

struct merge_counts {
    unsigned campaigns;     // added
    unsigned trials, known; // added; that were there already
    unsigned judgings;      // added, of trials that were there already
    unsigned histories;     // copied
};

// All of `from` into the database `into`, which is made if there is none: in one transaction, so
// that it is as before or holds all, whatever dies. INVALID, nothing written: databases of other
// campaigns, of benchmarks, or the same trial with two histories. BUSY: another writes `into`.
// NOT_FOUND, CORRUPT, SYSTEM: as database_open, of one of them.
enum status merge_databases(const char *into, const char *const *from, unsigned count,
                            const struct merge_options *options,
                            struct merge_counts *counts) MUST_CHECK;
