// Strikes a target with what a storm draws (harness/explore).
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_finding.h"
#include "harness/cli/cli_shard.h"
#include "harness/explore/generator.h"
#include "harness/explore/storming.h"
#include "harness/files/target/target_check.h"
#include "harness/files/trusted.h"
#include "harness/judge/pack.h"
#include "harness/packs/packs.h"
#include "harness/report/report.h"

#define BUDGET_TRIALS 200000 // planned, if the time alone limits them

struct arguments {
    struct campaign_options options;
    struct cli_storm storm;
    const char *report; // NULL: none
    uint64_t series;
    unsigned trials;
    bool first, allow_skip;
};

// ---- the file ----------------------------------------------------------------------------------

enum status cli_load_storm(const char *name, struct cli_storm *storm)
{
    char path[2 * PATH_MAX_LENGTH];
    *storm = (struct cli_storm){0};
    enum status status = cli_files_find(CLI_STORMS, name, path, sizeof path);
    if (status == STATUS_OK)
        status = storm_load(path, &storm->storm);
    if (status == STATUS_OK)
        status = packs_check(all_packs, storm->storm->target);
    if (status == STATUS_OK)
        status = target_describe(storm->storm->target, &storm->description);
    if (status != STATUS_OK)
        cli_free_storm(storm);
    return status;
}

enum status cli_check_storm(const struct cli_storm *storm)
{
    const struct scenario *scenario = storm->storm->scenario;
    enum status status = trusted_file(storm->storm->file);
    if (status == STATUS_OK)
        status = trusted_file(scenario->file);
    return status == STATUS_OK ? target_check(storm->storm->target, &scenario, 1, cli_build)
                               : status;
}

void cli_free_storm(struct cli_storm *storm)
{
    description_free(storm->description);
    storm_free(storm->storm);
    *storm = (struct cli_storm){0};
}

// ---- one trial, as a file ----------------------------------------------------------------------

static enum exit_code write_trial(const struct storm *storm, uint64_t seed, const char *path)
{
    struct scenario *scenario = storm_trial(storm, seed);
    FILE *file = scenario == NULL ? NULL : fopen(path, "we");
    bool good = file != NULL;
    if (good) {
        generator_print(file, storm, scenario, seed);
        good = ferror(file) == 0;
        good &= fclose(file) == 0;
    }
    if (!good)
        log_error("--write %s: cannot be written: %s; name another file", path, strerror(errno));
    else
        fprintf(cli_beside(path), "%s: %u fault%s; ukemi run %s --seed %llu\n", path,
                scenario->fault_count, text_plural(scenario->fault_count), path,
                (unsigned long long)seed);
    scenario_free(scenario);
    return good ? EXIT_PASS : EXIT_INPUT;
}

// ---- many --------------------------------------------------------------------------------------

static struct scenario *draw(void *context, uint64_t seed)
{
    return storm_trial(((const struct arguments *)context)->storm.storm, seed);
}

static bool enough(void *context, const struct trial_record *record,
                   const struct scenario *scenario)
{
    (void)scenario;
    return ((const struct arguments *)context)->first && record->judgement.verdict == VERDICT_FAIL;
}

// From here on the storm has as many trials as are stored, and is finished with them.
static enum status finish(const struct arguments *a, const struct campaign_summary *s)
{
    struct database *database;
    enum status status = database_open(a->options.database, DATABASE_WRITE, &database);
    if (status == STATUS_OK)
        status = database_plan_storm(database, s->campaign_id, s->done);
    if (status == STATUS_OK)
        status = database_finish_campaign(database, s->campaign_id, 0, true);
    database_close(database);
    return status;
}

