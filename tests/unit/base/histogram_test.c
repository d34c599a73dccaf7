// base/histogram: against sorted arrays, against HdrHistogram's rules, at the ends of the range.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "base/histogram.h"
#include "base/random.h"

#define SAMPLES CASES(100000)
static struct histogram h, other;
static int64_t sample[SAMPLES];

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Times from 10 ns to 60 s, alike in every decade: every doubling is used.
static void fill(uint64_t seed)
{
    struct random_stream stream;
    random_start(&stream, seed, "histogram");
    histogram_reset(&h);
    for (int i = 0; i < SAMPLES; i++) {
        sample[i] = (int64_t)pow(10, random_uniform(&stream, 1, 10.77));
        histogram_record(&h, sample[i]);
    }
    qsort(sample, SAMPLES, sizeof sample[0], ascending);
}

START_TEST(quantiles_are_those_of_the_sorted_values_within_three_digits)
{
    fill(1);
    for (int i = 1; i <= SAMPLES; i++) {
        const int64_t exact = sample[i - 1];
        const int64_t found = histogram_quantile(&h, (double)i / SAMPLES);
        ck_assert_int_ge(found, exact);
        ck_assert_int_le(found - exact, exact / 1000);
    }
    ck_assert_int_eq(histogram_quantile(&h, 1), sample[SAMPLES - 1]);
}
END_TEST

START_TEST(the_figures_that_need_no_bucket_are_exact)
{
    fill(2);
    double sum = 0;
    for (int i = 0; i < SAMPLES; i++)
        sum += (double)sample[i];
    ck_assert_int_eq(histogram_min(&h), sample[0]);
    ck_assert_int_eq(histogram_max(&h), sample[SAMPLES - 1]);
    ck_assert_uint_eq(histogram_count(&h), SAMPLES);
    ck_assert_double_eq_tol(histogram_mean(&h) / (sum / SAMPLES), 1, 1e-9);
}
END_TEST

START_TEST(a_quantile_is_of_the_nearest_rank)
{
    histogram_reset(&h);
    for (int64_t i = 1; i <= 100; i++)
        histogram_record(&h, i);
    ck_assert_int_eq(histogram_quantile(&h, 0), 1);
    ck_assert_int_eq(histogram_quantile(&h, 0.005), 1);
    ck_assert_int_eq(histogram_quantile(&h, 0.07), 7);
    ck_assert_int_eq(histogram_quantile(&h, 0.5), 50);
    ck_assert_int_eq(histogram_quantile(&h, 0.501), 51);
    ck_assert_int_eq(histogram_quantile(&h, 0.99), 99);
    ck_assert_int_eq(histogram_quantile(&h, 1), 100);
    ck_assert_int_eq(histogram_quantile(&h, 7), 100);
    ck_assert_int_eq(histogram_quantile(&h, -1), 1);
    ck_assert_int_eq(histogram_quantile(&h, NAN), 1);
}
END_TEST

START_TEST(buckets_follow_each_other_without_gap_and_are_a_thousandth_wide)
{
    histogram_reset(&h);
    int64_t next_ns = 0;
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
        const struct histogram_bucket bucket = histogram_bucket_at(&h, i);
        ck_assert_int_eq(bucket.from_ns, next_ns);
        ck_assert_int_ge(bucket.to_ns, bucket.from_ns);
        ck_assert_int_le((bucket.to_ns - bucket.from_ns) * 1000, bucket.from_ns);
        next_ns = bucket.to_ns + 1;
        // Both ends are counted in it.
        histogram_record(&h, bucket.from_ns);
        histogram_record(&h, bucket.to_ns);
        ck_assert_uint_eq(h.bucket[i], 2);
    }
    ck_assert_int_eq(next_ns, HISTOGRAM_MAX_NS + 1);
    ck_assert_int_ge(HISTOGRAM_MAX_NS, 100000000000);
}
END_TEST

static void check_same(void)
{
    ck_assert_uint_eq(h.count, other.count);
    ck_assert_uint_eq(h.overflow, other.overflow);
    ck_assert_uint_eq(h.negative, other.negative);
    ck_assert_int_eq(h.min_ns, other.min_ns);
    ck_assert_int_eq(h.max_ns, other.max_ns);
    ck_assert_double_eq_tol(h.sum_ns, other.sum_ns, 1e-9 * other.sum_ns);
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        ck_assert_uint_eq(h.bucket[i], other.bucket[i]);
}

START_TEST(merged_they_are_as_if_recorded_in_one)
{
    static struct histogram half;
    struct random_stream stream;
    random_start(&stream, 4, "merge");
    histogram_reset(&h);
    histogram_reset(&half);
    histogram_reset(&other);
    for (int i = 0; i < 10000; i++) {
        const int64_t value = (int64_t)pow(10, random_uniform(&stream, 0, 11.5)) - 10;
        histogram_record(i % 3 == 0 ? &h : &half, value);
        histogram_record(&other, value);
    }
    ck_assert_uint_gt(other.overflow, 0);
    ck_assert_uint_gt(other.negative, 0);
    histogram_add(&h, &half);
    check_same();
}
END_TEST

START_TEST(what_is_beyond_the_range_is_counted_and_its_maximum_kept)
{
    histogram_reset(&h);
    histogram_record(&h, 1000);
    histogram_record(&h, HISTOGRAM_MAX_NS);
    ck_assert_uint_eq(h.overflow, 0);
    histogram_record(&h, HISTOGRAM_MAX_NS + 1);
    histogram_record(&h, 500000000000);
    ck_assert_uint_eq(h.overflow, 2);
    ck_assert_uint_eq(h.count, 4);
    ck_assert_int_eq(histogram_quantile(&h, 0.25), 1000);
    ck_assert_int_eq(histogram_quantile(&h, 0.5), HISTOGRAM_MAX_NS);
    ck_assert_int_eq(histogram_quantile(&h, 0.75), 500000000000);
    struct histogram_bucket bucket;
    unsigned position = 0, buckets = 0;
    while (histogram_next(&h, &position, &bucket))
        buckets++;
    ck_assert_uint_eq(buckets, 3);
    ck_assert_int_eq(bucket.from_ns, HISTOGRAM_MAX_NS + 1);
    ck_assert_int_eq(bucket.to_ns, 500000000000);
    ck_assert_uint_eq(bucket.count, 2);
    ck_assert(!histogram_next(&h, &position, &bucket)); // and stays at the end
}
END_TEST

START_TEST(an_empty_histogram_has_no_figures)
{
    histogram_reset(&h);
    struct histogram_bucket bucket;
    unsigned position = 0;
    ck_assert_int_eq(histogram_quantile(&h, 0.5), 0);
    ck_assert_int_eq(histogram_min(&h), 0);
    ck_assert_int_eq(histogram_max(&h), 0);
    ck_assert_double_eq(histogram_mean(&h), 0);
    ck_assert(!histogram_next(&h, &position, &bucket));
}
END_TEST

UNIT_MAIN("histogram", quantiles_are_those_of_the_sorted_values_within_three_digits,
          the_figures_that_need_no_bucket_are_exact, a_quantile_is_of_the_nearest_rank,
          buckets_follow_each_other_without_gap_and_are_a_thousandth_wide,
          merged_they_are_as_if_recorded_in_one,
          what_is_beyond_the_range_is_counted_and_its_maximum_kept,
          an_empty_histogram_has_no_figures)
