// The benchmarks that there are: each is a file bench_NAME.c and a line here and in bench.c.
#pragma once

#include "harness/bench/bench.h"

extern const struct bench bench_latency, bench_floor, bench_daemons, bench_interference,
    bench_ethernet, bench_programs;
