#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "clock/futex.h"
#include "harness/trial/awake.h"
#include "harness/store/campaign_histories.h"
#include "harness/cli/cli_bench.h"
#include "harness/bench/interference/computing_bench.h"
#include "harness/store/statistics.h"

#define CONFIGURATIONS_MAX 8
#define RUNS_MAX 100
#define RUNS_DEFAULT 12
#define ROUNDS_FACTOR                                                                              \
    3 // rounds at most for each run asked for, if the machine is slow now and then
#define DURATION_DEFAULT_S 1
#define DURATION_MIN_S 0.5 // of which the first 0.3 are not counted
#define DURATION_MAX_S 3600
#define SCENARIO_DEFAULT "034-rate-500-hz"

static const char usage[] =
    "usage: ukemi bench daemons [--scenario NAME[=LABEL]]... [--runs N] [--duration S] [--db "
    "PATH]\n\n"
    "How much each daemon of a target computes: the processor time that it uses per millisecond,\n"
    "the kernel's work for it included. Runs in real time, on one core that is kept awake, which\n"
    "makes runs alike; `ukemi diff` then finds a daemon that became a fifth slower.\n"
    "doc/reference/benchmarks.md explains the figures.\n\n"
    "  --scenario NAME  measure this one, stored under LABEL (default its name); up to 8,\n"
    "                   in turns (default " SCENARIO_DEFAULT ")\n"
    "  --runs N         of each while the machine is not slow (default 12); at most three times\n"
    "                   as many are taken\n"
    "  --duration S     of a run, at most the scenario's own (default 1)\n"
    "  --db PATH        where each run is stored, as benchmark \"daemons\" (default " CLI_DATABASE
    ")\n\n"
    "Exit status: 0 measured, 2 bad input, 3 the lab failed.\n";

struct configuration {
    char label[NAME_MAX_LENGTH]; // the cell of the stored benchmark
    struct cli_bench loaded;
    struct evidence evidence;
};

struct bench {
    char *scenario[CONFIGURATIONS_MAX];
    unsigned count; // of configurations
    uint64_t runs;
    double duration_s;
    const char *database_path;
    struct database *database;
    int64_t campaign_id;
    struct computing *computing;
    int core;
    struct configuration configuration[CONFIGURATIONS_MAX];
    unsigned rounds;
    struct computing_run *run; // [round * count + configuration]
    double slow_above_us_per_ms;
};

// ---- the command line -------------------------------------------------------------------------

static bool take(struct bench *b, int option)
{
    switch (option) {
    case 's':
        if (b->count == CONFIGURATIONS_MAX) {
            log_error("--scenario %s: one too many; name at most %d", optarg, CONFIGURATIONS_MAX);
            return false;
        }
        b->scenario[b->count++] = optarg;
        return true;
    case 'r':
        return cli_count(optarg, "--runs", 1, RUNS_MAX, &b->runs);
    case 'd':
        return cli_real(optarg, "--duration", DURATION_MIN_S, DURATION_MAX_S, &b->duration_s);
    case 'b':
        b->database_path = optarg;
        return true;
    default:
        cli_wrong_word("bench daemons", NULL);
        return false;
    }
}

// EXIT_PASS to go on, else the exit code; *done: help was asked for.
static enum exit_code parse(int argc, char **argv, struct bench *b, bool *done)
{
    static char default_scenario[] = SCENARIO_DEFAULT;
    static const struct option options[] = {
        {"scenario", required_argument, NULL, 's'}, {"runs", required_argument, NULL, 'r'},
        {"duration", required_argument, NULL, 'd'}, {"db", required_argument, NULL, 'b'},
        {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h') {
            *done = true;
            return cli_usage(usage, true);
        }
        if (!take(b, option))
            return EXIT_INPUT;
    }
    if (optind != argc)
        return cli_wrong_word("bench daemons", argv[optind]);
    if (b->count == 0)
        b->scenario[b->count++] = default_scenario;
    return EXIT_PASS;
}

static enum status configure(struct bench *b)
{
    for (unsigned i = 0; i < b->count; i++) {
        struct configuration *new = &b->configuration[i];
        const char *label = cli_cut_label(b->scenario[i]);
        enum status status = cli_load_scenario(b->scenario[i], &new->loaded);
        if (status == STATUS_OK)
            status = cli_check_bench(&new->loaded);
        if (status != STATUS_OK)
            return status;
        struct scenario *scenario = new->loaded.scenario;
        if (!cli_label(label != NULL ? label : scenario->name, new->label))
            return STATUS_INVALID;
        if (scenario->duration_s > b->duration_s) { // cut short: a goal is not reached
            scenario->duration_s = b->duration_s;
            scenario->must_complete = false;
        }
        for (unsigned k = 0; k < i; k++)
            if (strcmp(b->configuration[k].label, new->label) == 0) {
                log_error("--scenario: two are called '%s'; write --scenario NAME=LABEL",
                          new->label);
                return STATUS_INVALID;
            }
    }
    return STATUS_OK;
}

