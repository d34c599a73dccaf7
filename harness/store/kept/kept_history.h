// The history that was kept of a stored trial: the one that was judged, or none. A file of that
// name may have been written by another trial since; its hash tells. Not real-time.
#pragma once

#include "harness/history/history.h"
#include "harness/store/database.h"

struct kept_history {
    char file[2 * PATH_MAX_LENGTH];
    int64_t trial_id;
    char hash[33]; // of its events, as stored; "": not known
    bool virtual;  // so the trial gives it again
};

// Where the history of `trial` is. `folder`: the database's, "" is the present one.
void kept_history_of(const struct stored_trial *trial, const char *folder,
                     struct kept_history *kept);
// The trial that names the history `relative`, as stored. NOT_FOUND, not said.
enum status kept_history_find(sqlite3 *database, const char *relative, const char *folder,
                              struct kept_history *kept) MUST_CHECK;
// Its events. `database`: path, for the remedy; NULL: it is named without. CORRUPT, NOT_FOUND,
// reported: as history_read, and if they are not those of the trial. Costs nothing beside reading.
enum status kept_history_read(const struct kept_history *kept, const char *database,
                              struct history **history) MUST_CHECK;
