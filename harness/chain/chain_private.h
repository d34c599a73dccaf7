// What the files of this room share: the messages of a chain, joined. Private to them.
#pragma once

#include "harness/chain/chain.h"
#include "harness/history/history.h"

struct happening { // a message, or a frame of one
    const struct event *event;
    const void *data; // the message, or the frame of it
    instant time;     // when it was published, or the frame had ended
    instant at;       // the link's instant; INSTANT_NEVER: it was to be stamped, and is not
    instant taken;    // INSTANT_NEVER: not known
    int64_t value[LINK_FIELD_USES];
    bool has[LINK_FIELD_USES];
    size_t start; // instant that it belongs to; CHAIN_NOBODY
};

struct link_series {
    size_t count;
    struct happening *happening; // by time
    size_t *pick;                // by instant: the one that counts; CHAIN_NOBODY
    size_t *of_cycle;            // by instant: the first made in its cycle; CHAIN_NOBODY
};

struct join {
    const struct chain_config *chain;
    const struct history *history;
    const struct chain_robot *robot;
    const struct description *description;
    struct chain_record *record;
    struct link_series link[CHAIN_LINKS_MAX];
    size_t each_room;
    instant end; // of the history
};

static inline bool is_set(instant t)
{
    return t.ns != INSTANT_NEVER.ns;
}

// When it was at the latest known to have what it answers.
static inline instant happening_since(const struct happening *h)
{
    return is_set(h->taken) ? h->taken : is_set(h->at) ? h->at : h->time;
}

// The messages of a link, by time. False: no memory.
bool chain_collect(struct join *join, unsigned link);

// How many of a series happened at or before `time`.
size_t chain_until(const struct link_series *series, instant time);
// The newest of these with this number; CHAIN_NOBODY.
size_t chain_newest_with(const struct link_series *series, bool by_answers, int64_t number,
                         instant time);

// Links of a robot's boards: when the frames of a reference had all reached them, and the first
// message that shows it.
bool chain_join_frames(struct join *join, unsigned link);
bool chain_join_shown(struct join *join, unsigned link);
// A new happening of a link, behind its last one. False: no memory.
bool chain_add(struct link_series *series, const struct happening *happening);
// A happening, the `index`th of the link's when all is joined, answers instant `start`, by what was
// reached at `from`: what counts is chosen. False: no memory.
bool chain_choose(struct join *join, unsigned link, size_t index, const struct happening *happening,
                  size_t start, instant from);

// Counts what was due and what was missed in the record, after all has been joined.
void chain_count_owed(struct join *join);
