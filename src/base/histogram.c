#include "base/histogram.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"

#define HALF (HISTOGRAM_SUB_BUCKETS / 2)
#define HALF_BITS 10

_Static_assert(HALF == 1 << HALF_BITS, "a doubling has 2^HALF_BITS buckets");

// ---- values and buckets -----------------------------------------------------------------------

// The first two doublings share a width of 1 ns; each further one has buckets twice as wide as the
// one below.
static unsigned index_of(int64_t value_ns)
{
    expects(value_ns >= 0 && value_ns <= HISTOGRAM_MAX_NS);
    if (value_ns < HISTOGRAM_SUB_BUCKETS)
        return (unsigned)value_ns;
    const unsigned shift = 63u - (unsigned)__builtin_clzll((uint64_t)value_ns) - HALF_BITS;
    return (shift << HALF_BITS) + (unsigned)(value_ns >> shift);
}

static unsigned shift_of(unsigned index)
{
    return index < HISTOGRAM_SUB_BUCKETS ? 0 : (index >> HALF_BITS) - 1;
}

static int64_t lowest_of(unsigned index)
{
    const unsigned shift = shift_of(index);
    return (int64_t)(index - (shift << HALF_BITS)) << shift;
}

struct histogram_bucket histogram_bucket_at(const struct histogram *h, unsigned index)
{
    invariant(index < HISTOGRAM_BUCKETS);
    const int64_t from_ns = lowest_of(index);
    return (struct histogram_bucket){.from_ns = from_ns,
                                     .to_ns = from_ns + ((int64_t)1 << shift_of(index)) - 1,
                                     .count = h->bucket[index]};
}

bool histogram_next(const struct histogram *h, unsigned *position, struct histogram_bucket *bucket)
{
    for (unsigned index; (index = *position) < HISTOGRAM_BUCKETS;) {
        ++*position;
        if (h->bucket[index] == 0)
            continue;
        *bucket = histogram_bucket_at(h, index);
        return true;
    }
    if (*position > HISTOGRAM_BUCKETS || h->overflow == 0)
        return false;
    ++*position;
    *bucket = (struct histogram_bucket){HISTOGRAM_MAX_NS + 1, h->max_ns, h->overflow};
    return true;
}

// ---- recording --------------------------------------------------------------------------------

void histogram_reset(struct histogram *h)
{
    memset(h, 0, sizeof *h);
    h->min_ns = INT64_MAX;
}

void histogram_record(struct histogram *h, int64_t value_ns)
{
    if (value_ns < 0) {
        h->negative++;
        return;
    }
    h->count++;
    h->sum_ns += (double)value_ns;
    if (value_ns < h->min_ns)
        h->min_ns = value_ns;
    if (value_ns > h->max_ns)
        h->max_ns = value_ns;
    if (value_ns > HISTOGRAM_MAX_NS)
        h->overflow++;
    else
        h->bucket[index_of(value_ns)]++;
}

void histogram_add(struct histogram *into, const struct histogram *from)
{
    into->count += from->count;
    into->overflow += from->overflow;
    into->negative += from->negative;
    into->sum_ns += from->sum_ns;
    if (from->min_ns < into->min_ns)
        into->min_ns = from->min_ns;
    if (from->max_ns > into->max_ns)
        into->max_ns = from->max_ns;
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        into->bucket[i] += from->bucket[i];
}

// ---- figures ----------------------------------------------------------------------------------

int64_t histogram_quantile(const struct histogram *h, double q)
{
    // One step down, or the rank of 0.07 of 100 values would be 8.
    const double share = q > 0 ? nextafter(fmin(q, 1), 0) : 0; // 0 also of a NAN
    const double rank = fmax(1, ceil(share * (double)h->count));
    struct histogram_bucket bucket;
    double seen = 0;
    for (unsigned position = 0; histogram_next(h, &position, &bucket);) {
        seen += (double)bucket.count;
        if (seen >= rank)
            return bucket.to_ns < h->max_ns ? bucket.to_ns : h->max_ns;
    }
    return h->max_ns; // a writer was at work
}

int64_t histogram_min(const struct histogram *h)
{
    return h->count == 0 ? 0 : h->min_ns;
}

int64_t histogram_max(const struct histogram *h)
{
    return h->max_ns;
}

double histogram_mean(const struct histogram *h)
{
    return h->count == 0 ? 0 : h->sum_ns / (double)h->count;
}
