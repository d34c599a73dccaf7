// The files that judge the trials of a campaign, as its database keeps them: so that a trial can be
// judged again in any folder, whatever has become of the files since. Not real-time.
//
// While they are open they lie in a private folder, which vanishes with the process.
#pragma once

#include "harness/store/database.h"

struct stored_files; // opaque; ended by stored_files_close

// *files NULL: the database keeps none, since an older lab began the campaign; told. Files that are
// there and have changed since are told, in one sentence. CORRUPT, reported: their bytes are not
// those that their hash is of, or they cannot be; SYSTEM, reported; NO_MEMORY.
enum status stored_files_open(struct database *database, int64_t campaign_id,
                              struct stored_files **files) MUST_CHECK;
void stored_files_close(struct stored_files *files); // NULL is allowed

// From now on what is loaded is loaded from these files alone. NULL: from all places, as usual.
void stored_files_use(const struct stored_files *files);

// The campaign's file, or that of the scenario that was doubted. NULL: `usual`.
const char *stored_files_campaign(const struct stored_files *files, const char *usual);
// Where a file of these lay when the campaign ran, "" if it is none of these; `path` may be it.
void stored_files_origin(const struct stored_files *files, const char *path, char *origin,
                         size_t size);

// Where the campaign's file was, from / on, if it is there still; else `usual`. For what is to be
// run, for which the database does not keep enough. Files that have changed since are told.
enum status stored_files_present(struct database *database, int64_t campaign_id, const char *usual,
                                 char *path, size_t size) MUST_CHECK;