static enum exit_code conclude(const struct arguments *a, const struct campaign_summary *s)
{
    const struct storm *storm = a->storm.storm;
    if (s->lost > 0 || (s->interrupted && !s->stopped_early)) {
        log_info("%u trial%s stored%s%s; go on with: ukemi storm %s --db %s --series %llu "
                 "--trials %u --resume",
                 s->done, text_plural(s->done), s->lost > 0 ? "; lost: " : "", s->lost_words,
                 storm->file, a->options.database, (unsigned long long)a->series, a->trials);
        return cli_exit_of_incomplete(s);
    }
    if (!s->sharded && finish(a, s) != STATUS_OK)
        return EXIT_LAB;
    enum exit_code code = EXIT_PASS;
    const enum status status =
        cli_print_findings(a->options.database, s->campaign_id, stdout, &code);
    printf("campaign %lld: storm %s, series %llu: %u trial%s, %u passed, %u failed, %u error%s, %u "
           "skipped; %.0f s simulated in %.0f s\n",
           (long long)s->campaign_id, storm->name, (unsigned long long)a->series, s->done,
           text_plural(s->done), s->count[VERDICT_PASS], s->count[VERDICT_FAIL],
           s->count[VERDICT_ERROR], text_plural(s->count[VERDICT_ERROR]), s->count[VERDICT_SKIP],
           s->simulated_s, s->wall_s);
    if (status != STATUS_OK)
        return EXIT_LAB;
    if (a->report != NULL) {
        char campaign[32];
        snprintf(campaign, sizeof campaign, "%lld", (long long)s->campaign_id);
        if (report_write(a->options.database, campaign, a->report) != STATUS_OK)
            return EXIT_LAB;
        printf("page: %s/index.html\n", a->report);
    }
    if (s->count[VERDICT_ERROR] > 0)
        return EXIT_LAB;
    if (code != EXIT_PASS || s->count[VERDICT_FAIL] > 0)
        return code;
    return cli_exit_of_verdict(verdict_worst(s->count), a->allow_skip);
}

static enum exit_code run(struct arguments *a)
{
    struct campaign_summary summary = {0};
    enum status status = cli_check_storm(&a->storm);
    if (status == STATUS_OK && a->report != NULL)
        status = report_possible(a->report);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    struct campaign *campaign = storm_campaign(a->storm.storm, a->series, a->trials);
    if (campaign == NULL)
        return cli_exit_of(STATUS_NO_MEMORY);
    a->options.draw = draw;
    a->options.enough = enough;
    a->options.context = a;
    status =
        campaign_run(campaign, a->storm.storm->target, a->storm.description, &a->options, &summary);
    campaign_free(campaign);
    if (status != STATUS_OK)
        return summary.started ? EXIT_LAB : cli_exit_of(status);
    return conclude(a, &summary);
}

static bool fit(const struct cli_line *line)
{
    if (line->value[CLI_SEED].given != line->value[CLI_WRITE].given) {
        log_error("%s: --seed and --write belong together; give both, or --series for trials with "
                  "other seeds",
                  line->value[CLI_SEED].given ? "--seed" : "--write");
        return false;
    }
    if (line->value[CLI_SHARD].given &&
        (line->value[CLI_OUTPUT].given || line->value[CLI_BUDGET].given ||
         line->value[CLI_FIRST].given)) {
        log_error("--shard: a part has a number of trials and no page: leave out --output, "
                  "--budget and --first");
        return false;
    }
    return true;
}

static bool take(const struct cli_line *line, struct arguments *a)
{
    const char *budget = line->value[CLI_BUDGET].text;
    *a = (struct arguments){.options = cli_campaign_options(line),
                            .report = line->value[CLI_OUTPUT].text,
                            .series = line->value[CLI_SERIES].count,
                            .trials = (unsigned)line->value[CLI_TRIALS].count,
                            .first = line->value[CLI_FIRST].given,
                            .allow_skip = line->value[CLI_ALLOW_SKIP].given};
    if (budget != NULL) {
        a->options.budget_s = cli_budget(budget);
        if (!line->value[CLI_TRIALS].given)
            a->trials = BUDGET_TRIALS;
        if (a->options.budget_s == 0)
            return false;
    }
    if (!cli_medium_fits(a->options.ethernet, a->options.mode == CLK_WALL) || !fit(line) ||
        !cli_shard(line, &a->options.shard))
        return false;
    if (line->value[CLI_NO_REPORT].given || a->options.shard.count > 0)
        a->report = NULL;
    return true;
}

int cli_storm(const struct cli_line *line)
{
    struct arguments a;
    if (!take(line, &a))
        return EXIT_INPUT;
    const enum status status = cli_load_storm(line->word[0], &a.storm);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    const int code = line->value[CLI_WRITE].given
                         ? (int)write_trial(a.storm.storm, line->value[CLI_SEED].count,
                                            line->value[CLI_WRITE].text)
                         : (int)run(&a);
    cli_free_storm(&a.storm);
    return code;
}
