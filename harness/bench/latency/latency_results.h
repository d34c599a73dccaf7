// Figures of a chain as results of a benchmark.
#pragma once

#include "harness/bench/bench.h"
#include "harness/bench/latency/latency_floor.h"
#include "harness/chain/chain_figures.h"

// What the metrics are called that others look for; the whole chain is a stage, and corrected with
// what was omitted.
#define LATENCY_ALL "loop, stalls included"

// Instants due, deadlines missed and chains that never ended; `window` stands before each name:
// "during ".
void latency_put_missed(struct bench_result *result, const struct chain_config *chain,
                        const struct chain_figures *figures, const char *window);

// All stages, the chain with what was omitted, the machine's floor and the ratios to it.
void latency_put_stages(struct bench_result *result, const struct chain_figures *figures,
                        const struct latency_floor *floor, double planned_us);

// The chain of every instant over time, thinned out: of those near the median some, of others all.
// `metric` outlives the result.
void latency_put_samples(struct bench_result *result, const char *metric,
                         const struct chain_record *record, const struct chain_figures *figures,
                         const enum chain_sort *sorted);
