// `ukemi bench`: one table of options and one way from the command line to the page, for all
// benchmarks (harness/bench/bench.h).
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/bench/bench.h"
#include "harness/cli/cli.h"
#include "harness/files/campaign_file.h"
#include "harness/files/scenario.h"
#include "harness/report/report_benchmark.h"
#include "harness/report/report_page.h"

#define DURATION_MAX_S 3600
#define CHOSEN_MAX 16
#define BAD_RUNS_NAMED 5 // `ukemi show` lists more

enum option_key {
    OPTION_SCENARIO,
    OPTION_ROW,
    OPTION_RUNS,
    OPTION_DURATION,
    OPTION_NO_COST,
    OPTION_VIRTUAL,
    OPTION_BESIDE,
    OPTION_DB,
    OPTION_REPORT,
    OPTION_ALLOW_SKIP,
    OPTIONS
};

// Who takes it (0: all benchmarks), its argument (NULL: none) and its help.
static const struct {
    const char *name, *argument, *help;
    unsigned takes;
    bool real_time; // means nothing on the virtual clock
} table[OPTIONS] = {
    [OPTION_SCENARIO] = {"scenario", "NAME[=LABEL]",
                         "measure this scenario, stored under LABEL; may be repeated",
                         BENCH_SCENARIOS, false},
    [OPTION_ROW] = {"row", "TEXT", "only rows whose title contains TEXT; may be repeated",
                    BENCH_ROWS, false},
    [OPTION_RUNS] = {"runs", "N", "runs of each configuration, in turn", 0, true},
    [OPTION_DURATION] = {"duration", "S", "duration of a run, at most the scenario's own",
                         BENCH_DURATION, false},
    [OPTION_NO_COST] = {"no-cost", NULL, "do not measure the cost of watching", BENCH_COST, false},
    [OPTION_VIRTUAL] = {"virtual", NULL,
                        "the planned times on the virtual clock; one run, not stored",
                        BENCH_VIRTUAL, false},
    [OPTION_BESIDE] = {"beside", "NAME2",
                       "a second program, run in turn with the first, as campaign NAME2",
                       BENCH_PROGRAMS, false},
    [OPTION_DB] = {"db", "PATH", "where each run is stored (default " CLI_DATABASE ")", 0, true},
    [OPTION_REPORT] = {"report", "DIR", "folder of the page and its plots", BENCH_PAGE, true},
    [OPTION_ALLOW_SKIP] = {"allow-skip", NULL,
                           "exit with 0 although this machine can measure nothing of it", 0, false},
};

struct request {
    const struct bench *bench;
    // The last argument, or "" of an option without one; NULL: not given.
    const char *given[OPTIONS];
    const char *chosen[CHOSEN_MAX]; // --scenario or --row
    unsigned chosen_count;
    uint64_t runs;
    char report[128], made_by[64];
    struct bench_session session;
    struct cli_bench loaded[BENCH_SQUARES_MAX];
    unsigned loaded_count;
};

static bool takes(const struct bench *bench, int option)
{
    return table[option].takes == 0 || (bench->takes & table[option].takes) != 0;
}

// ---- help -------------------------------------------------------------------------------------

