#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "clock/futex.h"
#include "harness/store/campaign_histories.h"
#include "harness/cli/cli_bench.h"
#include "harness/campaign/evidence.h"
#include "harness/bench/interference/interference_bench.h"
#include "harness/bench/interference/interference_expected.h"
#include "harness/bench/interference/interference_print.h"
#include "harness/report/report_benchmark.h"
#include "harness/report/report_page.h"

#define CAMPAIGN_DEFAULT "interference"
#define RUNS_DEFAULT 3
#define RUNS_MAX 100
#define DURATION_MIN_S 2 // the first second is not counted
#define DURATION_MAX_S 3600
#define DURATION_DEFAULT_S 7
#define REPORT_DEFAULT "report/interference"

static const char usage[] =
    "usage: ukemi bench interference [CAMPAIGN] [--row TEXT]... [--runs N] [--duration S]\n"
    "                                [--db PATH] [--report DIR]\n"
    "       ukemi bench interference --stored [--db PATH] [--report DIR]\n\n"
    "Runs the cells of a campaign of faults of load (default interference) in real time and says "
    "which\n"
    "daemon missed how many deadlines before, during and after each fault, and how long the loop "
    "took.\n"
    "doc/reference/interference.md explains the table.\n\n"
    "  --row TEXT    only rows whose title holds TEXT; up to 8 times\n"
    "  --runs N      trials of each, taken in turn (default 3)\n"
    "  --duration S  of a trial, at most the scenario's own (default 7)\n"
    "  --db PATH     where each run is stored, as benchmark \"interference\" (default " CLI_DATABASE
    ")\n"
    "  --report DIR  where the page and its plot go (default " REPORT_DEFAULT ")\n"
    "  --stored      measure nothing: the page of the newest one in the database\n\n"
    "Exit status: 0 measured, 2 bad input, 3 the lab failed: a fault had no effect, say.\n";

#define CHOSEN_MAX 8

struct cell {
    const struct campaign_cell *campaign_cell;
    char label[2 * NAME_MAX_LENGTH];
    struct interference *sum;
    struct evidence evidence;
    char trouble[256]; // why the last trial that gave nothing did not; "" if all did
    bool unsupported;  // this machine cannot: not tried again
};

struct bench {
    const char *campaign; // NULL while parsing: not said
    const char *chosen[CHOSEN_MAX];
    unsigned chosen_count;
    uint64_t runs, duration_s; // 0 while parsing: not said
    bool stored;
    const char *database_path, *report;
    struct database *database;
    int64_t campaign_id;
    struct cli_bench loaded;
    unsigned count;
    struct cell cell[CELLS_MAX];
};

// What the options say together, and what they leave open. Errors are said.
static enum exit_code settle(struct bench *b)
{
    const char *idle = b->campaign != NULL   ? b->campaign
                       : b->chosen_count > 0 ? "--row"
                       : b->runs > 0         ? "--runs"
                       : b->duration_s > 0   ? "--duration"
                                             : NULL;
    b->campaign = b->campaign != NULL ? b->campaign : CAMPAIGN_DEFAULT;
    b->runs = b->runs > 0 ? b->runs : RUNS_DEFAULT;
    b->duration_s = b->duration_s > 0 ? b->duration_s : DURATION_DEFAULT_S;
    return cli_refuse_idle(b->stored ? idle : NULL,
                           "with --stored, which measures nothing; leave out one of the two");
}

// EXIT_PASS to go on, else the exit code; *done: help was asked for.
static enum exit_code parse(int argc, char **argv, struct bench *b, bool *done)
{
    static const struct option options[] = {
        {"row", required_argument, NULL, 'o'},      {"runs", required_argument, NULL, 'r'},
        {"duration", required_argument, NULL, 'd'}, {"db", required_argument, NULL, 'b'},
        {"report", required_argument, NULL, 'p'},   {"stored", no_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h') {
            *done = true;
            return cli_usage(usage, true);
        }
        if (option == 'o' && b->chosen_count == CHOSEN_MAX)
            log_error("--row %s: one too many; name at most %d", optarg, CHOSEN_MAX);
        if (option == '?')
            return cli_wrong_word("bench interference", NULL);
        if ((option == 'o' && b->chosen_count == CHOSEN_MAX) ||
            (option == 'r' && !cli_count(optarg, "--runs", 1, RUNS_MAX, &b->runs)) ||
            (option == 'd' &&
             !cli_count(optarg, "--duration", DURATION_MIN_S, DURATION_MAX_S, &b->duration_s)))
            return EXIT_INPUT;
        if (option == 'o')
            b->chosen[b->chosen_count++] = optarg;
        if (option == 'b')
            b->database_path = optarg;
        if (option == 'p')
            b->report = optarg;
        b->stored |= option == 's';
    }
    if (argc - optind > 1)
        return cli_wrong_word("bench interference", argv[optind + 1]);
    if (argc > optind)
        b->campaign = argv[optind];
    return settle(b);
}

