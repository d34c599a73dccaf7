// How blind is a scenario? Runs it with faults that the judge is not told of (harness/doubt).
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/campaign/core.h"
#include "harness/campaign/job.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_doubt.h"
#include "harness/doubt/doubting.h"
#include "harness/files/scenario.h"
#include "harness/report/report.h"

struct arguments {
    struct campaign_options options;
    const char *only, *report;
    double at_s; // < 0: not said
    uint64_t seed;
    bool list, allow_skip;
    int scenarios;
    char **scenario;
    char folder[PATH_MAX_LENGTH]; // of this scenario's page
};

// ---- before anything runs ----------------------------------------------------------------------

// All doubts of a scenario whose `harmless` names no other. NULL, reported: input, or no memory.
static struct doubts *make_doubts(const struct cli_bench *bench, double at_s, enum exit_code *code)
{
    struct doubts *doubts = doubts_make(bench->target, bench->scenario, bench->description, at_s);
    const enum status status =
        doubts == NULL ? STATUS_NO_MEMORY : doubts_check(bench->scenario, doubts);
    *code = status == STATUS_OK ? EXIT_PASS : cli_exit_of(status);
    if (status == STATUS_OK)
        return doubts;
    free(doubts);
    return NULL;
}

static enum exit_code choose(const struct arguments *a, const struct scenario *scenario,
                             struct doubts *doubts)
{
    if (a->only == NULL)
        return EXIT_PASS;
    doubts_choose(doubts, a->only);
    if (doubts->count > 0)
        return EXIT_PASS;
    log_error("--only: '%s' is no doubt of %s; `ukemi doubt --list %s` lists them", a->only,
              scenario->name, scenario->name);
    return EXIT_INPUT;
}

static void say_what_is_not_doubted(const struct doubts *doubts)
{
    if (doubts->unwritten[0] != '\0')
        printf("not doubted, since the target names no writer:%s\n", doubts->unwritten);
    if (doubts->left_out > 0)
        printf("not doubted: %u more, for which there is no room; choose with --only\n",
               doubts->left_out);
}

static enum exit_code list(const struct arguments *a, const struct cli_bench *bench,
                           struct doubts *doubts)
{
    const enum exit_code code = choose(a, bench->scenario, doubts);
    if (code != EXIT_PASS)
        return code;
    for (unsigned i = 0; i < doubts->count; i++) {
        const struct doubt *doubt = &doubts->doubt[i];
        printf("%-40s %s %s%s%s\n", doubt->name, doubt->fault.kind, doubt->fault.component,
               doubt->harmless != NULL ? "; harmless: " : "",
               doubt->harmless != NULL ? doubt->harmless->reason : "");
    }
    say_what_is_not_doubted(doubts);
    return EXIT_PASS;
}

// ---- the undisturbed trial ---------------------------------------------------------------------

static void run_undisturbed(const struct arguments *a, const struct cli_bench *bench,
                            struct trial_record *record)
{
    const struct campaign_options *options = &a->options;
    const int core =
        options->mode == CLK_WALL && !options->cores.given ? -1 : core_claim(&options->cores);
    const struct job job = {.target = bench->target,
                            .scenario = bench->scenario,
                            .description = bench->description,
                            .build_folder = options->build_folder,
                            .seed = a->seed,
                            .mode = options->mode,
                            .can = options->can,
                            .ethernet = options->ethernet,
                            .no_wall = options->no_wall,
                            .core = core,
                            .recheck_core = core};
    job_run(&job, record, NULL);
}

// LAB, reported, unless it passes: then there is nothing that a doubt could break. *skipped: nor is
// that asked here.
static enum exit_code check_undisturbed(const struct arguments *a, const struct cli_bench *bench,
                                        double *at_s, bool *skipped)
{
    static struct trial_record record;
    run_undisturbed(a, bench, &record);
    const struct oracle_verdict *oracle = judgement_decisive(&record.judgement);
    *at_s = a->at_s >= 0 ? a->at_s : doubt_begin_s(&record);
    *skipped = a->allow_skip && record.judgement.verdict == VERDICT_SKIP;
    if (*skipped) {
        printf("%s: skipped here: %s\n", bench->scenario->name,
               oracle == NULL ? record.result.reason : oracle->detail);
        return EXIT_PASS;
    }
    if (record.judgement.verdict != VERDICT_PASS) {
        log_error("%s: the undisturbed trial is %s: %s: %s; fix it first: `ukemi run %s --seed "
                  "%llu`",
                  bench->scenario->name, verdict_name(record.judgement.verdict),
                  oracle == NULL ? "lab" : oracle->oracle,
                  oracle == NULL ? record.result.reason : oracle->detail, bench->scenario->name,
                  (unsigned long long)a->seed);
        return EXIT_LAB;
    }
    if (*at_s < record.result.simulated_s)
        return EXIT_PASS;
    log_error("%s: the undisturbed trial ends at %.2f s, and doubts would begin at %.2f s; give an "
              "earlier --at, or make the trial longer",
              bench->scenario->name, record.result.simulated_s, *at_s);
    return EXIT_LAB;
}

// ---- all doubts --------------------------------------------------------------------------------

static enum status write_report(void *context, int64_t campaign_id)
{
    const struct arguments *a = context;
    char campaign[32];
    snprintf(campaign, sizeof campaign, "%lld", (long long)campaign_id);
    return report_write(a->options.database, campaign, a->folder);
}

