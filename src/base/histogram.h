// Histograms of times: log-linear like HdrHistogram's (Tene, hdrhistogram.org) with 3 significant
// digits, so that the median and the worst case of a million samples are told from the same fixed
// memory, without allocation.
//
// A value is kept to within 1/1024 of itself; up to 2.047 us to the nanosecond. A histogram has no
// pointers and may lie in shared memory; it has one writer, and who reads meanwhile may find counts
// that do not add up yet. It is 224 KiB: static or allocated, not on a stack, and in real-time
// processes locked and touched (histogram_reset does) before the first record.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define HISTOGRAM_DIGITS 3
#define HISTOGRAM_SUB_BUCKETS 2048 // the power of 2 above 2 * 10^digits
#define HISTOGRAM_DOUBLINGS 26
#define HISTOGRAM_BUCKETS ((HISTOGRAM_DOUBLINGS + 2) * (HISTOGRAM_SUB_BUCKETS / 2))
// The largest value that has a bucket: 137 s. What is above is counted as overflow, with its exact
// maximum.
#define HISTOGRAM_MAX_NS (((int64_t)HISTOGRAM_SUB_BUCKETS << HISTOGRAM_DOUBLINGS) - 1)

struct histogram {
    uint64_t count;         // all values recorded, with the overflow
    uint64_t overflow;      // of these, above HISTOGRAM_MAX_NS
    uint64_t negative;      // not in count: times below 0 are a mistake of who measured
    int64_t min_ns, max_ns; // exact; INT64_MAX and 0 while count is 0
    double sum_ns;
    uint64_t bucket[HISTOGRAM_BUCKETS];
};

void histogram_reset(struct histogram *h);

// Real-time safe: bounded, touches one bucket.
void histogram_record(struct histogram *h, int64_t value_ns);

// Adds what `from` holds to `into`.
void histogram_add(struct histogram *into, const struct histogram *from);

// The value at or below which a share q of all values lies (q in [0, 1]; nearest rank): the highest
// value of its bucket, never above the maximum. 0 for an empty histogram. A rank in the overflow
// gives the maximum.
int64_t histogram_quantile(const struct histogram *h, double q);

static inline uint64_t histogram_count(const struct histogram *h)
{
    return h->count;
}
// Exact; 0 for an empty histogram.
int64_t histogram_min(const struct histogram *h);
int64_t histogram_max(const struct histogram *h);
double histogram_mean(const struct histogram *h);

// ---- buckets ----------------------------------------------------------------------------------

struct histogram_bucket {
    int64_t from_ns, to_ns; // both belong to it
    uint64_t count;
};

// Bounds of bucket `index` (below HISTOGRAM_BUCKETS), with its count.
struct histogram_bucket histogram_bucket_at(const struct histogram *h, unsigned index);

// The next bucket that holds anything: start with *position 0; false after the last. The overflow,
// if there is any, comes last, as a bucket up to the maximum.
bool histogram_next(const struct histogram *h, unsigned *position, struct histogram_bucket *bucket);
