#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/store/benchmark.h"
#include "harness/cli/cli_bench.h"
#include "harness/bench/machine/cyclictest.h"
#include "harness/bench/latency/latency_ratio.h"
#include "harness/bench/machine/machine_floor.h"
#include "harness/cell/piped.h"

#define RUNS_DEFAULT 5
#define DURATION_DEFAULT_S 3
#define PRIORITY_DEFAULT 49
#define PERIOD_DEFAULT_US 1000
#define PERIOD_MIN_US 100
#define BINS_US 20000 // lines of cyclictest's histogram

static const char usage[] =
    "usage: ukemi bench floor [--runs N] [--duration S] [--priority N] [--period-us N] [--db "
    "PATH]\n\n"
    "Measures how late a timer wakes a process on this machine, in turn with the lab's own loop "
    "and\n"
    "with cyclictest (rt-tests), and prints both and their ratio, which should be 1. Each run is\n"
    "stored as benchmark \"floor\".\n\n"
    "  --runs N        of each (default 5)\n"
    "  --duration S    of a run (default 3)\n"
    "  --priority N    SCHED_FIFO, 2 to 98 (default 49, that of hubo2's Hardware)\n"
    "  --period-us N   (default 1000)\n"
    "  --db PATH       (default " CLI_DATABASE ")\n\n"
    "Exit status: 0 measured, or skipped: there is no cyclictest; 2 bad input; 3 the lab failed.\n";

struct floor_bench {
    uint64_t runs, duration_s, priority, period_us;
    const char *database_path;
    struct database *database;
    int64_t campaign_id;
};

enum { OURS, CYCLICTEST, BOTH };

struct pair { // of one run
    struct histogram histogram[BOTH];
};

// ---- measuring --------------------------------------------------------------------------------------

static enum status run_ours(const struct floor_bench *b, struct histogram *histogram)
{
    const struct machine_floor_request request = {.priority = (int)b->priority,
                                                  .period = duration_us((int64_t)b->period_us),
                                                  .core = -1,
                                                  .wake_only = true,
                                                  .limit_ns = duration_s(60).ns +
                                                              duration_s((double)b->duration_s).ns};
    struct machine_floor *floor;
    enum status status = machine_floor_start(&request, &floor);
    if (status != STATUS_OK)
        return status;
    sleep((unsigned)b->duration_s);
    machine_floor_stop(floor);
    const struct floor_record *record = machine_floor_record(floor);
    if (!record->real_time)
        log_error("SCHED_FIFO and locked memory are refused: figures of an ordinary process");
    *histogram = record->part[FLOOR_WAKE];
    machine_floor_free(floor);
    return STATUS_OK;
}

// NOT_FOUND: there is no cyclictest. --laptop: it leaves the processor's sleep states alone, as the target and the lab do. It warns of that, once
// a run, which nobody needs to see; if it fails there is no histogram, which is said.
static enum status run_cyclictest(const struct floor_bench *b, struct histogram *histogram)
{
    char priority[24], period[24], length_s[24], bins[24];
    snprintf(priority, sizeof priority, "%" PRIu64, b->priority);
    snprintf(period, sizeof period, "%" PRIu64, b->period_us);
    snprintf(length_s, sizeof length_s, "%" PRIu64, b->duration_s);
    snprintf(bins, sizeof bins, "%d", BINS_US);
    char *const program[] = {"cyclictest", "-q",   "-m", "-t1",    "--laptop", "-p", priority,
                             "-i",         period, "-D", length_s, "-h",       bins, NULL};
    struct piped process;
    double cpu_s;
    enum status status = piped_start(program, true, &process);
    if (status == STATUS_OK) {
        status = cyclictest_read(process.output, histogram);
        (void)piped_end(&process, &cpu_s);
    }
    if (status != STATUS_OK && status != STATUS_NOT_FOUND)
        log_error("cyclictest printed no histogram: it prints none where SCHED_FIFO is refused "
                  "(`ukemi doctor` tells); else try it by hand: cyclictest -m -t1 -p %" PRIu64,
                  b->priority);
    return status;
}

// ---- figures ----------------------------------------------------------------------------------------

static double ratio_of(const struct pair *pair, enum latency_quantile quantile)
{
    const struct latency_spot ours = latency_spot_of(&pair->histogram[OURS]);
    const struct latency_spot theirs = latency_spot_of(&pair->histogram[CYCLICTEST]);
    const double theirs_us = latency_spot_at_us(&theirs, quantile);
    return theirs_us > 0 ? latency_spot_at_us(&ours, quantile) / theirs_us : NAN;
}

static void print_run(uint64_t run, const struct pair *pair)
{
    static const char *const names[BOTH] = {"ours", "cyclictest"};
    for (int i = 0; i < BOTH; i++) {
        const struct latency_spot spot = latency_spot_of(&pair->histogram[i]);
        printf("%3" PRIu64 "  %-10s %8" PRIu64 " wake-ups, us late: median %7.1f  p99 %8.1f  p99.9 "
               "%8.1f  max %8.1f\n",
               run, names[i], spot.count, latency_spot_at_us(&spot, LATENCY_MEDIAN),
               latency_spot_at_us(&spot, LATENCY_P99), latency_spot_at_us(&spot, LATENCY_P999),
               (double)spot.max_ns / 1000);
    }
}

