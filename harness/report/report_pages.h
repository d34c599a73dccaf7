// Beside the report of a campaign: a page for each of the first trials that did not pass
// (view/view.h). Not real-time.
#pragma once

#include <sqlite3.h>

#include "harness/report/report_plot.h"
#include "harness/store/database.h"

#define REPORT_PAGES_MAX 12

// Writes FOLDER/trials/N.html for trials of the chosen campaign whose history is there, and removes
// those of an earlier report. A trial whose scenario is no longer what it was has none. SYSTEM:
// they cannot be written. CORRUPT: the others are written, but a history is damaged or not that of
// its trial.
enum status report_pages_write(struct database *database, const char *database_path,
                               const struct report_source *source, const char *folder) MUST_CHECK;

// Adds trial_page(trial_id): where its page is, relative to `folder`, which outlives the
// connection; "" if it has none.
enum status report_pages_function_add(sqlite3 *database, const char *folder) MUST_CHECK;