// ---- running ----------------------------------------------------------------------------------

// Of configuration i in a round. Runs are numbered through, for they are to be no pairs: they hardly drift, but some are far off, and a rank-sum
// test bears that better than a signed-rank test (doc/reference/benchmarks.md).
static unsigned number_of(const struct bench *b, unsigned round, unsigned i)
{
    return round * b->count + i;
}

static const struct computing_run *run_of(const struct bench *b, unsigned round, unsigned i)
{
    return &b->run[number_of(b, round, i)];
}

// How many of a configuration's runs count, as far as is known.
static unsigned counted(const struct bench *b, unsigned i)
{
    unsigned counted = 0;
    for (unsigned round = 0; round < b->rounds; round++)
        counted += computing_counts(run_of(b, round, i), b->slow_above_us_per_ms);
    return counted;
}

static bool enough(const struct bench *b)
{
    for (unsigned i = 0; i < b->count; i++)
        if (counted(b, i) < b->runs)
            return false;
    return true;
}

// Every other round backwards, so that none is always first and a slow drift hits all alike.
static enum status run_round(struct bench *b)
{
    const unsigned round = b->rounds++;
    enum status status = STATUS_OK;
    for (unsigned k = 0; k < b->count && status == STATUS_OK; k++) {
        const unsigned i = round % 2 == 0 ? k : b->count - 1 - k;
        const struct cli_bench *loaded = &b->configuration[i].loaded;
        const struct job job = {.target = loaded->target,
                                .scenario = loaded->scenario,
                                .description = loaded->description,
                                .build_folder = cli_build,
                                .number = number_of(b, round, i),
                                .seed = round + 1};
        struct computing_run *run = &b->run[number_of(b, round, i)];
        status =
            computing_bench_run(&job, b->core, b->computing, &b->configuration[i].evidence, run);
        if (run->trouble[0] != '\0')
            log_info("round %u, %s: does not count: %s", round + 1, b->configuration[i].label,
                     run->trouble);
    }
    b->slow_above_us_per_ms = computing_slow_above(b->run, (size_t)b->rounds * b->count);
    return status;
}

static enum status measure(struct bench *b)
{
    pid_t awake = 0;
    const unsigned rounds_max = ROUNDS_FACTOR * (unsigned)b->runs;
    b->core = awake_core();
    b->computing = computing_create();
    b->run = calloc((size_t)rounds_max * b->count, sizeof *b->run);
    if (b->computing == NULL || b->run == NULL)
        return STATUS_NO_MEMORY;
    enum status status = awake_start(b->core, &awake);
    while (status == STATUS_OK && b->rounds < rounds_max && (b->rounds < b->runs || !enough(b)))
        status = run_round(b);
    awake_stop(awake);
    return status;
}

static enum status start_storing(struct bench *b)
{
    enum status status = database_open(b->database_path, DATABASE_WRITE, &b->database);
    if (status == STATUS_OK)
        status = histories_prepare(b->database_path);
    if (status == STATUS_OK)
        status = benchmark_start(b->database, "daemons", "ukemi bench daemons",
                                 b->configuration[0].loaded.target->name, &b->campaign_id);
    for (unsigned i = 0; i < b->count && status == STATUS_OK; i++)
        b->configuration[i].evidence = (struct evidence){
            .database = b->database_path, .campaign_id = b->campaign_id, .cell = i};
    return status;
}

// What is to be stored of a run: figures if it counts, evidence if it was bad. false: nothing.
static bool fill(const struct bench *b, unsigned round, unsigned i, struct benchmark_run *stored)
{
    const struct configuration *configuration = &b->configuration[i];
    const struct computing_run *run = run_of(b, round, i);
    const bool counts = computing_counts(run, b->slow_above_us_per_ms);
    *stored = (struct benchmark_run){.cell = configuration->label,
                                     .scenario = configuration->loaded.scenario->name,
                                     .number = number_of(b, round, i),
                                     .seed = round + 1,
                                     .wall_s = run->wall_s,
                                     .cpu_s = run->cpu_s,
                                     .figure = run->figure,
                                     .figure_count = counts ? run->figure_count : 0,
                                     .bad = run->bad,
                                     .bad_scenario = configuration->loaded.scenario};
    return counts || run->bad != NULL;
}

