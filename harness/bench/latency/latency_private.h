// What latency.c and latency_deadlines.c share: the messages of the loop, joined. Private to them.
#pragma once

#include "harness/history/series.h"
#include "model/description.h"
#include "harness/bench/latency/latency.h"
#include "message/message.h"

#define LATENCY_NOBODY SIZE_MAX

struct loop {
    const struct history *history;
    const struct description *description;
    struct series state, command, reference, bus_log;
    struct latency_record *record;
    size_t *answer; // by state: the first reference that answers it; LATENCY_NOBODY
    bool *sent;     // by state: a reference that answers it was sent
    instant end;    // of the history
};

static inline const struct state_message *loop_state(const struct loop *loop, size_t i)
{
    return loop->state.event[i]->data;
}

static inline const struct reference_message *loop_reference(const struct loop *loop, size_t i)
{
    return loop->reference.event[i]->data;
}

// The stamp, or where there is none, `otherwise`.
static inline instant loop_stamp(instant stamp, instant otherwise)
{
    return stamp.ns > 0 ? stamp : otherwise;
}

// Counts what was due and what was missed in the record, after all messages have been joined.
void loop_count_deadlines(struct loop *loop);
