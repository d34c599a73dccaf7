// Histograms as bytes, as a database holds them, and the texts that are written of them. What is
// accepted counts as many values as its buckets, has ordered quantiles, and comes back from being
// encoded again.
#include "tests/fuzz/fuzz.h"

#include "harness/history/histogram_code.h"
#include "harness/export/histogram_export.h"

#define TEXT_MAX_B (64u << 20)

static void write_texts(const struct histogram *h)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fuzz_check(out != NULL);
    histogram_write_hgrm(h, out);
    if (histogram_max(h) < 1000000) // lines to the millisecond are enough
        histogram_write_cyclictest(&h, 1, out);
    fuzz_check(fclose(out) == 0 && size > 0 && size < TEXT_MAX_B);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct histogram h, again;
    static uint8_t code[HISTOGRAM_CODE_MAX_B];
    // The head has one good form, which is not worth searching for: without the first bit it is put
    // there.
    static uint8_t given[HISTOGRAM_HEADER_B + 65536];
    size_t given_B = size < sizeof given ? size : sizeof given;
    memcpy(given, data, given_B);
    if (size > 0 && data[0] < 0x80) {
        histogram_reset(&h);
        (void)histogram_encode(&h, given);
        given_B = HISTOGRAM_HEADER_B + (size < 65536 ? size : 65536) - 1;
        memcpy(given + HISTOGRAM_HEADER_B, data + 1, given_B - HISTOGRAM_HEADER_B);
        for (int i = 0; i < 4; i++)
            given[4 + i] = (uint8_t)((given_B - HISTOGRAM_HEADER_B) >> (8 * (3 - i)));
    }
    if (!histogram_decode(given, given_B, &h)) {
        fuzz_check(h.count == 0);
        return 0;
    }
    uint64_t count = 0;
    struct histogram_bucket bucket;
    for (unsigned position = 0; histogram_next(&h, &position, &bucket);)
        count += bucket.count;
    fuzz_check(count == h.count);
    int64_t last_ns = 0;
    for (double q = 0; q <= 1; q += 0.125) {
        const int64_t value_ns = histogram_quantile(&h, q);
        fuzz_check(value_ns >= last_ns && value_ns <= histogram_max(&h));
        last_ns = value_ns;
    }
    fuzz_check(histogram_decode(code, histogram_encode(&h, code), &again));
    fuzz_check(memcmp(h.bucket, again.bucket, sizeof h.bucket) == 0);
    write_texts(&h);
    return 0;
}
