// The kept histories of a campaign or benchmark: files in the folder DATABASE-histories beside its
// database (that a symbolic link leads to), called HASH.mcap: the same trial in two campaigns has
// one, and no trial can overwrite another's. Until its trial is stored it is called
// CAMPAIGN-SQUARE-TRIAL.mcap, so that what a killed run leaves is known to be its. Those of earlier
// releases kept that name; the first were in the folder "histories", which all databases of a
// folder shared.
//
// A stored trial that names a history has it, whole: the file is there before the row, and the row
// forgets it before it goes. A killed campaign may leave a file that no row names; the next run of
// the campaign removes it. Not real-time.
#pragma once

#include "harness/files/campaign_file.h"
#include "harness/files/claims.h"
#include "harness/store/database.h"

#define HISTORIES_PER_SQUARE_MAX                                                                   \
    10 // of bad trials, the first numbers; on the virtual clock others can be run again

struct history_place {
    char file[PATH_MAX_LENGTH];     // "": the path would be too long, so that it cannot be kept
    char relative[PATH_MAX_LENGTH]; // to the database's folder, as it is stored
};

// The folder that paths of histories are relative to: where the database is.
void histories_root(const char *database, char *folder, size_t size);
// Where the history of a trial goes. `database`: path of the database, in all of these.
void histories_place(const char *database, int64_t campaign_id, unsigned square, unsigned number,
                     struct history_place *place);
// Calls the file `relative` by its hash, too: settled is what a row is to name. It may have kept
// its first name, on a file system that can neither.
void histories_settle(const char *database, const char *relative, const char *hash,
                      char settled[PATH_MAX_LENGTH]);
// After that row is stored: only the second name remains; if it is not, none.
void histories_confirm(const char *database, const char *relative, const char *hash, bool stored);
// Where the history of this hash goes first that another database gives: until its trial is stored
// it is called merged-HASH.mcap.
void histories_place_merged(const char *database, const char *hash, struct history_place *place);
// Copies a file there, whole or not at all. SYSTEM, NOT_FOUND, NO_MEMORY, reported.
enum status histories_copy(const char *from, const struct history_place *place) MUST_CHECK;
// Removes what a killed merge has left. Only one merges at a time.
void histories_sweep_merged(struct database *database, const char *path);
// Makes the folder. SYSTEM, reported, if it cannot be written to.
enum status histories_prepare(const char *database) MUST_CHECK;
// Removes the one that a record names, which is not stored after all; "" is none.
void histories_remove(const char *database, const char *history_relative);
// Removes the files of this campaign that no stored trial names.
void histories_sweep(struct database *database, const char *path, int64_t campaign_id);
// Removes what killed runs of other campaigns have left half written, unless they are run now.
// `guard`: of campaign_guard_open, of this database.
void histories_sweep_parts(const char *path, int64_t campaign_id, int guard);
// Whether a bad trial of a square is to keep its history: those with the lowest numbers do,
// whichever ends first. Number 0 aside, which always does.
enum status histories_may_keep(struct database *database, int64_t campaign_id, unsigned square,
                               unsigned number, bool *may) MUST_CHECK;
// Deletes the histories of trials that passed and did not become examples, and those of bad trials
// that turned out not to be among the first.
enum status histories_drop_surplus(struct database *database, const char *path,
                                   int64_t campaign_id) MUST_CHECK;
