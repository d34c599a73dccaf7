// A stored benchmark of interference as a page with a plot, from the database alone. Not real-time.
#pragma once

#include <stdint.h>

#include "base/status.h"

// Writes interference.html and its plot into `folder`, which is made, from campaign `campaign_id` of the database, 0: the newest benchmark
// "interference" in it. Errors are said. NOT_FOUND: there is none, or no reports/ folder; SYSTEM, INVALID.
enum status interference_report(const char *database_path, int64_t campaign_id,
                                const char *folder) MUST_CHECK;
