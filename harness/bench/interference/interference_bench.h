// One trial of the benchmark of interference: a fault of load in real time, with a sampler of stalls on each core beside it.
#pragma once

#include "harness/bench/interference/interference.h"
#include "harness/campaign/job.h"

// Runs the job and adds what was measured to the empty *measured. `trouble`, of `size`: why nothing was measured, "" if it was: the trial did not
// run, or is an ERROR, or its fault was not both applied and undone. The record is filled whatever happens. Blocks. NO_MEMORY; SYSTEM and TIMEOUT, said,
// if the samplers cannot run.
enum status interference_bench_run(const struct job *job, struct interference *measured,
                                   struct trial_record *record, char *trouble,
                                   size_t size) MUST_CHECK;
