// Our side of the comparison with HdrHistogram and cyclictest (tests/system/histograms.sh): the
// same samples, as our texts and bytes.
//
//   histogram_texts sample KIND SEED COUNT   samples in ns, a line each: KIND decades, stalls,
//                                            edges or one
//   histogram_texts hgrm <SAMPLES            percentile text
//   histogram_texts code <SAMPLES            encoded, in hexadecimal digits
//   histogram_texts decoded <DIGITS          percentile text of what was encoded
//   histogram_texts quantiles <SAMPLES       per cent and value in ns, a line each
//   histogram_texts cyclictest SAMPLES...    the text of cyclictest -h, a column per file
//
// Exit status 2: bad arguments or input.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/histogram.h"
#include "base/random.h"
#include "harness/history/histogram_code.h"
#include "harness/export/histogram_export.h"

#define COLUMNS_MAX 8

static struct histogram histogram[COLUMNS_MAX];
static uint8_t code[HISTOGRAM_CODE_MAX_B];

static _Noreturn void refuse(const char *what)
{
    fprintf(stderr, "histogram_texts: error: %s; see the head of histogram_texts.c\n", what);
    exit(2);
}

// ---- samples ------------------------------------------------------------------------------------

// From 1 ns to 130 s, alike in every decade: every doubling has its values.
static int64_t of_decades(struct random_stream *stream, uint64_t i)
{
    (void)i;
    return (int64_t)pow(10, random_uniform(stream, 0, 11.1));
}

// What a loop of 1 ms measures: some 50 us, and now and then a stall of up to 60 periods.
static int64_t of_stalls(struct random_stream *stream, uint64_t i)
{
    const double usual_ns = 50000 * exp(0.2 * random_uniform(stream, -1, 1));
    const bool stalled = i % 100 == 99;
    return (int64_t)(stalled ? 1e6 * random_uniform(stream, 1, 60) : usual_ns);
}

// The values beside the ends of buckets, doublings and the range.
static int64_t of_edges(struct random_stream *stream, uint64_t i)
{
    (void)stream;
    const int64_t power_ns = (int64_t)1 << i / 3 % 38, value_ns = power_ns + (int64_t)(i % 3) - 1;
    return value_ns > HISTOGRAM_MAX_NS ? HISTOGRAM_MAX_NS : value_ns;
}

static int64_t of_one(struct random_stream *stream, uint64_t i)
{
    (void)stream;
    (void)i;
    return 1234567;
}

static void print_samples(const char *kind, uint64_t seed, uint64_t count)
{
    static const struct {
        const char *name;
        int64_t (*draw)(struct random_stream *, uint64_t);
    } kinds[] = {
        {"decades", of_decades}, {"stalls", of_stalls}, {"edges", of_edges}, {"one", of_one}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strcmp(kind, kinds[k].name) != 0)
            continue;
        struct random_stream stream;
        random_start(&stream, seed, kind);
        for (uint64_t i = 0; i < count; i++)
            printf("%" PRId64 "\n", kinds[k].draw(&stream, i));
        return;
    }
    refuse("no such kind of samples");
}

static void record(FILE *in, struct histogram *h)
{
    char line[64], *end;
    histogram_reset(h);
    while (fgets(line, sizeof line, in) != NULL) {
        const int64_t value_ns = strtoll(line, &end, 10);
        if (end == line || *end != '\n')
            refuse("a line that is no number");
        histogram_record(h, value_ns);
    }
}

// ---- texts --------------------------------------------------------------------------------------

static void print_code(const struct histogram *h)
{
    const size_t size_B = histogram_encode(h, code);
    for (size_t i = 0; i < size_B; i++)
        printf("%02x", code[i]);
    putchar('\n');
}

static void read_code(FILE *in, struct histogram *h)
{
    size_t size_B = 0;
    for (unsigned byte; size_B < sizeof code && fscanf(in, "%2x", &byte) == 1;)
        code[size_B++] = (uint8_t)byte;
    if (!histogram_decode(code, size_B, h))
        refuse("bytes that are no histogram of ours");
}

static void print_quantiles(const struct histogram *h)
{
    static const double percent[] = {0, 0.1, 1, 25, 50, 75, 90, 99, 99.9, 99.99, 100};
    for (size_t i = 0; i < sizeof percent / sizeof percent[0]; i++)
        printf("%g %" PRId64 "\n", percent[i], histogram_quantile(h, percent[i] / 100));
}

static void print_cyclictest(unsigned columns, char **path)
{
    const struct histogram *each[COLUMNS_MAX];
    if (columns > COLUMNS_MAX)
        refuse("more than 8 columns");
    for (unsigned i = 0; i < columns; i++) {
        FILE *in = fopen(path[i], "r");
        if (in == NULL)
            refuse("a file that cannot be read");
        record(in, &histogram[i]);
        fclose(in);
        each[i] = &histogram[i];
    }
    histogram_write_cyclictest(each, columns, stdout);
}

int main(int argc, char **argv)
{
    struct histogram *h = &histogram[0];
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "sample") == 0 && argc == 5) {
        print_samples(argv[2], strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10));
    } else if (strcmp(what, "cyclictest") == 0 && argc > 2) {
        print_cyclictest((unsigned)argc - 2, argv + 2);
    } else if (strcmp(what, "decoded") == 0 && argc == 2) {
        read_code(stdin, h);
        histogram_write_hgrm(h, stdout);
    } else if (argc == 2) {
        record(stdin, h);
        if (strcmp(what, "hgrm") == 0)
            histogram_write_hgrm(h, stdout);
        else if (strcmp(what, "code") == 0)
            print_code(h);
        else if (strcmp(what, "quantiles") == 0)
            print_quantiles(h);
        else
            refuse("no such text");
    } else {
        refuse("arguments");
    }
    return fflush(stdout) == 0 ? EXIT_SUCCESS : 2;
}
