// harness/histogram_export and histogram_code: texts and bytes that other programs read, computed
// by hand.
#include "tests/unit/common/unit.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "harness/history/histogram_code.h"
#include "harness/export/histogram_export.h"

static struct histogram h, other;
static uint8_t code[HISTOGRAM_CODE_MAX_B];

// What is written of the first `columns` histograms, for hgrm of the first alone; the caller's to
// free.
enum form { HGRM, CYCLICTEST };
static char *text_of(enum form form, unsigned columns)
{
    const struct histogram *both[] = {&h, &other};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    if (form == HGRM)
        histogram_write_hgrm(&h, out);
    else
        histogram_write_cyclictest(both, columns, out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static void check_text(enum form form, unsigned columns, const char *wanted)
{
    char *text = text_of(form, columns);
    ck_assert_str_eq(text, wanted);
    free(text);
}

START_TEST(ten_values_give_the_lines_that_hdrhistogram_writes)
{
    histogram_reset(&h);
    for (int64_t us = 1; us <= 10; us++)
        histogram_record(&h, 1000 * us);
    // The upper ends of their buckets, at shares whose steps halve at 50, 75, 87.5 %.
    check_text(HGRM, 1,
               "       Value     Percentile TotalCount 1/(1-Percentile)\n"
               "\n"
               "       1.000 0.000000000000          1           1.00\n"
               "       1.000 0.100000000000          1           1.11\n"
               "       2.000 0.200000000000          2           1.25\n"
               "       3.001 0.300000000000          3           1.43\n"
               "       4.001 0.400000000000          4           1.67\n"
               "       5.003 0.500000000000          5           2.00\n"
               "       6.003 0.550000000000          6           2.22\n"
               "       6.003 0.600000000000          6           2.50\n"
               "       7.003 0.650000000000          7           2.86\n"
               "       7.003 0.700000000000          7           3.33\n"
               "       8.003 0.750000000000          8           4.00\n"
               "       8.003 0.775000000000          8           4.44\n"
               "       8.003 0.800000000000          8           5.00\n"
               "       9.007 0.825000000000          9           5.71\n"
               "       9.007 0.850000000000          9           6.67\n"
               "       9.007 0.875000000000          9           8.00\n"
               "       9.007 0.887500000000          9           8.89\n"
               "       9.007 0.900000000000          9          10.00\n"
               "      10.007 0.912500000000         10          11.43\n"
               "      10.007 1.000000000000         10\n"
               "#[Mean    =        5.502, StdDeviation   =        2.874]\n"
               "#[Max     =       10.007, Total count    =           10]\n"
               "#[Buckets =           27, SubBuckets     =         2048]\n");
}
END_TEST

START_TEST(a_share_half_way_between_two_numbers_of_12_digits_is_rounded_up_as_java_does)
{
    histogram_reset(&h);
    for (int i = 0; i < 20000; i++)
        histogram_record(&h, i == 0 ? 2 : 1);
    char *text = text_of(HGRM, 1);
    ck_assert_ptr_nonnull(strstr(text, " 0.999780273438 ")); // 1 - 0.9 / 2^12 = 0.9997802734375
    ck_assert_ptr_nonnull(strstr(text, " 0.999926757813 "));
    free(text);
}
END_TEST

START_TEST(one_value_and_none_have_their_lines_too)
{
    histogram_reset(&h);
    check_text(HGRM, 1,
               "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
               "#[Mean    =        0.000, StdDeviation   =        0.000]\n"
               "#[Max     =        0.000, Total count    =            0]\n"
               "#[Buckets =           27, SubBuckets     =         2048]\n");
    histogram_record(&h, 1500);
    check_text(HGRM, 1,
               "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
               "       1.500 0.000000000000          1           1.00\n"
               "       1.500 1.000000000000          1\n"
               "#[Mean    =        1.500, StdDeviation   =        0.000]\n"
               "#[Max     =        1.500, Total count    =            1]\n"
               "#[Buckets =           27, SubBuckets     =         2048]\n");
}
END_TEST

START_TEST(more_values_than_a_double_can_tell_apart_have_an_end)
{
    histogram_reset(&h);
    h.bucket[7] = ((uint64_t)1 << 62) - 1;
    h.bucket[8] = h.bucket[9] = 1;
    h.count = h.bucket[7] + 2;
    char *text = text_of(HGRM, 1);
    ck_assert_uint_lt(strlen(text), 30000);
    ck_assert_ptr_nonnull(strstr(text, "0.009 1.000000000000 4611686018427387905\n"));
    free(text);
}
END_TEST

START_TEST(cyclictest_text_has_a_column_per_histogram_and_the_same_totals)
{
    histogram_reset(&h);
    histogram_reset(&other);
    histogram_record(&h, 400);
    histogram_record(&h, 2100);
    histogram_record(&h, 2900);
    histogram_record(&other, 3000);
    histogram_record(&other, 1999999); // from 1999.872 to 2000.895 us: its middle counts
    histogram_record(&other, (int64_t)3e9);
    histogram_record(&other, HISTOGRAM_MAX_NS + 1);
    check_text(CYCLICTEST, 1,
               "# Histogram\n000000 000001\n000001 000000\n000002 000002\n"
               "# Total: 000000003\n# Min Latencies: 00000\n# Avg Latencies: 00001\n"
               "# Max Latencies: 00002\n# Histogram Overflows: 00000\n");
    char *text = text_of(CYCLICTEST, 2);
    ck_assert_ptr_nonnull(strstr(text, "\n000002 000002\t000000\n000003 000000\t000001\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n002000 000000\t000001\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n999999 000000\t000000\n# Total: 000000003 000000002\n"
                                       "# Min Latencies: 00000 00003\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n# Max Latencies: 00002 137438953\n"
                                       "# Histogram Overflows: 00000 00002\n"));
    free(text);
}
END_TEST

// Cookie 1c849313, payload, offset 0, 3 digits, from 1 to 2^37 - 1, ratio 1.0; then zig-zag LEB128:
// a count, or minus how many are 0.
static const uint8_t known[] = {0x1c,        0x84, 0x93, 0x13, 0, 0, 0, 7,    0,    0,
                                0,           0,    0,    0,    0, 3, 0, 0,    0,    0,
                                0,           0,    0,    1,    0, 0, 0, 0x1f, 0xff, 0xff,
                                0xff,        0xff, 0x3f, 0xf0, 0, 0, 0, 0,    0,    0,
                                0x00,               // 0 ns: never
                                0x02,               // 1 ns: once
                                0x05,               // 2 to 4 ns: never
                                0xd0,        0x0f,  // 5 ns: 1000 times
                                0x01 + 0x02, 0x06}; // 6 and 7 ns: never; 8 ns: 3 times

START_TEST(the_bytes_are_those_of_hdrhistograms_second_encoding)
{
    histogram_reset(&h);
    histogram_record(&h, 1);
    for (int i = 0; i < 1000; i++)
        histogram_record(&h, 5);
    for (int i = 0; i < 3; i++)
        histogram_record(&h, 8);
    ck_assert_uint_eq(histogram_encode(&h, code), sizeof known);
    ck_assert_mem_eq(code, known, sizeof known);
}
END_TEST

START_TEST(what_is_encoded_is_decoded)
{
    struct random_stream stream;
    random_start(&stream, 5, "code");
    histogram_reset(&h);
    for (int i = 0; i < 100000; i++)
        histogram_record(&h, (int64_t)random_uniform(&stream, 0, 3e6));
    h.bucket[HISTOGRAM_BUCKETS - 1] = (uint64_t)1 << 62; // takes all nine bytes
    h.count += h.bucket[HISTOGRAM_BUCKETS - 1];
    const size_t size_B = histogram_encode(&h, code);
    ck_assert(histogram_decode(code, size_B, &other));
    ck_assert_uint_eq(other.count, h.count);
    ck_assert_mem_eq(h.bucket, other.bucket, sizeof h.bucket);
}
END_TEST

START_TEST(every_bucket_used_fits_the_buffer)
{
    histogram_reset(&h);
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        h.bucket[i] = (uint64_t)1 << 62;
    ck_assert_uint_eq(histogram_encode(&h, code), HISTOGRAM_CODE_MAX_B);
    ck_assert(!histogram_decode(code, HISTOGRAM_CODE_MAX_B, &other)); // more values than can be
    ck_assert_uint_eq(other.count, 0);
}
END_TEST

START_TEST(bytes_that_are_no_histogram_are_refused)
{
    for (size_t cut = 0; cut < sizeof known; cut++)
        ck_assert(!histogram_decode(known, cut, &h));
    for (size_t i = 0; i < HISTOGRAM_HEADER_B; i++) { // no byte of the head may differ
        memcpy(code, known, sizeof known);
        code[i] ^= 0x40;
        ck_assert(!histogram_decode(code, sizeof known, &h));
    }
    // A run of zeros past the last bucket, and the longest there is.
    static const uint8_t run[][4] = {{0xff, 0xff, 0xff, 0x7f}, {0xff, 0xff, 0xff, 0xff}};
    for (int i = 0; i < 2; i++) {
        memcpy(code, known, sizeof known);
        memcpy(code + sizeof known - 4, run[i], 4);
        ck_assert(!histogram_decode(code, sizeof known, &h));
    }
    ck_assert(histogram_decode(known, sizeof known, &h));
    ck_assert_uint_eq(h.count, 1004);
}
END_TEST

UNIT_MAIN("histogram_export", ten_values_give_the_lines_that_hdrhistogram_writes,
          a_share_half_way_between_two_numbers_of_12_digits_is_rounded_up_as_java_does,
          one_value_and_none_have_their_lines_too,
          more_values_than_a_double_can_tell_apart_have_an_end,
          cyclictest_text_has_a_column_per_histogram_and_the_same_totals,
          the_bytes_are_those_of_hdrhistograms_second_encoding, what_is_encoded_is_decoded,
          every_bucket_used_fits_the_buffer, bytes_that_are_no_histogram_are_refused)
