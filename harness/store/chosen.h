// The campaign or benchmark that a report is about: one row of the temporary table `chosen`, which
// the queries of reports/ start from. Errors are logged to standard error. Not real-time.
#pragma once

#include <stddef.h>

#include "harness/store/database.h"

// Chooses a campaign of trials by name or number; NULL: the newest. NOT_FOUND.
enum status chosen_campaign(struct database *database, const char *campaign) MUST_CHECK;

// That nothing was judged in the chosen campaign is no error of it.
enum status chosen_allow_skip(struct database *database) MUST_CHECK;

// The page of the chosen campaign's report, a folder of reports/: a plain name. INVALID, reported:
// it is none.
enum status chosen_page(struct database *database, char *page, size_t size) MUST_CHECK;

// The target of its trials, a plain name; "": it has no trial yet. INVALID, reported: it is none.
enum status chosen_target(struct database *database, char *target, size_t size) MUST_CHECK;

// Chooses a benchmark by number; 0: the newest of that name that is finished. NOT_FOUND.
enum status chosen_benchmark(struct database *database, const char *name,
                             int64_t campaign_id) MUST_CHECK;

// Chooses a night, with the `window` last nights of its name, and the share from which on a change
// of a quantity is told. NOT_FOUND.
enum status chosen_night(struct database *database, int64_t night_id, unsigned window,
                         double relevant) MUST_CHECK;

// The files that judge its trials, as stored_files_open; the caller closes them.
struct stored_files;
enum status chosen_files(struct database *database, struct stored_files **files) MUST_CHECK;

// Numbers of trials of the chosen campaign that did not pass and whose history was kept, at most
// `max`: of each square and verdict the first, then the second, and so on.
enum status chosen_not_passed(struct database *database, int64_t *trial_id, unsigned max,
                              unsigned *count) MUST_CHECK;
