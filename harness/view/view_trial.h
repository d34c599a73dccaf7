// The page of a stored trial as a file. Not real-time.
#pragma once

#include "harness/store/database.h"
#include "harness/store/kept/kept_history.h"

struct description;

struct view_stored {
    struct database *database;
    const char *database_path; // as a command names it
    int64_t trial_id;
    const struct target *target;
    const struct description *description;
    const struct scenario *scenario; // NULL: not known
    const struct kept_history *history;
};

// Writes the page to `path`, whole or not at all. Errors are reported: of the database, of the
// history (kept_history_read), of the file (SYSTEM).
enum status view_trial(const struct view_stored *stored, const char *path) MUST_CHECK;

// The same of a history that is in no database, judged now.
enum status view_file(const char *history, const struct scenario *scenario,
                      const struct target *target, const struct description *description,
                      const char *path) MUST_CHECK;
