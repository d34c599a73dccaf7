// What is stored, in words for people: titled parts, each of rows of text. Errors are reported on
// standard error. Not real-time.
#pragma once

#include "harness/store/database.h"

struct listing {
    const char *title;
    bool fields;       // one row whose columns have names; else a list
    const char *query; // this file's own
};

struct listings {
    const struct listing *part;
    unsigned count;
};

extern const struct listings listings_of_all;    // campaigns, benchmarks, trials that did not pass
extern const struct listings listings_of_trial;  // of a campaign: what was asked, and how it went
extern const struct listings listings_of_judged; // what happened, and every verdict
extern const struct listings listings_of_run;    // of a benchmark: figures and histograms

// Calls `row` for each row. `trial_id` has no meaning for listings_of_all.
enum status listing_read(struct database *database, const struct listing *listing, int64_t trial_id,
                         database_row *row, void *context) MUST_CHECK;
