// The history of a stored trial that is not kept, had again by running the trial. Private to the
// command line.
#pragma once

#include "harness/cli/cli.h"
#include "harness/store/kept/private_folder.h"

struct cli_rerun {
    struct private_folder folder; // of the history
    struct kept_history kept;
};

// Whether the history of the trial is there.
bool cli_history_is_there(const char *database_path, const struct stored_trial *trial);

// Runs the trial again, behind a wall, by the files of today, and compares the histories' hashes;
// says so on standard error, since it takes seconds. NOT_FOUND, reported: a trial in real time or a
// run of a benchmark cannot be had again; CORRUPT, reported with both hashes: it has another
// history now; else as cli_load_present and cli_check_bench. cli_rerun_free in any case.
enum status cli_rerun(struct database *database, const struct stored_trial *trial,
                      struct cli_rerun *rerun) MUST_CHECK;
void cli_rerun_free(struct cli_rerun *rerun);
