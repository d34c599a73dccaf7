// The folders whose templates make up the report of a campaign. Not real-time.
#pragma once

#include <stdbool.h>

#include <sqlite3.h>

#include "harness/files/places.h"

#define OWN_PAGES_MAX 16 // of a target
#define REPORT_FOLDERS_MAX (3 * PLACES_MAX + OWN_PAGES_MAX)

struct report_folders {
    unsigned count, own; // `own`: the target's are those from here on
    char path[REPORT_FOLDERS_MAX][PATH_MAX_LENGTH];
};

// The lab's `page` first; then reports/PAGE/, reports/campaign/ and reports/ of all places; then
// the pages of the target's own folder, reports/*/ beside its target.yaml, in the order of their
// names. A target that is not there any more has none. Errors are reported. INVALID: others may
// write one, or there are too many; NOT_FOUND: the lab has none.
enum status report_folders_find(const char *page, const char *target,
                                struct report_folders *folders) MUST_CHECK;

// Whether a file of the folder is a template. Of pages it is index.html, or the page that is called
// as its folder is: there may be others that belong to benchmarks.
bool report_folder_has(const char *folder, const char *file);

// Adds own_pages(): a list in JSON of the target's own pages, as files of the report. NO_MEMORY.
// `folders` outlives the connection.
enum status report_folders_function_add(sqlite3 *database,
                                        const struct report_folders *folders) MUST_CHECK;
