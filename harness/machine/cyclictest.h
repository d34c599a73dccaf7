// What the program cyclictest of rt-tests prints with -h, read back: to compare it with the lab's
// own floor. Pure.
#pragma once

#include <stdio.h>

#include "base/histogram.h"
#include "base/status.h"

// Reads the histogram of the first thread ("000012 000345" is 345 wake-ups that were 12 us late)
// into `histogram`, each value in the middle of its microsecond. What was beyond cyclictest's last
// line counts at "# Max Latencies". CORRUPT: no line of a histogram, or numbers that cannot be. The
// stream is the caller's.
enum status cyclictest_read(FILE *in, struct histogram *histogram) MUST_CHECK;
