// The runs of `ukemi campaign` that stored a campaign's trials, as the database keeps them. Errors
// are logged to standard error. Not real-time.
#pragma once

#include "harness/store/database.h"

struct session_start {
    unsigned shard, shards; // 0 of 1: the whole campaign
    int jobs;
};

// A session that begins now, on this machine, in the job of a batch system that the environment
// names.
enum status session_begin(struct database *database, int64_t campaign_id,
                          const struct session_start *start, int64_t *session_id) MUST_CHECK;
// How many shards a campaign was run in, 0: in none, or some of it in other numbers of them.
enum status session_shards(struct database *database, int64_t campaign_id,
                           unsigned *shards) MUST_CHECK;
// It ends: after wall_s, with so many trials stored.
enum status session_end(struct database *database, int64_t session_id, double wall_s,
                        unsigned trials) MUST_CHECK;
