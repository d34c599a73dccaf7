#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "clock/futex.h"
#include "harness/store/campaign_histories.h"
#include "harness/cli/cli_bench.h"
#include "harness/bench/latency/latency_bench.h"
#include "harness/bench/latency/latency_print.h"
#include "harness/bench/latency/latency_report.h"
#include "harness/bench/latency/latency_store.h"
#include "harness/report/report_page.h"

#define CONFIGURATIONS_MAX 16
#define RUNS_DEFAULT 5
#define DURATION_DEFAULT_S 8
#define DURATION_QUICK_S 4
#define TARGET_DEFAULT "hubo2"
#define DURATION_MIN_S 2 // the first second is not counted
#define DURATION_MAX_S 3600
#define COARSE_GRID_MS 40
#define FAST_PERIOD_NS 5000000 // shorter ones are recorded more often
#define FAST_GRID_MS 4
#define REPORT_DEFAULT "report/latency"

static const char usage[] =
    "usage: ukemi bench latency [--target NAME] [--scenario NAME[=LABEL]]... [--runs N]\n"
    "                           [--duration S] [--no-cost] [--quick] [--virtual] [--db PATH]\n"
    "                           [--report DIR]\n\n"
    "Runs trials in real time and says how long the target's loop takes, from a published\n"
    "state to the first state that shows its answer, stage by stage, beside what this machine\n"
    "itself takes in the same minute. doc/reference/latency.md explains the figures.\n\n"
    "  --target NAME    of the scenarios (default " TARGET_DEFAULT ")\n"
    "  --scenario NAME  measure this one, stored under LABEL (default its name); again for more.\n"
    "                   Without: 100 Hz in two periods and in one, 200 Hz, 500 Hz and 1 kHz\n"
    "                   (the last two on buses that cost nothing)\n"
    "  --runs N         of each configuration, taken in turn (default 5)\n"
    "  --duration S     of a run, at most the scenario's own (default 8)\n"
    "  --no-cost        do not measure what watching costs: no runs without probes, with a\n"
    "                   coarser recorder, or without the machine's floor beside them\n"
    "  --quick          one run of 4 s each, unless --runs or --duration says otherwise\n"
    "  --virtual        on the virtual clock: what is planned, and what is missed by it, always\n"
    "                   the same; one run, nothing of the machine, nothing stored, no page: not\n"
    "                   with --runs, --db or --report\n"
    "  --db PATH        where each run is stored, as benchmark \"latency\"\n"
    "                   (default " CLI_DATABASE ")\n"
    "  --report DIR     where the page, its plots and the histograms go\n"
    "                   (default " REPORT_DEFAULT ")\n\n"
    "Exit status: 0 the loop takes at most two periods at p99.9 in every configuration, 1 it\n"
    "does not, 2 bad input, 3 the lab failed, or the machine refused real-time priority.\n";

// What is measured unless --scenario says otherwise; those that are not there are left out.
static const struct {
    const char *label, *scenario;
} defaults[] = {
    {"100 Hz two-period", "003-walk-dynamic"},
    {"100 Hz one-period", "032-one-period-walk"},
    {"200 Hz two-period", "030-rate-200-hz"},
    {"500 Hz", "034-rate-500-hz"},
    {"1 kHz", "035-rate-1-khz"},
};
#define DEFAULTS (sizeof defaults / sizeof defaults[0])

// The first configuration again, watched less.
static const struct {
    const char *label;
    struct observer observer;
    bool alone;
} watched_less[] = {
    {"without probes", {.probes_off = true}, false},
    {"recorder every 40 ms", {.grid_ms = COARSE_GRID_MS}, false},
    {"without the floor beside it", {0}, true},
};
#define WATCHED_LESS (sizeof watched_less / sizeof watched_less[0])