static enum exit_code help_of(const struct bench *bench, bool asked)
{
    FILE *out = asked ? stdout : stderr;
    const bool programs = (bench->takes & BENCH_PROGRAMS) != 0;
    fprintf(out, "usage: ukemi bench %s%s [OPTION...]%s\n\n%s\n", bench->name,
            programs                           ? " NAME"
            : (bench->takes & BENCH_ROWS) != 0 ? " [CAMPAIGN]"
                                               : "",
            programs ? " -- PROGRAM [ARGUMENT...] [-- PROGRAM2 [ARGUMENT...]]" : "", bench->about);
    for (int i = 0; i < OPTIONS; i++) {
        char left[40], unless[64] = "";
        if (!takes(bench, i))
            continue;
        snprintf(left, sizeof left, "--%s %s", table[i].name,
                 table[i].argument != NULL ? table[i].argument : "");
        if (i == OPTION_RUNS)
            snprintf(unless, sizeof unless, " (default %u)", bench->runs);
        if (i == OPTION_DURATION)
            snprintf(unless, sizeof unless, " (default %g)", bench->duration_s);
        if (i == OPTION_REPORT)
            snprintf(unless, sizeof unless, " (default " CLI_REPORT "/%s)", bench->name);
        fprintf(out, "  %-24s %s%s\n", left, table[i].help, unless);
    }
    fputs("\nExit status: 0 measured, 1 a bound is not met, 2 bad input, 3 the lab failed.\n", out);
    return asked ? EXIT_PASS : EXIT_INPUT;
}

static enum exit_code help(FILE *out)
{
    fputs("usage: ukemi bench NAME [ARGUMENT...]\n\n"
          "Measures in real time. `ukemi diff` compares stored results, `ukemi report` makes a "
          "page of them.\n\n",
          out);
    for (size_t i = 0; benches[i] != NULL; i++)
        fprintf(out, "  %-13s %s\n", benches[i]->name, benches[i]->summary);
    fputs("\nukemi bench NAME --help explains a benchmark.\n", out);
    return out == stdout ? EXIT_PASS : EXIT_INPUT;
}

// ---- the command line -------------------------------------------------------------------------

// One option; false, reported: it is wrong.
static bool take(struct request *r, int option)
{
    r->given[option] = optarg != NULL ? optarg : "";
    switch (option) {
    case OPTION_SCENARIO:
    case OPTION_ROW:
        if (r->chosen_count == CHOSEN_MAX) {
            log_error("--%s %s: one too many; name at most %d", table[option].name, optarg,
                      CHOSEN_MAX);
            return false;
        }
        r->chosen[r->chosen_count++] = optarg;
        return true;
    case OPTION_RUNS:
        return cli_count(optarg, "--runs", 1, BENCH_RUNS_MAX, &r->runs);
    case OPTION_DURATION:
        return cli_real(optarg, "--duration", r->bench->duration_min_s, DURATION_MAX_S,
                        &r->session.duration_s);
    default:
        return true;
    }
}

static void fill_options(const struct bench *bench, struct option options[OPTIONS + 2])
{
    unsigned count = 0;
    for (int i = 0; i < OPTIONS; i++)
        if (takes(bench, i))
            options[count++] = (struct option){
                table[i].name, table[i].argument != NULL ? required_argument : no_argument, NULL,
                i + 1};
    options[count++] = (struct option){"help", no_argument, NULL, 'h'};
    options[count] = (struct option){NULL, 0, NULL, 0};
}

// false: end with *code.
static bool parse_options(struct request *r, int argc, char **argv, int *code)
{
    struct option options[OPTIONS + 2];
    fill_options(r->bench, options);
    *code = EXIT_INPUT;
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h')
            *code = (int)help_of(r->bench, true);
        if (option == '?')
            cli_wrong_word(r->made_by + strlen("ukemi "), NULL);
        if (option == 'h' || option == '?' || !take(r, option - 1))
            return false;
    }
    for (int i = 0; i < OPTIONS && r->given[OPTION_VIRTUAL] != NULL; i++)
        if (r->given[i] != NULL && table[i].real_time) {
            log_error("--%s: has no meaning with --virtual, which runs once, stores nothing and "
                      "writes no page; leave out one of the two",
                      table[i].name);
            return false;
        }
    return true;
}

static void settle(struct request *r)
{
    struct bench_session *session = &r->session;
    session->virtual_clock = r->given[OPTION_VIRTUAL] != NULL;
    session->no_cost = r->given[OPTION_NO_COST] != NULL;
    session->runs = session->virtual_clock ? 1 : r->runs > 0 ? (unsigned)r->runs : r->bench->runs;
    const char *path = r->given[OPTION_DB] != NULL ? r->given[OPTION_DB] : CLI_DATABASE;
    session->database_path = session->virtual_clock ? NULL : path;
    if (r->given[OPTION_REPORT] != NULL)
        text_copy(r->report, sizeof r->report, r->given[OPTION_REPORT]);
    else
        snprintf(r->report, sizeof r->report, CLI_REPORT "/%s", r->bench->name);
}

