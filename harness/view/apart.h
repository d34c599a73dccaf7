// Work whose input may be anybody's, such as compiling a model: in a process of its own, within
// limits. Not real-time.
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

struct apart_limits {
    unsigned cpu_s;
    uint64_t memory_B; // of addresses; 0: as many as this process may have
};

// Writes what it makes of `context` to `out`. Its status comes back.
typedef enum status apart_work(void *context, FILE *out);

// Copies what the work wrote to `out`, unless it failed. SYSTEM: it died, or could not be started.
enum status apart_run(apart_work *work, void *context, const struct apart_limits *limits,
                      FILE *out) MUST_CHECK;
