// A table of disturbances in shared memory, whatever they disturb: a fault program puts one in and
// takes it out, the owner of what is disturbed obeys and counts. An entry stands at the beginning
// of a slot that also holds what the disturbance is; tables are handed over as first slot, size of
// a slot, and their number.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct disturbance_entry {
    _Atomic uint64_t active;         // a number never used before; 0: taken out, or never used
    _Atomic uint64_t matched, hit;   // counted by the owner
    _Atomic uint64_t hit_when_taken; // by who took it out, then by the owner when it has noticed
    uint64_t tag;                    // whatever its author finds it by again
    bool used;                       // ever
};

// Of each of the tables below.
struct disturbance_table {
    void *first;
    size_t slot_size_B;
    unsigned count;
};

static inline struct disturbance_entry *disturbance_at(const struct disturbance_table *table,
                                                       unsigned i)
{
    return (struct disturbance_entry *)((unsigned char *)table->first + i * table->slot_size_B);
}

// A slot for a new one: one that was never used, so that what others did can be asked for as long
// as possible; otherwise one that is free. -1: full. The caller fills in what the slot holds
// besides, then calls disturbance_begin.
int disturbance_free(const struct disturbance_table *table);
// `number`: of all ever put in. Publishes the slot.
void disturbance_begin(struct disturbance_entry *entry, uint64_t tag, _Atomic uint64_t *number);
// NOT_FOUND: there is none.
enum status disturbance_take(struct disturbance_entry *entry) MUST_CHECK;
// The slot last put in with this tag, or -1: none, or its slot has been used again.
int disturbance_find(const struct disturbance_table *table, uint64_t tag);

// ---- the owner's side ---------------------------------------------------------------------------

// What the owner counts of one; all 0 when it is put in.
struct disturbance_tally {
    uint64_t matched, hit; // what it concerned; of these it acted on
    unsigned burst_left;   // of a burst: how many more are hit
};
// How many a disturbance hits.
struct disturbance_odds {
    uint64_t seed;
    uint32_t share_ppm; // of what it concerns; 1000000: all
    uint32_t burst;     // in a row from each that is drawn
};
// Counts one that the disturbance concerns, and says whether it is hit; counting that is the
// caller's. The answer follows from the seed and the number of those before.
bool disturbance_draws(struct disturbance_tally *tally, struct disturbance_odds odds);
// Shows the counts to whoever put the disturbance in.
void disturbance_publish(struct disturbance_entry *entry, uint64_t matched, uint64_t hit);
