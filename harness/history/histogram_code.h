// Histograms as bytes: HdrHistogram's V2 encoding (not compressed), which its libraries in Java, C,
// Python, JavaScript and Go decode. The overflow, and what is exact beside the buckets, is not part
// of it.
#pragma once

#include <stddef.h>

#include "base/histogram.h"

#define HISTOGRAM_HEADER_B 40
#define HISTOGRAM_CODE_MAX_B (HISTOGRAM_HEADER_B + 9 * HISTOGRAM_BUCKETS)

// Writes the buckets to `bytes`, which holds HISTOGRAM_CODE_MAX_B; returns how many it wrote.
size_t histogram_encode(const struct histogram *h, uint8_t *bytes);

// Makes *h of encoded buckets: count is their sum; minimum, maximum and sum are as the buckets
// tell. False: these bytes are no histogram of our range and digits, and *h is empty. Any bytes may
// be given.
bool histogram_decode(const uint8_t *bytes, size_t size_B, struct histogram *h);
