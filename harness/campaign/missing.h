// What a campaign lacks still, whoever ran which part of it. Not real-time.
#pragma once

#include "harness/campaign/campaign.h"
#include "harness/files/campaign_file.h"

struct missing {
    int64_t campaign_id;
    unsigned total, missing;
    unsigned of_square[SQUARES_MAX];
    unsigned shards;    // that it was run in, 0: see session_shards
    unsigned *of_shard; // of so many
};

// Reads the database alone. NOT_FOUND, reported: it has no such campaign; INVALID, reported with
// what differs: another one of its name. missing_free in any case.
enum status missing_find(const struct campaign *campaign, const struct target *target,
                         const struct campaign_options *options,
                         struct missing *missing) MUST_CHECK;
void missing_free(struct missing *missing);
