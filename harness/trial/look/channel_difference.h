// What lies between what the writer of a channel put and what its readers got, from the history of
// both sides. Frames are told apart by their bytes: those of a writer that stamps its messages are
// all different. Pure.
#pragma once

#include "harness/history/history.h"
#include "harness/history/message_text.h"

struct channel_window {
    unsigned put, got;                 // topics: the writer's side, the readers'
    instant since, till;               // frames after the first, up to the second
    duration slack;                    // that a frame may take from side to side, in real time
    duration after;                    // so much of it lies behind the end of the fault
    duration delay;                    // 0: none; frames that are so late or later are counted
    const struct message_field *field; // NULL: none is looked at
    const struct message_field *other; // as wide, with which it changes places; NULL: none
};

struct channel_difference {
    uint64_t put, got;   // frames in the window
    uint64_t missing;    // put, and got less often
    uint64_t repeated;   // got more often than they were put
    uint64_t same;       // got again, with or without one that was put
    uint64_t disordered; // got for the first time after one that was put later
    uint64_t altered;    // got, and never put
    uint64_t shortened;  // of these, the beginning of one that was put
    uint64_t marked;     // of these, one that was put but for the field, or for the fields' places
    uint64_t acted_on;   // got, and put while the fault acted
    uint64_t delayed;    // of these, as late as is asked, or later
    duration late;       // at most, from side to side; or so far, of one that is still on its way
};

// NO_MEMORY.
enum status channel_differ(const struct history *history, const struct channel_window *window,
                           struct channel_difference *difference) MUST_CHECK;
