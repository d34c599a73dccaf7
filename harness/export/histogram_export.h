// Histograms as other tools read them. What goes wrong while writing shows in ferror(out).
#pragma once

#include <stdio.h>

#include "base/histogram.h"

// HdrHistogram's percentile text (.hgrm): the same lines as its outputPercentileDistribution with 5
// ticks per half distance, values in microseconds, for
// hdrhistogram.github.io/HdrHistogram/plotFiles.html and its like. The overflow counts as values of
// the maximum.
void histogram_write_hgrm(const struct histogram *h, FILE *out);

// The text of `cyclictest -h`: a line per microsecond up to the maximum, at most CYCLICTEST_BINS of
// them, with a column per histogram, as if each were a thread; then totals, minima, means, maxima,
// and what is above the last line.
#define CYCLICTEST_BINS 1000000
void histogram_write_cyclictest(const struct histogram *const *h, unsigned count, FILE *out);
