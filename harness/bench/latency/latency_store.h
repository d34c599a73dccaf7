// The latency benchmark in the result database: a benchmark "latency" (benchmark.h) whose cells are the
// configurations. Not real-time.
#pragma once

#include "harness/store/benchmark.h"
#include "harness/bench/latency/latency_bench.h"

// Stores the last run of each configuration, all or none: per stage and of the machine's floor the
// quantiles and histograms, per process the deadlines missed, and the ratios. Of one judged
// FAIL or ERROR its evidence, too; one that the lab failed in has nothing else. NO_MEMORY; errors of benchmark_add_runs.
enum status latency_store(struct database *database, int64_t campaign_id,
                          const struct latency_configuration *configuration,
                          struct latency_result *const *result, unsigned count) MUST_CHECK;