// ---- what is measured -------------------------------------------------------------------------

static enum status add_cell(struct request *r, const char *label, const struct cli_bench *loaded,
                            struct scenario *scenario)
{
    struct bench_session *session = &r->session;
    for (unsigned i = 0; i < session->square_count; i++)
        if (strcmp(session->square[i].label, label) == 0) {
            log_error("--scenario: two are called '%s'; write --scenario NAME=LABEL", label);
            return STATUS_INVALID;
        }
    struct bench_square *square = &session->square[session->square_count++];
    *square = (struct bench_square){
        .target = loaded->target, .scenario = scenario, .description = loaded->description};
    text_copy(square->label, sizeof square->label, label);
    if (scenario->duration_s > session->duration_s) { // cut short: a goal is not reached
        scenario->duration_s = session->duration_s;
        scenario->must_complete = false;
    }
    return STATUS_OK;
}

static enum status add_scenario(struct request *r, char *word)
{
    char name[NAME_MAX_LENGTH];
    struct cli_bench *loaded = &r->loaded[r->loaded_count];
    const char *label = cli_cut_label(word);
    enum status status = cli_load_scenario(word, loaded);
    if (status != STATUS_OK)
        return status;
    r->loaded_count++;
    status = cli_check_bench(loaded);
    if (status != STATUS_OK)
        return status;
    const struct target *first = r->loaded[0].target;
    if (strcmp(loaded->target->name, first->name) != 0) {
        log_error("--scenario %s: is of target %s, and another of %s; measure one target at a time",
                  word, loaded->target->name, first->name);
        return STATUS_INVALID;
    }
    if (!cli_label(label != NULL ? label : loaded->scenario->name, name))
        return STATUS_INVALID;
    return add_cell(r, name, loaded, loaded->scenario);
}

static enum status add_scenarios(struct request *r)
{
    enum status status = STATUS_OK;
    char *rest = strdup(r->bench->subject), *all = rest;
    if (all == NULL)
        return STATUS_NO_MEMORY;
    for (unsigned i = 0; i < r->chosen_count && status == STATUS_OK; i++)
        status = add_scenario(r, (char *)r->chosen[i]); // a word of argv
    for (char *word;
         r->chosen_count == 0 && status == STATUS_OK && (word = strsep(&rest, "\n")) != NULL;)
        status = add_scenario(r, word);
    free(all);
    return status;
}

static bool is_chosen(const struct request *r, const char *label)
{
    for (unsigned i = 0; i < r->chosen_count; i++)
        if (strstr(label, r->chosen[i]) != NULL)
            return true;
    return r->chosen_count == 0;
}

static enum status add_rows(struct request *r, const char *name)
{
    struct cli_bench *loaded = &r->loaded[0];
    enum status status = cli_load_campaign(name, loaded);
    if (status != STATUS_OK)
        return status;
    r->loaded_count = 1;
    status = cli_check_bench(loaded);
    const struct campaign *campaign = loaded->campaign;
    for (unsigned i = 0; i < campaign->square_count && status == STATUS_OK; i++) {
        const struct campaign_square *from = &campaign->square[i];
        char label[BENCH_LABEL_MAX];
        const bool alone = strcmp(campaign->square[campaign->square_count - 1].column,
                                  campaign->square[0].column) == 0;
        snprintf(label, sizeof label, "%s%s%s", from->row, alone ? "" : ", ",
                 alone ? "" : from->column);
        if (is_chosen(r, label))
            status = add_cell(r, label, loaded, from->scenario);
    }
    if (status == STATUS_OK && r->session.square_count == 0) {
        log_error("--row %s: no row's title holds that; see the campaign's file", r->chosen[0]);
        status = STATUS_INVALID;
    }
    return status;
}