// The campaign begins with its first run: without a cyclictest there is none.
static enum status store(struct floor_bench *b, uint64_t number, const struct pair *pair)
{
    static const char *const names[BOTH] = {"wakes", "cyclictest wakes"};
    struct figure figure[BOTH * LATENCY_QUANTILES + LATENCY_QUANTILES];
    struct benchmark_histogram histogram[BOTH];
    unsigned count = 0;
    for (enum latency_quantile q = 0; q < LATENCY_QUANTILES; q++) {
        for (int i = 0; i < BOTH; i++) {
            const struct latency_spot spot = latency_spot_of(&pair->histogram[i]);
            struct figure *new = &figure[count++];
            *new = (struct figure){.better = BETTER_LESS, .value = latency_spot_at_us(&spot, q)};
            snprintf(new->metric, sizeof new->metric, "%s %s", names[i], latency_quantile_names[q]);
            text_copy(new->unit, sizeof new->unit, "us");
            histogram[i] = (struct benchmark_histogram){.histogram = &pair->histogram[i]};
            text_copy(histogram[i].metric, sizeof histogram[i].metric, names[i]);
        }
        const double ratio = ratio_of(pair, q);
        if (isnan(ratio))
            continue;
        struct figure *new = &figure[count++];
        *new = (struct figure){.better = BETTER_NEITHER, .value = ratio};
        snprintf(new->metric, sizeof new->metric, "wakes / cyclictest %s",
                 latency_quantile_names[q]);
        text_copy(new->unit, sizeof new->unit, "x");
    }
    const struct benchmark_run run = {.cell = "machine",
                                      .scenario = "",
                                      .number = (unsigned)number,
                                      .figure = figure,
                                      .figure_count = count,
                                      .histogram = histogram,
                                      .histogram_count = BOTH};
    enum status status = STATUS_OK;
    if (number == 0)
        status = benchmark_start(b->database, "floor", "ukemi bench floor", "", &b->campaign_id);
    return status == STATUS_OK ? benchmark_add_runs(b->database, b->campaign_id, &run, 1) : status;
}

static void print_ratios(double (*ratio)[LATENCY_RUNS_MAX], unsigned count)
{
    fputs("ratio, ours / cyclictest:", stdout);
    for (enum latency_quantile q = 0; q < LATENCY_QUANTILES; q++) {
        const struct latency_spread spread = latency_spread_of(ratio[q], count);
        printf("%s %s %.2f [%.2f, %.2f]", q == 0 ? "" : ",", latency_quantile_names[q],
               spread.median, spread.low, spread.high);
    }
    fputs("   (median of the runs [least, most])\n", stdout);
}

static enum exit_code run_all(struct floor_bench *b)
{
    static struct pair pair;
    double ratio[LATENCY_QUANTILES][LATENCY_RUNS_MAX];
    for (uint64_t run = 0; run < b->runs; run++) {
        enum status status = run_cyclictest(b, &pair.histogram[CYCLICTEST]);
        if (status == STATUS_NOT_FOUND) {
            puts("SKIP: there is no cyclictest here; scripts/deps --bench installs it (rt-tests)");
            return EXIT_PASS;
        }
        if (status == STATUS_OK)
            status = run_ours(b, &pair.histogram[OURS]);
        if (status == STATUS_OK)
            status = store(b, run, &pair);
        if (status != STATUS_OK)
            return EXIT_LAB;
        print_run(run + 1, &pair);
        for (enum latency_quantile q = 0; q < LATENCY_QUANTILES; q++)
            ratio[q][run] = ratio_of(&pair, q);
    }
    print_ratios(ratio, (unsigned)b->runs);
    return EXIT_PASS;
}

// ---- the command --------------------------------------------------------------------------------------

// EXIT_PASS to go on, else the exit code; *done: help was asked for.
static enum exit_code parse(int argc, char **argv, struct floor_bench *b, bool *done)
{
    static const struct option options[] = {{"runs", required_argument, NULL, 'r'},
                                            {"duration", required_argument, NULL, 'd'},
                                            {"priority", required_argument, NULL, 'p'},
                                            {"period-us", required_argument, NULL, 'i'},
                                            {"db", required_argument, NULL, 'b'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h') {
            *done = true;
            return cli_usage(usage, true);
        }
        if (option == '?')
            return cli_wrong_word("bench floor", NULL);
        if ((option == 'r' && !cli_count(optarg, "--runs", 1, LATENCY_RUNS_MAX, &b->runs)) ||
            (option == 'd' && !cli_count(optarg, "--duration", 1, 600, &b->duration_s)) ||
            (option == 'p' && !cli_count(optarg, "--priority", 2, 98, &b->priority)) ||
            (option == 'i' &&
             !cli_count(optarg, "--period-us", PERIOD_MIN_US, 1000000, &b->period_us)))
            return EXIT_INPUT;
        if (option == 'b')
            b->database_path = optarg;
    }
    return optind == argc ? EXIT_PASS : cli_wrong_word("bench floor", argv[optind]);
}

int cli_bench_floor(int argc, char **argv)
{
    struct floor_bench b = {.runs = RUNS_DEFAULT,
                            .duration_s = DURATION_DEFAULT_S,
                            .priority = PRIORITY_DEFAULT,
                            .period_us = PERIOD_DEFAULT_US,
                            .database_path = CLI_DATABASE};
    bool done = false;
    enum exit_code code = parse(argc, argv, &b, &done);
    if (done || code != EXIT_PASS)
        return code;
    enum status status = database_open(b.database_path, DATABASE_WRITE, &b.database);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    code = run_all(&b);
    if (code == EXIT_PASS &&
        benchmark_finish(b.database, b.campaign_id, 2 * (double)b.runs * (double)b.duration_s) !=
            STATUS_OK)
        code = EXIT_LAB;
    database_close(b.database);
    return code;
}
