// `ukemi bench`: one way from the command line to the page, for all benchmarks
// (harness/bench/bench.h). Each is a command of its own, made of what it takes.
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/nearest.h"
#include "base/text.h"
#include "harness/bench/bench.h"
#include "harness/cli/cli.h"
#include "harness/files/campaign_file.h"
#include "harness/files/scenario.h"
#include "harness/files/target/chain_file.h"
#include "harness/report/report_benchmark.h"
#include "harness/report/report_page.h"

#define DURATION_MAX_S 3600
#define BAD_RUNS_NAMED 5 // `ukemi show` lists more

struct bench_command {
    struct cli_command command;
    char name[32], runs[16], duration[16], report[NAME_MAX_LENGTH + 16];
};

struct request {
    const struct bench *bench;
    struct bench_command made;
    struct cli_line line;
    char made_by[48];   // "ukemi bench latency"
    const char *report; // folder
    struct bench_session session;
    struct cli_bench loaded[BENCH_SQUARES_MAX];
    unsigned loaded_count;
};

// ---- a benchmark as a command -----------------------------------------------------------------

#define BENCH_AFTER                                                                                \
    "Exit status: 0 measured, 1 a bound is not met, 2 bad input, 3 the lab failed.\n"

static void make_command(const struct bench *bench, struct bench_command *c)
{
    const bool programs = (bench->takes & BENCH_PROGRAMS) != 0;
    const bool rows = (bench->takes & BENCH_ROWS) != 0;
    snprintf(c->name, sizeof c->name, "bench %s", bench->name);
    snprintf(c->runs, sizeof c->runs, "%u", bench->runs);
    snprintf(c->duration, sizeof c->duration, "%g", bench->duration_s);
    snprintf(c->report, sizeof c->report, CLI_REPORT "/%s", bench->name);
    c->command = (struct cli_command){
        .name = c->name,
        .key = CLI_COMMAND_bench,
        .forms = programs ? "NAME [OPTION...] -- PROGRAM [ARGUMENT...] [-- PROGRAM2 [ARGUMENT...]]"
                 : rows   ? "[CAMPAIGN] [OPTION...]"
                          : "[OPTION...]",
        .about = bench->about,
        .after = BENCH_AFTER,
        .least = programs,
        .most = programs || rows,
        .bench = bench->takes,
        .own = {{CLI_RUNS, c->runs}, {CLI_DURATION, c->duration}, {CLI_OUTPUT, c->report}}};
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

// What an ordinary line of the benchmark cannot be on the virtual clock. INPUT, reported.
static enum exit_code check_virtual(const struct cli_line *line)
{
    static const enum cli_key real_time[] = {CLI_RUNS, CLI_DB, CLI_OUTPUT};
    static const char *const name[] = {"--runs", "--db", "--output"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        if (line->value[CLI_VIRTUAL].given && line->value[real_time[i]].given)
            return cli_refuse_idle(name[i], "with --virtual, which runs once, stores nothing and "
                                            "writes no page; leave out one of the two");
    return EXIT_PASS;
}

// false, reported: there is no such duration of it.
static bool settle(struct request *r)
{
    struct bench_session *session = &r->session;
    const struct cli_line *line = &r->line;
    const char *text = line->value[CLI_DURATION].text;
    session->virtual_clock = line->value[CLI_VIRTUAL].given;
    session->no_cost = line->value[CLI_NO_COST].given;
    session->chain = line->value[CLI_CHAIN].text;
    session->runs = session->virtual_clock ? 1 : (unsigned)line->value[CLI_RUNS].count;
    session->database_path = session->virtual_clock ? NULL : line->value[CLI_DB].text;
    r->report = line->value[CLI_OUTPUT].text;
    return text == NULL || cli_real(text, "--duration", r->bench->duration_min_s, DURATION_MAX_S,
                                    &session->duration_s);
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
    const char *wanted = r->line.value[CLI_TARGET].text;
    if (wanted != NULL && strcmp(loaded->target->name, wanted) != 0) {
        log_error("--scenario %s: is of target %s, not of %s; leave out --target, or name another "
                  "scenario",
                  word, loaded->target->name, wanted);
        return STATUS_INVALID;
    }
    if (strcmp(loaded->target->name, first->name) != 0) {
        log_error("--scenario %s: is of target %s, and another of %s; measure one target at a time",
                  word, loaded->target->name, first->name);
        return STATUS_INVALID;
    }
    if (!cli_label(label != NULL ? label : loaded->scenario->name, name))
        return STATUS_INVALID;
    return add_cell(r, name, loaded, loaded->scenario);
}

// The scenario that the chain names, of the target that the command line names.
static enum status add_target(struct request *r, const char *name)
{
    struct target *target;
    char scenario[NAME_MAX_LENGTH] = "";
    enum status status = cli_load_target(name, &target);
    if (status != STATUS_OK)
        return status;
    const struct chain_config *chain = chain_find(target, r->session.chain);
    if (chain != NULL)
        text_copy(scenario, sizeof scenario, chain->scenario);
    if (scenario[0] == '\0') {
        log_error(chain == NULL ? "%s: chains: there is no such chain; add it "
                                  "(doc/reference/chains.md), or name another with --chain"
                                : "%s: chains: %s names no scenario to measure; add `scenario`, or "
                                  "name one with --scenario",
                  target->file, chain == NULL ? "" : chain->name);
        status = STATUS_INVALID;
    }
    target_free(target);
    return status == STATUS_OK ? add_scenario(r, scenario) : status;
}

static enum status add_scenarios(struct request *r)
{
    enum status status = STATUS_OK;
    if (r->line.value[CLI_TARGET].given && r->line.each_count == 0)
        return add_target(r, r->line.value[CLI_TARGET].text);
    char *rest = strdup(r->bench->subject), *all = rest;
    if (all == NULL)
        return STATUS_NO_MEMORY;
    for (unsigned i = 0; i < r->line.each_count && status == STATUS_OK; i++)
        status = add_scenario(r, (char *)r->line.each[i]); // a word of argv
    for (char *word;
         r->line.each_count == 0 && status == STATUS_OK && (word = strsep(&rest, "\n")) != NULL;)
        status = add_scenario(r, word);
    free(all);
    return status;
}

static bool is_chosen(const struct request *r, const char *label)
{
    for (unsigned i = 0; i < r->line.each_count; i++)
        if (strstr(label, r->line.each[i]) != NULL)
            return true;
    return r->line.each_count == 0;
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
        log_error("--row %s: no row's title holds that; see the campaign's file", r->line.each[0]);
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
    session->campaign[1] = r->line.value[CLI_BESIDE].text;
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
    return exit_of(outcome, r->line.value[CLI_ALLOW_SKIP].given);
}

static int take_and_run(struct request *r, int argc, char **argv)
{
    int code;
    make_command(r->bench, &r->made);
    snprintf(r->made_by, sizeof r->made_by, "ukemi %s", r->made.name);
    r->session.made_by = r->made_by;
    if ((r->bench->takes & BENCH_PROGRAMS) != 0)
        argc = split_programs(r, argc, argv);
    if (!cli_line_read(&r->made.command, argc, argv, &r->line, &code))
        return code;
    if (check_virtual(&r->line) != EXIT_PASS || !settle(r))
        return EXIT_INPUT;
    return (int)run(r, r->line.words > 0 ? r->line.word[0] : NULL);
}

static int measure(const struct bench *bench, int argc, char **argv)
{
    struct request *r = calloc(1, sizeof *r);
    if (r == NULL)
        return (int)cli_exit_of(STATUS_NO_MEMORY);
    r->bench = bench;
    r->session = (struct bench_session){
        .bench = bench, .build_folder = cli_build, .duration_s = bench->duration_s};
    const int code = take_and_run(r, argc, argv);
    bench_end(&r->session);
    for (unsigned i = 0; i < r->loaded_count; i++)
        cli_free(&r->loaded[i]);
    free(r);
    return code;
}

int cli_call_bench(int argc, char **argv)
{
    char hint[NEAREST_HINT_MAX];
    if (argc < 2)
        return (int)help(stderr);
    if (cli_asks_help(argc, argv))
        return (int)help(stdout);
    const struct bench *bench = bench_find(argv[1]);
    if (bench != NULL) {
        argv[1] = argv[0]; // what getopt's messages begin with
        return measure(bench, argc - 1, argv + 1);
    }
    struct nearest nearest = {.word = argv[1]};
    for (size_t i = 0; benches[i] != NULL; i++)
        nearest_try(&nearest, benches[i]->name);
    log_error("there is no benchmark '%s'%s; `ukemi bench --help` lists them", argv[1],
              nearest_hint(&nearest, hint));
    return EXIT_INPUT;
}
