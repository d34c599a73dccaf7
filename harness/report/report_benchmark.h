// The page of a stored benchmark, from the database alone. If there is a reports/NAME/prelude.sql,
// which makes the views that its queries share, it is NAME.html beside it, with its plots; for all
// others reports/benchmark/benchmark.html, which lists figures. Not real-time; reads the database,
// never writes it. Errors are logged to standard error.
#pragma once

#include <stdint.h>

#include "base/status.h"

struct report_benchmark {
    int64_t campaign_id; // 0: the newest of that name that is finished
    char name[64];
    char page[96]; // set by report_benchmark_write: the file's name
};

// What `benchmark` (a number, or a name: then the newest of it that is finished) means. EMPTY, not
// said: no benchmark, or a newer campaign of trials has that name; NOT_FOUND: no database; INVALID:
// it cannot be read.
enum status report_benchmark_find(const char *database_path, const char *benchmark,
                                  struct report_benchmark *found) MUST_CHECK;

// Writes the page and its plots into `folder`, which is made. NOT_FOUND: there is no such
// benchmark, or no reports/; INVALID: the database cannot be read or has another schema; SYSTEM:
// files cannot be written.
enum status report_benchmark_write(const char *database_path, struct report_benchmark *benchmark,
                                   const char *folder) MUST_CHECK;
