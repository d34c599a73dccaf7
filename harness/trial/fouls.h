// Messages of the target that are not what they seem: their stamps against the lab's own time, and
// frames that nobody but a process of the target can have spoiled. They are noted in the history.
#pragma once

#include "clock/clock.h"
#include "harness/history/foul.h"
#include "harness/history/history.h"

struct fouls {
    struct history *history;
    bool found; // some: the topic is known
    unsigned topic, noted;
};

struct put { // of a frame
    const char *channel, *writer;
    instant said;
    instant time;     // when it was put; not before, in real time
    instant last;     // what the frame before it said
    int64_t error_ns; // by which its writer's clock is ahead, as the lab has made it
    duration slack;   // of what is known of the time
    bool many;        // many write to its channel, or its clock is struck: it may go back
};

// Notes what is wrong with its stamp, if anything is. NO_MEMORY, FULL.
enum status fouls_look(struct fouls *fouls, const struct put *put) MUST_CHECK;

// Notes what is known to be wrong. `process`: "" if it is not known. NO_MEMORY, FULL.
enum status fouls_note(struct fouls *fouls, enum foul_kind kind, const struct put *put,
                       const char *process, uint64_t frames) MUST_CHECK;
