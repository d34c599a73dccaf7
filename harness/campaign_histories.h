// The kept histories of a campaign: files in the folder "histories" beside its database, one per
// trial whose history is kept, called CAMPAIGN-CELL-TRIAL.mcap.
//
// A stored trial that names a history has it, whole: the file is there before the row, and the row
// forgets it before it goes. A killed campaign may leave a file that no row names; the next run of
// the campaign removes it. Not real-time.
#pragma once

#include "harness/job.h"

// Fills in where the history of a trial goes. `database`: path of the database, in all of these.
void histories_name(const char *database, int64_t campaign_id, unsigned cell, unsigned number,
                    struct job *job);
// Makes the folder. SYSTEM, said, if it cannot be written to.
enum status histories_prepare(const char *database) MUST_CHECK;
// Removes the files of this campaign that no stored trial names.
void histories_sweep(struct database *database, const char *path, int64_t campaign_id);
// Deletes the histories of trials that passed and did not become examples.
enum status histories_drop_passed(struct database *database, const char *path,
                                  int64_t campaign_id) MUST_CHECK;