// What is missing; false: nothing is.
static bool say_what_is_missing(const struct arguments *a, const struct cli_bench *bench,
                                const struct campaign_summary *s)
{
    if (s->lost > 0)
        log_error("%u trial%s lost: %s", s->lost, text_plural(s->lost), s->lost_words);
    if (s->unreported)
        log_error(s->done < s->total ? "the page could not be written, and trials are missing"
                                     : "all trials are stored, but the page could not be written");
    if (s->lost > 0 || s->interrupted || s->unreported)
        log_info("go on with: ukemi doubt %s --db %s --seed %llu --resume", bench->scenario->file,
                 a->options.database, (unsigned long long)a->seed);
    return s->lost > 0 || s->interrupted || s->unreported;
}

static enum exit_code run_doubts(struct arguments *a, const struct cli_bench *bench,
                                 const struct doubts *doubts)
{
    struct campaign_summary summary = {0};
    struct campaign *campaign = doubt_campaign(bench->scenario, doubts, a->seed);
    if (campaign == NULL)
        return cli_exit_of(STATUS_NO_MEMORY);
    a->options.report = write_report;
    a->options.context = a;
    const enum status status =
        campaign_run(campaign, bench->target, bench->description, &a->options, &summary);
    campaign_free(campaign);
    if (say_what_is_missing(a, bench, &summary))
        return cli_exit_of_incomplete(&summary);
    if (status != STATUS_OK)
        return summary.started ? EXIT_LAB : cli_exit_of(status);
    say_what_is_not_doubted(doubts);
    const enum exit_code code =
        cli_doubt_print(a->options.database, summary.campaign_id, bench->scenario, doubts);
    printf("campaign %lld, page: %s/index.html\n", (long long)summary.campaign_id, a->folder);
    return code;
}

static enum exit_code doubt(struct arguments *a, const struct cli_bench *bench)
{
    enum exit_code code;
    double at_s = 0;
    bool skipped = false;
    struct doubts *doubts = make_doubts(bench, at_s, &code);
    if (doubts == NULL)
        return code;
    if (a->list)
        code = list(a, bench, doubts);
    else if (bench->scenario->fault_count == FAULTS_MAX) {
        log_error("%s: has %d faults, and no room for a doubt; leave one out",
                  bench->scenario->file, FAULTS_MAX);
        code = EXIT_LAB;
    } else if (doubts->count == 0) {
        log_error("%s: nothing of its target can be doubted: no channel with `message` and "
                  "`writer`, and no process",
                  bench->scenario->file);
        code = EXIT_LAB;
    } else {
        code = choose(a, bench->scenario, doubts);
        if (code == EXIT_PASS)
            code = check_undisturbed(a, bench, &at_s, &skipped);
        for (unsigned i = 0; i < doubts->count; i++)
            doubts->doubt[i].fault.at.time_min_s = doubts->doubt[i].fault.at.time_max_s = at_s;
        if (code == EXIT_PASS && !skipped)
            code = run_doubts(a, bench, doubts);
    }
    free(doubts);
    return code;
}

static enum exit_code doubt_scenario_file(struct arguments *a, const char *name)
{
    struct cli_bench bench;
    enum status status = cli_load_scenario(name, &bench);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    status = cli_check_bench(&bench);
    if (a->scenarios > 1)
        snprintf(a->folder, sizeof a->folder, "%s/%s", a->report, bench.scenario->name);
    else
        snprintf(a->folder, sizeof a->folder, "%s", a->report);
    if (status == STATUS_OK && !a->list)
        status = report_possible(a->folder);
    const enum exit_code code = status == STATUS_OK ? doubt(a, &bench) : cli_exit_of(status);
    cli_free(&bench);
    return code;
}

// All scenarios are doubted, whatever comes of one; the worst of them counts.
int cli_doubt(const struct cli_line *line)
{
    static const enum exit_code from_worst[] = {EXIT_INTERRUPTED, EXIT_TERMINATED, EXIT_LAB,
                                                EXIT_INPUT, EXIT_FAIL};
    bool met[EXIT_INTERRUPTED + 1] = {false};
    struct arguments a = {.options = cli_campaign_options(line),
                          .only = line->value[CLI_ONLY].text,
                          .report = line->value[CLI_OUTPUT].text,
                          .at_s = line->value[CLI_AT].given ? line->value[CLI_AT].number : -1,
                          .seed = line->value[CLI_SEED].count,
                          .list = line->value[CLI_LIST].given,
                          .allow_skip = line->value[CLI_ALLOW_SKIP].given,
                          .scenarios = line->words,
                          .scenario = line->word};
    a.options.seeks_passes = true;
    if (!cli_medium_fits(a.options.ethernet, a.options.mode == CLK_WALL))
        return EXIT_INPUT;
    for (int i = 0; i < a.scenarios && !met[EXIT_INTERRUPTED] && !met[EXIT_TERMINATED]; i++)
        met[doubt_scenario_file(&a, a.scenario[i])] = true;
    for (size_t i = 0; i < sizeof from_worst / sizeof from_worst[0]; i++)
        if (met[from_worst[i]])
            return from_worst[i];
    return EXIT_PASS;
}
