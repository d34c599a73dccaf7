// Runs some jobs, several at a time, each in a worker process of its own (job.h).
#pragma once

#include "harness/campaign/job.h"

#define POOL_MAX 64 // at once

// Runs `count` jobs, at most `at_once` beside each other; record[i] is that of job[i]. SYSTEM,
// reported: a worker cannot be started; then the others are ended. NO_MEMORY.
enum status pool_run(const struct job *job, unsigned count, unsigned at_once,
                     struct trial_record *record) MUST_CHECK;
