// What is kept of the runs of a benchmark that were judged FAIL or ERROR, as of such trials of a
// campaign: the history, in the folder beside the database (campaign_histories.h), and
// in the database verdicts, faults and processes beside the run's figures, if it has any. Of a run
// that passed nothing but its figures. Not real-time.
#pragma once

#include "harness/store/benchmark/benchmark.h"
#include "harness/campaign/job.h"

struct evidence {         // of one square of a benchmark; all zero: nothing is kept
    const char *database; // path, the caller's
    int64_t campaign_id;
    unsigned square; // in the order in which squares are stored
    unsigned kept;   // histories so far: HISTORIES_PER_SQUARE_MAX at most
};

// Makes the job of run `number` keep its history if it ends badly, unless so many are kept already.
void evidence_ask(const struct evidence *evidence, unsigned number, struct job *job);

// After job_run: *bad is a copy of the record to be stored with the run (struct benchmark_run), to
// be freed; NULL if the run was well, or was lost and must not be stored. NO_MEMORY.
enum status evidence_take(struct evidence *evidence, const struct trial_record *record,
                          struct trial_record **bad) MUST_CHECK;
