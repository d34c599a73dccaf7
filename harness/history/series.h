// All events of one topic of a history, in their order. Pure.
//
// Pointers lead into the history and stay valid as long as it does.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/history/history.h"

struct series {
    size_t count;
    const struct event **event;
};

// Fills `series` with the events of a topic; none if there is no such topic. Events shorter than
// size_min_B, the structure they are read as, are left out: a reader of foreign files must not run
// over their end. False when memory is short. The caller frees series->event.
bool series_collect(const struct history *history, const char *topic, size_t size_min_B,
                    struct series *series);

// The same of what a channel's readers got, where an interposer stood between them and its writer.
bool series_collect_got(const struct history *history, const char *channel, size_t size_min_B,
                        struct series *series);

// Event `index`, which must be there.
const struct event *series_at(const struct series *series, size_t index);

// Last event at or before `time_s`, NULL if there is none.
const struct event *series_latest(const struct series *series, double time_s);

// How many events are at or before `time_s`.
size_t series_count_until(const struct series *series, double time_s);

// Frames held by an event of the bus log.
size_t bus_log_frames(const struct event *event);
