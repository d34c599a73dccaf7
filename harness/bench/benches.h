// The benchmarks that there are: each is a struct bench bench_NAME and a line here.
#pragma once

#include "harness/bench/bench.h"

#define BENCHES(X) X(latency) X(floor) X(daemons) X(interference) X(ethernet) X(programs)

#define BENCH_DECLARE(name) extern const struct bench bench_##name;
BENCHES(BENCH_DECLARE)
#undef BENCH_DECLARE
