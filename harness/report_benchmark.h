// The page of a stored benchmark: reports/NAME.html with its plots, from the database alone. Not real-time; reads the database, never
// writes it. Errors are said on standard error.
#pragma once

#include <stdint.h>

#include "base/status.h"

struct report_benchmark {
    int64_t campaign_id; // 0: the newest of that name
    char name[64];
};

// What `benchmark` (a number, or a name: then the newest of it) means. EMPTY, not said: no benchmark, or a newer campaign of trials has
// that name; NOT_FOUND: no database; INVALID: it cannot be read.
enum status report_benchmark_find(const char *database_path, const char *benchmark,
                                  struct report_benchmark *found) MUST_CHECK;

// Writes NAME.html and its plots into `folder`, which is made. NOT_FOUND: there is no such benchmark, or it has no page in reports/;
// INVALID: the database cannot be read or has another schema; SYSTEM: files cannot be written.
enum status report_benchmark_write(const char *database_path,
                                   const struct report_benchmark *benchmark,
                                   const char *folder) MUST_CHECK;