static enum status store(const struct bench *b)
{
    unsigned stored = 0;
    struct benchmark_run *runs = calloc((size_t)b->rounds * b->count, sizeof *runs);
    if (runs == NULL)
        return STATUS_NO_MEMORY;
    for (unsigned round = 0; round < b->rounds; round++)
        for (unsigned i = 0; i < b->count; i++)
            stored += fill(b, round, i, &runs[stored]);
    const enum status status =
        stored == 0 ? STATUS_OK : benchmark_add_runs(b->database, b->campaign_id, runs, stored);
    free(runs);
    return status;
}

// ---- what came out ----------------------------------------------------------------------------

// One daemon of a configuration, by the name of its figure.
static void print_figure(const struct bench *b, unsigned i, const char *metric)
{
    double value[ROUNDS_FACTOR * RUNS_MAX], least = INFINITY, most = 0;
    unsigned count = 0;
    for (unsigned round = 0; round < b->rounds; round++) {
        const struct computing_run *run = run_of(b, round, i);
        for (unsigned f = 0; f < run->figure_count; f++)
            if (computing_counts(run, b->slow_above_us_per_ms) &&
                strcmp(run->figure[f].metric, metric) == 0) {
                value[count++] = run->figure[f].value;
                least = fmin(least, run->figure[f].value);
                most = fmax(most, run->figure[f].value);
            }
    }
    if (count > 0)
        printf("  %-28s %8.2f %8.2f %8.2f  us/ms, %u run%s\n", metric, median(value, count), least,
               most, count, text_plural(count));
}

static enum exit_code print(const struct bench *b)
{
    unsigned all = 0;
    printf("  %-28s %8s %8s %8s\n", "", "median", "least", "most");
    for (unsigned i = 0; i < b->count; i++) {
        const unsigned of_this = counted(b, i);
        printf("%s%s%s: %u of %u runs count\n", cli_bold(stdout), b->configuration[i].label,
               cli_plain(stdout), of_this, b->rounds);
        const struct computing_run *first = NULL;
        for (unsigned round = b->rounds; round-- > 0;)
            if (computing_counts(run_of(b, round, i), b->slow_above_us_per_ms))
                first = run_of(b, round, i);
        for (unsigned f = 0; first != NULL && f < first->figure_count; f++)
            print_figure(b, i, first->figure[f].metric);
        all += of_this;
    }
    printf("campaign %lld 'daemons'%s\n", (long long)b->campaign_id,
           all < b->rounds * b->count
               ? "; in a run that does not count the machine was slow, or it is said above why"
               : "");
    return all > 0 ? EXIT_PASS : EXIT_LAB;
}

static enum exit_code measure_and_print(struct bench *b)
{
    const int64_t start_ns = monotonic_ns();
    enum status status = configure(b);
    if (status == STATUS_OK)
        status = start_storing(b);
    if (status == STATUS_OK)
        status = measure(b);
    if (status == STATUS_OK)
        status = store(b);
    if (status == STATUS_OK)
        status = benchmark_finish(b->database, b->campaign_id,
                                  1e-9 * (double)(monotonic_ns() - start_ns));
    if (status != STATUS_OK)
        return cli_exit_of(status);
    const enum exit_code code = print(b);
    status = cli_bench_print_bad(b->database, b->database_path, b->campaign_id);
    return status == STATUS_OK ? code : cli_exit_of(status);
}

int cli_bench_daemons(int argc, char **argv)
{
    struct bench *b = calloc(1, sizeof *b);
    if (b == NULL) {
        log_error("no memory");
        return EXIT_LAB;
    }
    b->database_path = CLI_DATABASE;
    b->runs = RUNS_DEFAULT;
    b->duration_s = DURATION_DEFAULT_S;
    bool done = false;
    enum exit_code code = parse(argc, argv, b, &done);
    if (!done && code == EXIT_PASS)
        code = measure_and_print(b);
    for (unsigned i = 0; i < b->count; i++)
        cli_free(&b->configuration[i].loaded);
    if (b->database != NULL)
        database_close(b->database);
    computing_free(b->computing);
    for (unsigned i = 0; b->run != NULL && i < b->rounds * b->count; i++)
        free(b->run[i].bad);
    free(b->run);
    free(b);
    return code;
}