struct bench {
    const char *target, *scenario[CONFIGURATIONS_MAX];
    unsigned scenario_count;
    uint64_t runs, duration_s; // 0 while parsing: not said
    bool no_cost, virtual_clock, quick;
    const char *database_path, *report; // NULL while parsing: not said
    struct database *database;
    int64_t campaign_id;
    unsigned count, main_count; // configurations; of these, not for the cost
    struct cli_bench loaded[CONFIGURATIONS_MAX];
    struct latency_configuration configuration[CONFIGURATIONS_MAX];
    struct latency_result *result[CONFIGURATIONS_MAX];
};

// One option; false: it is wrong, and that is said.
static bool take(struct bench *b, int option)
{
    switch (option) {
    case 'r':
        return cli_count(optarg, "--runs", 1, LATENCY_RUNS_MAX, &b->runs);
    case 'd':
        return cli_count(optarg, "--duration", DURATION_MIN_S, DURATION_MAX_S, &b->duration_s);
    case 't':
        b->target = optarg;
        return true;
    case 's':
        if (b->scenario_count == CONFIGURATIONS_MAX - WATCHED_LESS) {
            log_error("--scenario %s: one too many; name at most %zu", optarg,
                      CONFIGURATIONS_MAX - WATCHED_LESS);
            return false;
        }
        b->scenario[b->scenario_count++] = optarg;
        return true;
    case 'b':
        b->database_path = optarg;
        return true;
    case 'p':
        b->report = optarg;
        return true;
    case 'n':
        b->no_cost = true;
        return true;
    case 'v':
        b->virtual_clock = b->no_cost = true;
        return true;
    case 'q':
        b->quick = true;
        return true;
    default:
        cli_wrong_word("bench latency", NULL);
        return false;
    }
}

// What the options say together, and what they leave open. Errors are said.
static enum exit_code settle(struct bench *b)
{
    const char *idle = b->database_path != NULL ? "--db"
                       : b->report != NULL      ? "--report"
                       : b->runs > 0            ? "--runs"
                                                : NULL;
    const bool once = b->virtual_clock || b->quick;
    b->runs = b->runs > 0 ? b->runs : once ? 1 : RUNS_DEFAULT;
    if (b->duration_s == 0)
        b->duration_s = b->quick ? DURATION_QUICK_S : DURATION_DEFAULT_S;
    b->target = b->target != NULL ? b->target : TARGET_DEFAULT;
    b->database_path = b->database_path != NULL ? b->database_path : CLI_DATABASE;
    b->report = b->report != NULL ? b->report : REPORT_DEFAULT;
    return cli_refuse_idle(b->virtual_clock ? idle : NULL,
                           "with --virtual, which runs once, stores nothing and writes no page; "
                           "leave out one of the two");
}

// EXIT_PASS to go on, else the exit code; *done: help was asked for.
static enum exit_code parse(int argc, char **argv, struct bench *b, bool *done)
{
    static const struct option options[] = {{"target", required_argument, NULL, 't'},
                                            {"scenario", required_argument, NULL, 's'},
                                            {"runs", required_argument, NULL, 'r'},
                                            {"duration", required_argument, NULL, 'd'},
                                            {"no-cost", no_argument, NULL, 'n'},
                                            {"db", required_argument, NULL, 'b'},
                                            {"report", required_argument, NULL, 'p'},
                                            {"virtual", no_argument, NULL, 'v'},
                                            {"quick", no_argument, NULL, 'q'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h') {
            *done = true;
            return cli_usage(usage, true);
        }
        if (!take(b, option))
            return EXIT_INPUT;
    }
    if (optind != argc)
        return cli_wrong_word("bench latency", argv[optind]);
    return settle(b);
}

// ---- configurations ---------------------------------------------------------------------------------

static enum status label_it(const struct bench *b, const char *label,
                            struct latency_configuration *new)
{
    if (!cli_label(label, new->label))
        return STATUS_INVALID;
    for (unsigned i = 0; i < b->count; i++)
        if (strcmp(b->configuration[i].label, new->label) == 0) {
            log_error("--scenario: two are called '%s'; write --scenario NAME=LABEL", new->label);
            return STATUS_INVALID;
        }
    return STATUS_OK;
}

