// Deletes histories that are not needed any more, so that their folder stays bounded. Rows stay:
// only the history's file goes, and on the virtual clock the trial gives it again. Not real-time.
//
// Never deleted is what a finding or an example needs: the examples of the newest campaign of each
// name, the newest history that shows an oracle broken in a square (of doubts: the newest that was
// not noticed), and trials that the last night of each name tells of. Nor is that of a campaign
// that is being run.
#pragma once

#include "harness/store/database.h"

struct prune_options {
    unsigned nights;    // of each campaign the last so many runs keep all they have
    bool keep_failures; // histories of trials that did not pass stay, however old
    double size_B;      // beyond that further ones go, the oldest first; 0: no bound
};

struct prune_counts {
    unsigned dropped, needed, kept; // histories of trials: deleted, not to be, and all that remain
    double freed_B, left_B;         // of files
    bool too_large;                 // what remains is larger than the bound
};

// Of the database at `path`. Errors are reported, as of database_open; what is deleted until then
// is whole.
enum status prune_histories(const char *path, const struct prune_options *options,
                            struct prune_counts *counts) MUST_CHECK;