static bool is_chosen(const struct bench *b, const char *label)
{
    for (unsigned i = 0; i < b->chosen_count; i++)
        if (strstr(label, b->chosen[i]) != NULL)
            return true;
    return b->chosen_count == 0;
}

// A row compares what was before, during and after its fault.
static bool is_undone(const struct bench *b, const struct campaign_cell *from)
{
    const struct scenario *scenario = from->scenario;
    for (unsigned i = 0; i < scenario->fault_count; i++)
        if (scenario->fault[i].duration_s > 0 || scenario->fault[i].restart_after_s >= 0)
            return true;
    log_error("%s: row '%s': no fault of it is undone, so there is nothing after it to compare; "
              "name a campaign of loads, or choose others with --row",
              b->loaded.campaign->file, from->row);
    return false;
}

static enum status configure(struct bench *b)
{
    enum status status = cli_load_campaign(b->campaign, &b->loaded);
    if (status == STATUS_OK)
        status = cli_check_bench(&b->loaded);
    const unsigned cells = status == STATUS_OK ? b->loaded.campaign->cell_count : 0;
    for (unsigned i = 0; i < cells; i++) {
        const struct campaign_cell *from = &b->loaded.campaign->cell[i];
        struct cell *cell = &b->cell[b->count];
        const bool alone = strcmp(from->column, b->loaded.campaign->cell[cells - 1].column) == 0 &&
                           strcmp(from->column, b->loaded.campaign->cell[0].column) == 0;
        snprintf(cell->label, sizeof cell->label, "%s%s%s", from->row, alone ? "" : ", ",
                 alone ? "" : from->column);
        if (!is_chosen(b, cell->label))
            continue;
        if (!is_undone(b, from))
            return STATUS_INVALID;
        if (from->scenario->duration_s > (double)b->duration_s)
            from->scenario->duration_s = (double)b->duration_s;
        cell->campaign_cell = from;
        cell->sum = interference_create();
        b->count++;
        if (cell->sum == NULL)
            return STATUS_NO_MEMORY;
    }
    if (status == STATUS_OK && b->count == 0) {
        log_error("--row %s: no row's title holds that; see the campaign's file", b->chosen[0]);
        return STATUS_INVALID;
    }
    return status;
}

// ---- running ----------------------------------------------------------------------------------------

// What was measured of a cell, with what was to be expected.
static struct interference_row row_of(const struct bench *b, const struct cell *cell,
                                      const struct interference *measured)
{
    struct interference_row row = {.fault = cell->label, .measured = measured};
    struct interference_hog hog;
    const bool is_hog = interference_hog_of(cell->campaign_cell->scenario, b->loaded.target, &hog);
    for (enum latency_deadline d = 0; d < LATENCY_DEADLINES; d++)
        row.expected[d] = is_hog ? interference_expected(&hog, b->loaded.target, measured, d) : NAN;
    return row;
}

// Figures of a run that was measured, evidence of one that was bad.
static enum status store(const struct bench *b, const struct cell *cell,
                         const struct trial_record *record, const struct trial_record *bad,
                         const struct interference *measured)
{
    const struct interference_row row = row_of(b, cell, measured);
    struct figure figure[INTERFERENCE_FIGURES];
    const struct benchmark_run run = {
        .cell = cell->label,
        .scenario = cell->campaign_cell->scenario->name,
        .number = record->number,
        .seed = record->seed,
        .wall_s = record->result.wall_s,
        .cpu_s = record->result.cpu_s,
        .figure = figure,
        .figure_count = measured->trials > 0 ? interference_figures(&row, figure) : 0,
        .bad = bad,
        .bad_scenario = cell->campaign_cell->scenario};
    return measured->trials > 0 || bad != NULL
               ? benchmark_add_runs(b->database, b->campaign_id, &run, 1)
               : STATUS_OK;
}

