// Where the files of a page lie: template, queries, plots. A page PAGE has a folder of its own,
// reports/PAGE/, in one of the places (places.h); a place with few pages may keep them in reports/
// itself. What a page does not have itself is looked for in the lab's reports/common/.
#pragma once

#include <stddef.h>

#include "harness/files/places.h"

struct report_files {
    char page[PATH_MAX_LENGTH];   // the page's folder
    char common[PATH_MAX_LENGTH]; // of what pages share
};

// The lab's own page. NOT_FOUND or INVALID, reported: no such folder, or others may write it.
enum status report_files_own(const char *page, struct report_files *files) MUST_CHECK;

// A page whose files lie in `folder`. INVALID, reported: others may write reports/common/.
enum status report_files_in(const char *folder, struct report_files *files) MUST_CHECK;

// Where NAME is: in the page's folder or else in the common one, where it is missing if it is in
// neither. Returns `path`.
const char *report_files_find(const struct report_files *files, const char *name,
                              char path[2 * PATH_MAX_LENGTH]);
