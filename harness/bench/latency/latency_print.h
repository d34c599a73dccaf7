// The latency benchmark on the screen. Not real-time.
#pragma once

#include <stdio.h>

#include "harness/bench/latency/latency_bench.h"

// A configuration: its stages, what it missed, the machine's floor, their ratio, the verdict.
void latency_print(FILE *out, const struct latency_configuration *configuration,
                   const struct latency_result *result);

// All configurations side by side, one line each.
void latency_print_summary(FILE *out, const struct latency_configuration *configuration,
                           struct latency_result *const *result, unsigned count);

// What watching costs: `plain` against each of `count` results that watch it less, run by run.
void latency_print_cost(FILE *out, const struct latency_configuration *configuration,
                        const struct latency_result *plain,
                        const struct latency_configuration *less,
                        struct latency_result *const *result, unsigned count);