// `label` NULL: the scenario's name.
static enum status add(struct bench *b, const char *label, const char *scenario)
{
    struct cli_bench *loaded = &b->loaded[b->count];
    enum status status = cli_load_scenario(scenario, loaded);
    if (status != STATUS_OK)
        return status;
    status = cli_check_bench(loaded);
    if (status != STATUS_OK) {
        cli_free(loaded);
        return status;
    }
    if (strcmp(loaded->scenario->target, b->target) != 0) {
        log_error("--target %s: scenario %s is of target %s; leave --target out, or name with "
                  "--scenario what `ukemi list scenarios` shows of %s",
                  b->target, scenario, loaded->scenario->target, b->target);
        cli_free(loaded);
        return STATUS_INVALID;
    }
    if (loaded->scenario->duration_s > (double)b->duration_s) { // cut short: a goal is not reached
        loaded->scenario->duration_s = (double)b->duration_s;
        loaded->scenario->must_complete = false;
    }
    struct latency_configuration *new = &b->configuration[b->count];
    *new = (struct latency_configuration){
        .target = loaded->target, .scenario = loaded->scenario, .description = loaded->description};
    new->mode = b->virtual_clock ? CLK_VIRTUAL : CLK_WALL;
    status = label_it(b, label != NULL ? label : loaded->scenario->name, new);
    if (status == STATUS_OK)
        status = latency_result_create(&b->result[b->count]);
    b->count++;
    return status;
}

// "NAME" or "NAME=LABEL".
static enum status add_named(struct bench *b, const char *word)
{
    char name[PATH_MAX_LENGTH];
    if (strlen(word) >= sizeof name) {
        log_error("--scenario: '%.20s...' is longer than any path; name a scenario", word);
        return STATUS_INVALID;
    }
    text_copy(name, sizeof name, word);
    const char *label = cli_cut_label(name);
    return add(b, label, name);
}

static enum status add_watched_less(struct bench *b)
{
    for (size_t i = 0; i < WATCHED_LESS; i++) {
        struct latency_configuration *new = &b->configuration[b->count];
        *new = b->configuration[0];
        text_copy(new->label, sizeof new->label, watched_less[i].label);
        new->observer = watched_less[i].observer;
        new->alone = watched_less[i].alone;
        enum status status = latency_result_create(&b->result[b->count++]);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status configure(struct bench *b)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < b->scenario_count && status == STATUS_OK; i++)
        status = add_named(b, b->scenario[i]);
    for (size_t i = 0; i < DEFAULTS && b->scenario_count == 0 && status == STATUS_OK; i++)
        if (cli_has_scenario(defaults[i].scenario))
            status = add(b, defaults[i].label, defaults[i].scenario);
    b->main_count = b->count;
    if (status == STATUS_OK && !b->no_cost)
        status = add_watched_less(b);
    return status;
}

// ---- running ----------------------------------------------------------------------------------------

static enum status start_storing(struct bench *b)
{
    enum status status = database_open(b->database_path, DATABASE_WRITE, &b->database);
    if (status == STATUS_OK)
        status = histories_prepare(b->database_path);
    if (status == STATUS_OK)
        status = benchmark_start(b->database, "latency", "ukemi bench latency", b->target,
                                 &b->campaign_id);
    for (unsigned i = 0; i < b->count && status == STATUS_OK; i++)
        b->result[i]->evidence = (struct evidence){
            .database = b->database_path, .campaign_id = b->campaign_id, .cell = i};
    return status;
}

static enum status run_all(struct bench *b)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < b->main_count && status == STATUS_OK; i++) {
        status = latency_schedule(&b->configuration[i], cli_build, b->result[i]);
        if (b->result[i]->figures->period.ns < FAST_PERIOD_NS) // or channels run over
            b->configuration[i].observer.grid_ms = FAST_GRID_MS;
    }
    for (uint64_t run = 1; run <= b->runs && status == STATUS_OK; run++)
        for (unsigned i = 0; i < b->count && status == STATUS_OK; i++) {
            fprintf(stderr, "run %llu of %llu: %s\n", (unsigned long long)run,
                    (unsigned long long)b->runs, b->configuration[i].label);
            status = latency_bench_run(&b->configuration[i], cli_build, run, b->result[i]);
            if (i + 1 == b->count && status == STATUS_OK && b->database != NULL)
                status = latency_store(b->database, b->campaign_id, b->configuration, b->result,
                                       b->count);
        }
    return status;
}

