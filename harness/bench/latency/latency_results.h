// Figures of the loop as results of a benchmark.
#pragma once

#include "harness/bench/bench.h"
#include "harness/bench/latency/latency_figures.h"

// What the metrics are called that others look for.
#define LATENCY_LOOP "state to acquired" // the loop; corrected: with what was omitted
#define LATENCY_LOOP_ALL "loop, stalls included"

// States due, deadlines missed and loops never closed; `window` stands before each name: "during ".
void latency_put_missed(struct bench_result *result, const struct latency_pipeline *pipeline,
                        const struct latency_figures *figures, const char *window);

// All stages, the loop with what was omitted, the machine's floor and the ratios to it.
void latency_put_stages(struct bench_result *result, const struct latency_pipeline *pipeline,
                        const struct latency_figures *figures, double loop_planned_us);

// The loop of every state over time, thinned out: of those near the median some, of others all.
void latency_put_samples(struct bench_result *result, const struct latency_record *record,
                         const struct latency_figures *figures, const enum latency_sort *sorted);
