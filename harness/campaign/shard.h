// Part of a campaign, for arrays of jobs on many machines: what one shard runs, no other does, but
// for what overlaps on purpose. Pure.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SHARDS_MAX 100000

struct campaign;

struct shard {
    unsigned index, count; // of so many, from 0 on; count 0: the whole campaign
    double overlap;        // share of the next shard's trials that it runs, too: 0..1
};

// "2/8". False: `why` is what is wrong with it, in words.
bool shard_parse(const char *word, struct shard *shard, const char **why);

// The place of a trial in the order in which all are started: numbers go round the squares.
uint64_t campaign_place(const struct campaign *campaign, unsigned square, unsigned number);
// Whether the shard runs the trial at this place.
bool shard_has(const struct shard *shard, const struct campaign *campaign, unsigned square,
               unsigned number);
// How many trials it runs.
unsigned shard_total(const struct shard *shard, const struct campaign *campaign);
