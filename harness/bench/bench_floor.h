// How late cyclictest of rt-tests finds itself woken, for benchmarks that show it beside.
#pragma once

#include "base/histogram.h"
#include "base/status.h"

// Each millisecond, at the priority of a daemon that drives hardware, for the duration rounded up
// to seconds. NOT_FOUND: there is no cyclictest, which it says; other errors are reported, too.
enum status bench_cyclictest(double duration_s, struct histogram *histogram) MUST_CHECK;
