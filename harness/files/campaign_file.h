// A matrix of trials: a campaign's file.
//
// Loaders check everything (unknown keys, ranges, names against the target and the fault catalogue)
// and report each error as "file:line: key: value: what is wrong; what to do" on standard error,
// returning INVALID. The caller frees.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "harness/files/lengths.h"

struct catalogue; // fault/catalogue.h
struct scenario;  // scenario.h

#define CAMPAIGN_PAGE "campaign" // of reports without one of their own
#define CAMPAIGN_KIND "trials"   // beside others in the database, such as CAMPAIGN_STORM
#define CAMPAIGN_STORM "storm"   // its trials are drawn from a storm
#define SQUARES_MAX 512          // rows x columns of a campaign's matrix

struct campaign_square { // one square of the matrix: so many trials of one scenario with these
                         // faults
    struct scenario *scenario;
    char row[NAME_MAX_LENGTH];      // title of the row: a component, or a fault
    char column[NAME_MAX_LENGTH];   // "Static", "Quasi-Static", "Dynamic"
    char expected[NAME_MAX_LENGTH]; // in the paper: "No Effect"
    unsigned trials;
};

struct storm; // storm_file.h

struct campaign {
    char kind[NAME_MAX_LENGTH]; // in the database; "": CAMPAIGN_KIND
    char name[NAME_MAX_LENGTH];
    char claim[PATH_MAX_LENGTH]; // what its trials show, in one sentence; "" if it says nothing
    char file[PATH_MAX_LENGTH];
    uint64_t seed;
    bool seeds_equal;           // every trial has this seed, and no one of its own
    double recheck_share;       // share of trials run twice for the determinism check
    char page[NAME_MAX_LENGTH]; // of its report: a folder of reports/
    struct catalogue *catalogue;
    const struct storm *storm; // that its trials are drawn from; NULL: none. Not its own
    unsigned square_count;
    struct campaign_square square[SQUARES_MAX];
};

// The fault catalogue is read once, and kept with the campaign.
enum status campaign_load(const char *path, struct campaign **campaign) MUST_CHECK;
void campaign_free(struct campaign *campaign);
