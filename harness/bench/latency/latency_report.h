// The latency benchmark as a page with plots, and its histograms for other tools. Not real-time.
#pragma once

#include "harness/bench/latency/latency_bench.h"

struct latency_bench_facts {
    const char *target;
    double duration_s; // of a run, at most
    unsigned runs;
    bool ordinary; // without real-time priority
};

// Writes into `folder`, which is made: latency.html (its plots also alone, as SVG) and for each
// configuration LABEL.hgrm, the corrected loop as HdrHistogram's plotter reads it, and
// LABEL.cyclictest, the machine's waking and the state's way to Balance, as `cyclictest -h` prints.
// The first `main_count` configurations are shown, those after them are the first again, watched less.
// Errors are said. SYSTEM, NOT_FOUND: no reports/ folder; NO_MEMORY.
enum status latency_report(const struct latency_bench_facts *facts,
                           const struct latency_configuration *configuration,
                           struct latency_result *const *result, unsigned count,
                           unsigned main_count, const char *folder) MUST_CHECK;