// Cuts the words at each "--": what is before the first one is ours, then come the programs' words.
// The number of words of ours.
static int split_programs(struct request *r, int argc, char **argv)
{
    int ours = argc;
    for (int i = 0; i < argc && r->session.square_count < BENCH_CAMPAIGNS_MAX; i++) {
        if (strcmp(argv[i], "--") != 0)
            continue;
        if (r->session.square_count == 0)
            ours = i;
        argv[i] = NULL; // ends the words before it
        r->session.square[r->session.square_count++].command = &argv[i + 1];
    }
    return ours;
}

static bool is_name(const char *name)
{
    if (name[0] != '\0' && strspn(name, "0123456789") < strlen(name))
        return true;
    log_error(
        "'%s' is not a name for a benchmark: `ukemi diff` takes a number for a campaign's; give "
        "it a word",
        name);
    return false;
}

static enum status name_programs(struct request *r, const char *name)
{
    struct bench_session *session = &r->session;
    session->campaign[0] = name;
    session->campaign[1] = r->given[OPTION_BESIDE];
    session->campaign_count = session->campaign[1] != NULL ? 2 : 1;
    for (unsigned i = 0; i < session->campaign_count; i++) {
        struct bench_square *square = &session->square[i];
        if (!is_name(session->campaign[i]))
            return STATUS_INVALID;
        if (i >= session->square_count || square->command[0] == NULL) {
            log_error("%s: no program to run; name it after %s--", session->campaign[i],
                      i == 0 ? "" : "a second ");
            return STATUS_INVALID;
        }
        square->campaign = i;
        text_copy(square->label, sizeof square->label, session->campaign[i]);
    }
    if (session->square_count == session->campaign_count)
        return STATUS_OK;
    log_error("two programs after --; name the second one's campaign with --beside");
    return STATUS_INVALID;
}

static enum status configure(struct request *r, const char *word)
{
    r->session.campaign[0] = r->bench->name;
    r->session.campaign_count = 1;
    if ((r->bench->takes & BENCH_PROGRAMS) != 0)
        return name_programs(r, word);
    if ((r->bench->takes & BENCH_ROWS) != 0)
        return add_rows(r, word != NULL ? word : r->bench->subject);
    return (r->bench->takes & BENCH_SCENARIOS) != 0 ? add_scenarios(r) : STATUS_OK;
}

// ---- runs that were judged FAIL or ERROR ------------------------------------------------------

struct printing {
    const char *path;     // of the database
    const char *database; // words that name it on a command line, "" for the usual one
    unsigned rows;
};

static bool print_run(void *context, const struct bad_run *run)
{
    struct printing *printing = context;
    if (printing->rows == 0)
        puts("\njudged FAIL or ERROR, the newest first:");
    if (printing->rows++ == BAD_RUNS_NAMED) {
        printf("  ... and more; ukemi show%s lists them\n", printing->database);
        return false;
    }
    printf("  %s, run %s: %s: ", run->square, run->run, run->verdict);
    text_print(stdout, run->why, " ");
    printf("\n    ukemi show %s%s; ", run->trial, printing->database);
    if (run->history == NULL) {
        puts("no history of it was kept");
        return true;
    }
    char file[2 * PATH_MAX_LENGTH];
    cli_history_path(printing->path, run->history, file, sizeof file);
    printf("its history: %s\n", file);
    return true;
}

static enum status print_bad(const struct bench_session *session)
{
    char words[PATH_MAX_LENGTH + 8] = "";
    if (strcmp(session->database_path, CLI_DATABASE) != 0)
        snprintf(words, sizeof words, " --db %s", session->database_path);
    struct printing printing = {.path = session->database_path, .database = words};
    return benchmark_each_bad(session->database, session->campaign_id[0], print_run, &printing);
}

