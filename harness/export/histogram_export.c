#include "harness/export/histogram_export.h"

#include <inttypes.h>
#include <math.h>

#define NS_PER_US 1000

// ---- .hgrm ------------------------------------------------------------------------------------

#define TICKS_PER_HALF_DISTANCE 5

// The percentage after `percent` at which HdrHistogram writes a line: steps halve whenever the
// distance to 100 has halved. In per cent, as PercentileIterator.java has it, so that the first
// hundred steps are exact. 100 after the last that a double can tell from it.
static double next_percent(double percent)
{
    const double halvings = floor(log2(100 / (100 - percent)));
    const double next = percent + 100 / (TICKS_PER_HALF_DISTANCE * exp2(halvings + 1));
    return next > percent ? next : 100;
}

// Java rounds the half up that it sees in the shortest digits of a number, printf what lies nearer:
// a hair more than a number is what both agree on.
static double for_java(double number)
{
    return nextafter(number, INFINITY);
}

static void write_line(FILE *out, int64_t value_ns, double percent, uint64_t seen)
{
    const double share = percent / 100;
    fprintf(out, "%12.3f %2.12f %10" PRIu64, (double)value_ns / NS_PER_US, for_java(share), seen);
    if (share < 1)
        fprintf(out, " %14.2f", 1 / (1 - share));
    fputc('\n', out);
}

// medianEquivalentValue of AbstractHistogram.java.
static double middle_ns(const struct histogram_bucket *bucket)
{
    const int64_t half_ns = (bucket->to_ns - bucket->from_ns + 1) / 2;
    return (double)(bucket->from_ns + half_ns);
}

// Of the middles of the buckets, added up in HdrHistogram's order.
static void write_moments(const struct histogram *h, FILE *out)
{
    double sum = 0, squares = 0;
    struct histogram_bucket bucket;
    const double count = h->count > 0 ? (double)h->count : 1;
    for (unsigned position = 0; histogram_next(h, &position, &bucket);)
        sum += (double)bucket.count * middle_ns(&bucket);
    const double mean = sum / count;
    for (unsigned position = 0; histogram_next(h, &position, &bucket);) {
        const double off = middle_ns(&bucket) - mean;
        squares += off * off * (double)bucket.count;
    }
    fprintf(out, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", for_java(mean / NS_PER_US),
            for_java(sqrt(squares / count) / NS_PER_US));
}

void histogram_write_hgrm(const struct histogram *h, FILE *out)
{
    fprintf(out, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount",
            "1/(1-Percentile)");
    struct histogram_bucket bucket = {0};
    uint64_t seen = 0;
    double percent = 0;
    for (unsigned position = 0; histogram_next(h, &position, &bucket);) {
        seen += bucket.count;
        // A bucket of many values has the lines of many shares; the last one has one, and the end.
        for (bool more = percent < 100; more && 100.0 * (double)seen / (double)h->count >= percent;
             more = percent < 100 && seen < h->count) {
            write_line(out, bucket.to_ns, percent, seen);
            percent = next_percent(percent);
        }
    }
    if (h->count > 0)
        write_line(out, bucket.to_ns, 100, seen);
    write_moments(h, out);
    fprintf(out, "#[Max     = %12.3f, Total count    = %12" PRIu64 "]\n",
            (double)bucket.to_ns / NS_PER_US, h->count);
    fprintf(out, "#[Buckets = %12d, SubBuckets     = %12d]\n", HISTOGRAM_DOUBLINGS + 1,
            HISTOGRAM_SUB_BUCKETS);
}

// ---- cyclictest -------------------------------------------------------------------------------

static int64_t middle_us(const struct histogram_bucket *bucket)
{
    return (bucket->from_ns + (bucket->to_ns - bucket->from_ns) / 2) / NS_PER_US;
}

// A histogram that is read once from its beginning to its end.
struct reader {
    const struct histogram *h;
    unsigned position;
    bool more;
    struct histogram_bucket bucket;
    uint64_t binned; // values taken by now
};

static void advance(struct reader *reader)
{
    reader->more = histogram_next(reader->h, &reader->position, &reader->bucket);
}

// How many values lie in the microsecond; asked for in ascending order.
static uint64_t take_us(struct reader *reader, int64_t us)
{
    uint64_t count = 0;
    for (; reader->more && middle_us(&reader->bucket) <= us; advance(reader))
        count += reader->bucket.count;
    return count;
}

static int64_t bins_of(const struct histogram *const *h, unsigned count)
{
    int64_t bins = 0;
    struct histogram_bucket bucket;
    for (unsigned i = 0; i < count; i++)
        for (unsigned position = 0; histogram_next(h[i], &position, &bucket);)
            if (middle_us(&bucket) >= bins)
                bins = middle_us(&bucket) + 1;
    return bins < CYCLICTEST_BINS ? bins : CYCLICTEST_BINS;
}

void histogram_write_cyclictest(const struct histogram *const *h, unsigned count, FILE *out)
{
    struct reader reader[count > 0 ? count : 1];
    for (unsigned i = 0; i < count; i++) {
        reader[i] = (struct reader){.h = h[i]};
        advance(&reader[i]);
    }
    const int64_t bins = bins_of(h, count);
    fputs("# Histogram\n", out);
    for (int64_t us = 0; us < bins; us++) {
        fprintf(out, "%06" PRId64, us);
        for (unsigned i = 0; i < count; i++) {
            const uint64_t taken = take_us(&reader[i], us);
            fprintf(out, "%c%06" PRIu64, i == 0 ? ' ' : '\t', taken);
            reader[i].binned += taken;
        }
        fputc('\n', out);
    }
    fputs("# Total:", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, " %09" PRIu64, reader[i].binned);
    fputs("\n# Min Latencies:", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, " %05" PRId64, histogram_min(h[i]) / NS_PER_US);
    fputs("\n# Avg Latencies:", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, " %05.0f", floor(histogram_mean(h[i]) / NS_PER_US));
    fputs("\n# Max Latencies:", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, " %05" PRId64, histogram_max(h[i]) / NS_PER_US);
    fputs("\n# Histogram Overflows:", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, " %05" PRIu64, h[i]->count - reader[i].binned);
    fputc('\n', out);
}
