// Trials of a campaign that have lost their evidence: the history that they name is gone, damaged,
// or another's. Such a trial counts as lost, and is run again. Not real-time.
#pragma once

#include "harness/store/database.h"

// Reads every kept history of the campaign once, of which a square has 11 at most, and removes the
// trials that have lost theirs. Each is reported, with `words` of the first; "" if there is none.
enum status lost_trials_remove(struct database *database, int64_t campaign_id, unsigned *count,
                               char *words, size_t size) MUST_CHECK;
