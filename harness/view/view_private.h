// The parts of a page's data: each writes members of the one JSON object. Private to the room.
#pragma once

#include "harness/view/view.h"

struct viewing {
    const struct view_request *request;
    int64_t end_ns; // of the trial
    FILE *out;
};

// "signals" and "left_out". NO_MEMORY.
enum status view_put_signals(const struct viewing *view) MUST_CHECK;

// "processes", "faults", "verdicts", "observed", "output", "traffic". NO_MEMORY.
enum status view_put_events(const struct viewing *view) MUST_CHECK;

// "body": null without a robot, or if its model cannot be read, which is reported. NO_MEMORY.
enum status view_put_body(const struct viewing *view) MUST_CHECK;

// The page around the data (view_page.c).
extern const char view_page[], view_style[], view_script[];