// Whether the machine refused what real time needs, so that a bound which is not met is not the target's fault.
static bool is_ordinary(const struct bench *b)
{
    bool ordinary = false;
    for (unsigned i = 0; i < b->count; i++)
        for (unsigned run = 0; run < b->result[i]->run_count; run++)
            ordinary |= b->result[i]->run[run].ordinary;
    return ordinary;
}

static enum exit_code conclude(const struct bench *b)
{
    const bool ordinary = is_ordinary(b);
    bool failed = false, met = true;
    for (unsigned i = 0; i < b->main_count; i++) {
        const struct latency_verdict verdict = latency_judge(b->result[i]->figures);
        for (unsigned run = 0; run < b->result[i]->run_count; run++)
            failed |= !b->result[i]->run[run].ran && !b->result[i]->run[run].left_out;
        failed |= !verdict.measured;
        met &= verdict.met;
    }
    if (ordinary)
        log_error("SCHED_FIFO or locked memory was refused: these are the times of ordinary "
                  "processes, and say little about the target; be root, or raise the limits "
                  "rtprio and memlock (`ukemi doctor` tells)");
    return failed || (ordinary && !met) ? EXIT_LAB : met ? EXIT_PASS : EXIT_FAIL;
}

static enum exit_code run_and_print(struct bench *b)
{
    const int64_t start_ns = monotonic_ns();
    enum status status = configure(b);
    if (status == STATUS_OK && !b->virtual_clock && report_make_folder(b->report) != STATUS_OK)
        status = STATUS_INVALID; // before anything is measured
    if (status == STATUS_OK && !b->virtual_clock)
        status = start_storing(b);
    if (status == STATUS_OK)
        status = run_all(b);
    if (status == STATUS_OK && b->database != NULL)
        status = benchmark_finish(b->database, b->campaign_id,
                                  1e-9 * (double)(monotonic_ns() - start_ns));
    if (status != STATUS_OK)
        return cli_exit_of(status);
    for (unsigned i = 0; i < b->main_count; i++)
        latency_print(stdout, &b->configuration[i], b->result[i]);
    latency_print_summary(stdout, b->configuration, b->result, b->main_count);
    latency_print_cost(stdout, &b->configuration[0], b->result[0], &b->configuration[b->main_count],
                       &b->result[b->main_count], b->count - b->main_count);
    if (b->virtual_clock)
        return conclude(b);
    const struct latency_bench_facts facts = {.target = b->target,
                                              .duration_s = (double)b->duration_s,
                                              .runs = (unsigned)b->runs,
                                              .ordinary = is_ordinary(b)};
    status =
        latency_report(&facts, b->configuration, b->result, b->count, b->main_count, b->report);
    if (status != STATUS_OK)
        return EXIT_LAB;
    printf("\nreport: %s/latency.html; how to read all this: doc/reference/latency.md\n"
           "stored: number %lld of %s, which `ukemi diff` compares with others\n",
           b->report, (long long)b->campaign_id, b->database_path);
    status = cli_bench_print_bad(b->database, b->database_path, b->campaign_id);
    return status == STATUS_OK ? conclude(b) : cli_exit_of(status);
}

int cli_bench_latency(int argc, char **argv)
{
    struct bench *b = calloc(1, sizeof *b);
    if (b == NULL) {
        log_error("no memory");
        return EXIT_LAB;
    }
    bool done = false;
    enum exit_code code = parse(argc, argv, b, &done);
    if (!done && code == EXIT_PASS)
        code = run_and_print(b);
    for (unsigned i = 0; i < b->count; i++) {
        latency_result_free(b->result[i]);
        cli_free(&b->loaded[i]);
    }
    if (b->database != NULL)
        database_close(b->database);
    free(b);
    return code;
}
