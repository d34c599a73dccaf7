// What the recorder found wrong with messages of the target: by their writers, or by whoever wrote
// into their channels.
#pragma once

#include <stdint.h>

#include "base/time.h"

#define TOPIC_FOUL "foul" // struct foul_event: only if there are any

enum foul_kind {
    FOUL_BEYOND,  // stamped later than it was put, by more than a fault of its clock explains
    FOUL_BACK,    // stamped earlier than the message before it
    FOUL_OUTSIDE, // stamped before the trial began
    FOUL_LOST,    // frames that were still held were written over
    FOUL_FORGED,  // put on a channel of the simulated world by somebody else
};

struct foul_event {
    instant time;  // when it was put
    instant stamp; // what it says
    uint64_t frames;
    uint32_t kind; // enum foul_kind
    uint32_t padding;
    char process[48]; // whose doing; "": not known
    char channel[48];
};
