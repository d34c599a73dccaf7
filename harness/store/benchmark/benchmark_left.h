// What benchmarks that were interrupted left in the database and beside it. Not real-time.
#pragma once

#include "harness/store/database.h"

// Of every benchmark that is not finished and that nobody measures: removes the histories that no
// stored run names, and the campaign itself if it has no run. Runs that were stored are whole, and
// stay. Within a transaction; takes the database's guard, which must be open.
enum status benchmark_clear_left(struct database *database) MUST_CHECK;
