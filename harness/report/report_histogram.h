// Stored histograms in the queries of reports. Not real-time.
#pragma once

#include <sqlite3.h>

#include "base/status.h"

// Adds to the connection the aggregate histogram_sum(buckets), the histogram of all runs as a blob
// of the same kind; histogram_quantile(buckets, share), in microseconds; and
// histogram_share(buckets, from_us, to_us), of the values from one to below the other. NULL for
// what is no histogram, or an empty one. NO_MEMORY.
enum status report_histogram_functions_add(sqlite3 *database) MUST_CHECK;