// ---- all of it --------------------------------------------------------------------------------

static enum status write_page(const struct request *r)
{
    struct report_benchmark stored = {.campaign_id = r->session.campaign_id[0]};
    text_copy(stored.name, sizeof stored.name, r->bench->name);
    const enum status status = report_benchmark_write(r->session.database_path, &stored, r->report);
    if (status == STATUS_OK)
        printf("\nreport: %s/%s\n", r->report, stored.page);
    return status;
}

static enum exit_code exit_of(enum bench_outcome outcome, bool allow_skip)
{
    switch (outcome) {
    case BENCH_MEASURED:
        return EXIT_PASS;
    case BENCH_SKIPPED:
        if (!allow_skip)
            log_error("nothing was measured, see why above; with --allow-skip that is no error");
        return allow_skip ? EXIT_PASS : EXIT_LAB;
    case BENCH_BOUND_MISSED:
        return EXIT_FAIL;
    default:
        return EXIT_LAB;
    }
}

static enum exit_code run(struct request *r, const char *word)
{
    const bool page = (r->bench->takes & BENCH_PAGE) != 0 && !r->session.virtual_clock;
    enum status status = configure(r, word);
    if (status == STATUS_OK && page && report_make_folder(r->report) != STATUS_OK)
        status = STATUS_INVALID; // before anything is measured
    if (status != STATUS_OK)
        return cli_exit_of(status);
    status = bench_measure(&r->session);
    // What a program's earlier runs gave is stored, so that is told even after an error.
    const bool told = status == STATUS_OK || (r->bench->takes & BENCH_PROGRAMS) != 0;
    const enum bench_outcome outcome = told ? bench_print(&r->session) : BENCH_FAILED;
    if (status == STATUS_OK && r->session.campaign_id[0] != 0)
        status = print_bad(&r->session);
    if (status == STATUS_OK && page)
        status = write_page(r);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    return exit_of(outcome, r->given[OPTION_ALLOW_SKIP] != NULL);
}

static int parse_and_run(struct request *r, int argc, char **argv)
{
    const bool programs = (r->bench->takes & BENCH_PROGRAMS) != 0;
    const int most = programs || (r->bench->takes & BENCH_ROWS) != 0;
    int code;
    if (programs)
        argc = split_programs(r, argc, argv);
    if (!parse_options(r, argc, argv, &code))
        return code;
    if (argc - optind > most)
        return (int)cli_wrong_word(r->made_by + strlen("ukemi "), argv[optind + most]);
    if (programs && argc == optind)
        return (int)help_of(r->bench, false);
    settle(r);
    return (int)run(r, argc > optind ? argv[optind] : NULL);
}

static const struct bench *chosen; // by cli_bench, for what cli_call calls

static int call(int argc, char **argv)
{
    struct request *r = calloc(1, sizeof *r);
    if (r == NULL)
        return (int)cli_exit_of(STATUS_NO_MEMORY);
    r->bench = chosen;
    snprintf(r->made_by, sizeof r->made_by, "ukemi bench %s", chosen->name);
    r->session = (struct bench_session){.bench = chosen,
                                        .build_folder = cli_build,
                                        .duration_s = chosen->duration_s,
                                        .made_by = r->made_by};
    const int code = parse_and_run(r, argc, argv);
    bench_end(&r->session);
    for (unsigned i = 0; i < r->loaded_count; i++)
        cli_free(&r->loaded[i]);
    free(r);
    return code;
}

int cli_bench(int argc, char **argv)
{
    if (argc < 2)
        return (int)help(stderr);
    if (cli_asks_help(argc, argv))
        return (int)help(stdout);
    chosen = bench_find(argv[1]);
    if (chosen != NULL)
        return cli_call(call, argc - 1, argv + 1);
    log_error("there is no benchmark '%s'; `ukemi bench --help` lists them", argv[1]);
    return EXIT_INPUT;
}
