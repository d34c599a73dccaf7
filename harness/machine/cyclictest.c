#include "harness/machine/cyclictest.h"

#include <string.h>

#define NS_PER_US 1000
#define LATENCY_MAX_US 100000000
#define COUNT_MAX 10000000 // nearly three hours at 1 kHz; more is refused

static void record_many(struct histogram *histogram, int64_t value_ns, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        histogram_record(histogram, value_ns);
}

enum status cyclictest_read(FILE *in, struct histogram *histogram)
{
    char line[4096];
    unsigned long long max_us = 0, beyond = 0, total = 0;
    histogram_reset(histogram);
    while (fgets(line, sizeof line, in) != NULL) {
        unsigned long long us, count;
        (void)sscanf(line, "# Max Latencies: %llu", &max_us);
        (void)sscanf(line, "# Histogram Overflows: %llu", &beyond);
        if (line[0] == '#' || sscanf(line, "%llu %llu", &us, &count) != 2)
            continue;
        total += count;
        if (us > LATENCY_MAX_US || count > COUNT_MAX || total > COUNT_MAX)
            return STATUS_CORRUPT;
        record_many(histogram, (int64_t)us * NS_PER_US + NS_PER_US / 2, count);
    }
    if (beyond > COUNT_MAX || max_us > LATENCY_MAX_US || total + beyond == 0)
        return STATUS_CORRUPT;
    record_many(histogram, (int64_t)max_us * NS_PER_US + NS_PER_US / 2, beyond);
    return STATUS_OK;
}
