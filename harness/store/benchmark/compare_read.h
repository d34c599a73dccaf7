// Two sides of a comparison, read from the result database.
#pragma once

#include "harness/store/benchmark/comparison.h"

#define COMPARE_CAMPAIGNS_MAX 100 // on one side

struct compare_campaign {
    int64_t campaign_id, machine_id;
    char name[64], started_utc[24], lab_revision[64];
};

// The benchmark called `name`: a campaign's number, or a name, of which the newest finished one is
// taken. NOT_FOUND, reported.
enum status compare_find(struct database *database, const char *name,
                         struct compare_campaign *found) MUST_CHECK;
// The newest `count` finished benchmarks of the same name before it. NOT_FOUND, reported, if there
// are fewer.
enum status compare_find_before(struct database *database, const struct compare_campaign *campaign,
                                unsigned count, struct compare_campaign *found) MUST_CHECK;

struct compare_data {
    struct comparison *list; // by square in b's order, then metric; what one side lacks is left out
    size_t count;
    size_t only_a, only_b; // metrics of squares that are left out
    size_t not_positive;   // metrics without a geometric mean, as a value is not positive
};

struct compare_choice {
    const char *metric; // shell pattern for "SQUARE: METRIC" or "METRIC"; NULL: all
    bool together;      // all squares of a metric as one, by the geometric mean of each run
    const char *a_square,
        *b_square; // only these, a's against b's, in which case a and b may be one campaign; NULL:
                   // equal squares
};

// Figures of campaigns a[0..a_count) against those of b. NOT_FOUND, reported: they have nothing in
// common; INVALID, reported: the unit of a metric differs; which way is better b says; TOO_LARGE,
// reported.
enum status compare_read(struct database *database, const struct compare_campaign *a,
                         unsigned a_count, const struct compare_campaign *b,
                         const struct compare_choice *choice, struct compare_data *data) MUST_CHECK;
void compare_data_free(struct compare_data *data);
