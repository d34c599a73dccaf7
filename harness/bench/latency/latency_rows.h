// The figures of a latency benchmark as tables of a database in memory, for the queries of
// reports/latency*.sql. Private to latency_report.c.
#pragma once

#include <sqlite3.h>

#include "harness/bench/latency/latency_report.h"

// A file name of a label: letters and digits kept, all else '-'.
void latency_file_name(const char *label, char *name, size_t size);

// Makes the tables of latency_rows.c and fills them. INVALID, said: SQLite refused.
enum status latency_rows(sqlite3 *database, const struct latency_bench_facts *facts,
                         const struct latency_configuration *configuration,
                         struct latency_result *const *result, unsigned count,
                         unsigned main_count) MUST_CHECK;