static enum status run(const struct bench *b, struct cell *cell, unsigned number)
{
    static struct trial_record record;
    struct trial_record *bad = NULL;
    struct interference *measured = interference_create();
    struct job job = {.target = b->loaded.target,
                      .scenario = cell->campaign_cell->scenario,
                      .description = b->loaded.description,
                      .build_folder = cli_build,
                      .number = number,
                      .seed = number + 1,
                      .mode = CLK_WALL,
                      .can = LINK_EMBEDDED,
                      .core = -1,
                      .recheck_core = -1};
    char trouble[sizeof cell->trouble];
    if (measured == NULL)
        return STATUS_NO_MEMORY;
    evidence_ask(&cell->evidence, number, &job);
    enum status status = interference_bench_run(&job, measured, &record, trouble, sizeof trouble);
    if (status == STATUS_OK) {
        cell->unsupported = record.judgement.verdict == VERDICT_SKIP;
        if (trouble[0] != '\0')
            memcpy(cell->trouble, trouble, sizeof trouble);
        interference_join(cell->sum, measured);
        status = evidence_take(&cell->evidence, &record, &bad);
    }
    if (status == STATUS_OK)
        status = store(b, cell, &record, bad, measured);
    free(bad);
    free(measured);
    return status;
}

static enum status run_all(struct bench *b)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < b->count; i++)
        b->cell[i].evidence = (struct evidence){
            .database = b->database_path, .campaign_id = b->campaign_id, .cell = i};
    for (unsigned number = 0; number < b->runs && status == STATUS_OK; number++)
        for (unsigned i = 0; i < b->count && status == STATUS_OK; i++) {
            if (b->cell[i].unsupported)
                continue;
            fprintf(stderr, "run %u of %llu: %s\n", number + 1, (unsigned long long)b->runs,
                    b->cell[i].label);
            status = run(b, &b->cell[i], number);
        }
    return status;
}

static enum exit_code print(const struct bench *b)
{
    enum exit_code code = EXIT_PASS;
    interference_print_head(stdout);
    for (unsigned i = 0; i < b->count; i++) {
        const struct cell *cell = &b->cell[i];
        const struct interference_row row = row_of(b, cell, cell->sum);
        interference_print(stdout, &row);
        if (cell->trouble[0] == '\0')
            continue;
        fputs(cell->unsupported ? "  not run here: " : "  a trial that is not counted: ", stdout);
        text_print(stdout, cell->trouble, " ");
        putchar('\n');
        code = cell->unsupported ? code : EXIT_LAB;
    }
    return code;
}

static enum exit_code write_page(const struct bench *b)
{
    struct report_benchmark stored = {.campaign_id = b->campaign_id, .name = "interference"};
    const enum status status = report_benchmark_write(b->database_path, &stored, b->report);
    if (status != STATUS_OK)
        return status == STATUS_NOT_FOUND ? EXIT_INPUT : EXIT_LAB;
    printf("\nreport: %s/interference.html; how to read all this: doc/reference/interference.md\n",
           b->report);
    return EXIT_PASS;
}

static enum exit_code show_stored(struct bench *b)
{
    const enum status status = database_open(b->database_path, DATABASE_READ, &b->database);
    if (status == STATUS_OK && report_make_folder(b->report) != STATUS_OK)
        return EXIT_INPUT;
    return status == STATUS_OK ? write_page(b) : cli_exit_of(status);
}

static enum exit_code measure_all(struct bench *b)
{
    const int64_t start_ns = monotonic_ns();
    enum status status = configure(b);
    if (status == STATUS_OK && report_make_folder(b->report) != STATUS_OK)
        status = STATUS_INVALID; // before anything is measured
    if (status == STATUS_OK)
        status = database_open(b->database_path, DATABASE_WRITE, &b->database);
    if (status == STATUS_OK)
        status = histories_prepare(b->database_path);
    if (status == STATUS_OK)
        status = benchmark_start(b->database, "interference", "ukemi bench interference",
                                 b->loaded.target->name, &b->campaign_id);
    if (status == STATUS_OK)
        status = run_all(b);
    if (status == STATUS_OK)
        status = benchmark_finish(b->database, b->campaign_id,
                                  1e-9 * (double)(monotonic_ns() - start_ns));
    if (status != STATUS_OK)
        return cli_exit_of(status);
    const enum exit_code measured = print(b), written = write_page(b);
    status = cli_bench_print_bad(b->database, b->database_path, b->campaign_id);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    return measured != EXIT_PASS ? measured : written;
}

int cli_bench_interference(int argc, char **argv)
{
    static struct bench b;
    b = (struct bench){.database_path = CLI_DATABASE, .report = REPORT_DEFAULT};
    bool done = false;
    enum exit_code code = parse(argc, argv, &b, &done);
    if (!done && code == EXIT_PASS)
        code = b.stored ? show_stored(&b) : measure_all(&b);
    for (unsigned i = 0; i < b.count; i++)
        free(b.cell[i].sum);
    cli_free(&b.loaded);
    if (b.database != NULL)
        database_close(b.database);
    return code;
}
