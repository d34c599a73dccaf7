#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/campaign/campaign.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_shard.h"
#include "harness/report/report.h"

struct arguments {
    struct campaign_options options;
    const char *file, *report;
    bool allow_skip;
};

static enum status write_report(void *context, int64_t campaign_id)
{
    const struct arguments *a = context;
    char campaign[32];
    snprintf(campaign, sizeof campaign, "%lld", (long long)campaign_id);
    return report_write(a->options.database, campaign, a->report);
}

static void say_how_to_go_on(const struct arguments *a, const char *what)
{
    const struct shard *shard = &a->options.shard;
    char words[32] = "--resume";
    if (shard->count > 0)
        snprintf(words, sizeof words, "--shard %u/%u", shard->index, shard->count);
    log_info("%s; go on with: ukemi campaign %s --db %s%s%s%s%s%s%s%s%s %s", what, a->file,
             a->options.database, a->options.mode == CLK_WALL ? " --wall" : "",
             a->options.ethernet == LINK_AUTO ? "" : " --ethernet ",
             a->options.ethernet == LINK_AUTO ? "" : link_word(a->options.ethernet),
             a->options.no_wall ? " --no-wall" : "", a->allow_skip ? " --allow-skip" : "",
             a->options.report == NULL && shard->count == 0 ? " --no-report" : "",
             strcmp(a->report, CLI_REPORT) == 0 ? "" : " --output ",
             strcmp(a->report, CLI_REPORT) == 0 ? "" : a->report, words);
}

// What is missing and how to get it; false: nothing is.
static bool say_what_is_missing(const struct arguments *a, const struct campaign_summary *s)
{
    char what[256];
    if (s->lost > 0) {
        snprintf(what, sizeof what, "%u trial%s lost: %s; run again with --resume", s->lost,
                 text_plural(s->lost), s->lost_words);
        log_error("%s", what);
    }
    if (s->unreported && s->done < s->total)
        snprintf(what, sizeof what,
                 "the report could not be written, and %u of %u trials are there", s->done,
                 s->total);
    else if (s->unreported)
        snprintf(what, sizeof what, "all trials are stored, but the report could not be written");
    else if (s->lost > 0 || s->interrupted)
        snprintf(what, sizeof what, "%s%u of %u trials are stored",
                 s->interrupted ? "interrupted: " : "", s->done, s->total);
    else
        return false;
    say_how_to_go_on(a, what);
    return true;
}

static void say_that_it_is_finished(const struct campaign_summary *s)
{
    printf("campaign %lld is finished: all %u trials are stored with their histories, %u passed,"
           " %u failed, %u error%s, %u skipped; nothing was run. Leave out --resume to run it"
           " anew, or make its report: ukemi report %lld\n",
           (long long)s->campaign_id, s->done, s->count[VERDICT_PASS], s->count[VERDICT_FAIL],
           s->count[VERDICT_ERROR], text_plural(s->count[VERDICT_ERROR]), s->count[VERDICT_SKIP],
           (long long)s->campaign_id);
}

// Whether its trials passed is for the whole campaign to say: a shard has done its part.
static enum exit_code conclude_shard(const struct arguments *a, const struct campaign_summary *s)
{
    printf("part %u of %u of campaign %lld: all %u trials are stored, %u passed, %u failed, %u "
           "error%s, %u skipped; %.0f s simulated in %.0f s\n",
           a->options.shard.index, a->options.shard.count, (long long)s->campaign_id, s->done,
           s->count[VERDICT_PASS], s->count[VERDICT_FAIL], s->count[VERDICT_ERROR],
           text_plural(s->count[VERDICT_ERROR]), s->count[VERDICT_SKIP], s->simulated_s, s->wall_s);
    return EXIT_PASS;
}

static enum exit_code refuse_to_finish(const struct arguments *a, const struct campaign_summary *s)
{
    log_error("%u of %u trials are stored, so it cannot be finished: `ukemi campaign %s --db %s "
              "--missing` says which are missing",
              s->done, s->total, a->file, a->options.database);
    return EXIT_LAB;
}

static enum exit_code conclude(const struct arguments *a, const struct campaign_summary *s)
{
    if (a->options.only_finish && s->done < s->total && !s->interrupted)
        return refuse_to_finish(a, s);
    if (say_what_is_missing(a, s))
        return cli_exit_of_incomplete(s);
    if (s->sharded && !s->nothing_to_do)
        return conclude_shard(a, s);
    if (s->nothing_to_do) {
        say_that_it_is_finished(s);
        return cli_exit_of_verdict(verdict_worst(s->count), a->allow_skip);
    }
    if (a->options.report != NULL) {
        cli_print_file(a->report, s->own_page ? "table1.txt" : "table.txt");
        puts("");
    }
    printf("campaign %lld: %u trial%s, %u passed, %u failed, %u error%s, %u skipped%s%s; %.0f s "
           "simulated in %.0f s\n",
           (long long)s->campaign_id, s->done, text_plural(s->done), s->count[VERDICT_PASS],
           s->count[VERDICT_FAIL], s->count[VERDICT_ERROR], text_plural(s->count[VERDICT_ERROR]),
           s->count[VERDICT_SKIP], s->agreement[0] != '\0' ? "; " : "", s->agreement,
           s->simulated_s, s->wall_s);
    if (a->options.report != NULL)
        printf("report: %s/index.html\n", a->report);
    return cli_exit_of_verdict(verdict_worst(s->count), a->allow_skip);
}

// What is wrong before anything runs can be fixed; what goes wrong later is the lab's failure.
static enum exit_code exit_of_failure(const struct arguments *a, const struct campaign_summary *s,
                                      enum status status)
{
    if (s->started) {
        (void)say_what_is_missing(a, s);
        return EXIT_LAB;
    }
    if (trouble_words() != NULL)
        return EXIT_LAB;
    return status == STATUS_SYSTEM || status == STATUS_BUSY ? EXIT_INPUT : cli_exit_of(status);
}

// Options that mean nothing beside each other.
static bool fit(const struct cli_line *line)
{
    static const struct {
        enum cli_key one, other;
        const char *words;
    } pairs[] = {
        {CLI_SHARD, CLI_FINISH, "--finish is for the whole campaign: merge its parts first"},
        {CLI_SHARD, CLI_OUTPUT, "a part has no report; --finish writes that of the whole"},
        {CLI_SHARD, CLI_MISSING, "--missing looks at the whole campaign: leave out --shard"},
        {CLI_MISSING, CLI_FINISH, "give --missing or --finish"},
        {CLI_NO_REPORT, CLI_OUTPUT, "give --no-report or --output"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (line->value[pairs[i].one].given && line->value[pairs[i].other].given) {
            log_error("%s", pairs[i].words);
            return false;
        }
    if (!line->value[CLI_OVERLAP].given || line->value[CLI_SHARD].given)
        return true;
    log_error("--overlap is for a part: give --shard, too");
    return false;
}

static enum status run(struct arguments *a, const struct cli_bench *bench,
                       struct campaign_summary *summary)
{
    enum status status = cli_check_bench(bench);
    if (status == STATUS_OK && a->options.report != NULL)
        status = report_possible(a->report);
    return status == STATUS_OK ? campaign_run(bench->campaign, bench->target, bench->description,
                                              &a->options, summary)
                               : status;
}

int cli_campaign(const struct cli_line *line)
{
    struct arguments a = {.options = cli_campaign_options(line),
                          .file = line->word[0],
                          .report = line->value[CLI_OUTPUT].text,
                          .allow_skip = line->value[CLI_ALLOW_SKIP].given};
    if (!cli_medium_fits(a.options.ethernet, a.options.mode == CLK_WALL) || !fit(line) ||
        !cli_shard(line, &a.options.shard))
        return EXIT_INPUT;
    struct cli_bench bench;
    const enum status loaded = cli_load_campaign(a.file, &bench);
    if (loaded != STATUS_OK)
        return cli_exit_of(loaded);
    struct campaign_summary summary = {0};
    const bool reports = !line->value[CLI_NO_REPORT].given && a.options.shard.count == 0;
    a.options.only_finish = line->value[CLI_FINISH].given;
    a.options.report = reports ? write_report : NULL;
    a.options.context = &a;
    int code;
    if (line->value[CLI_MISSING].given) {
        code = cli_missing(a.file, &bench, &a.options);
    } else {
        const enum status status = run(&a, &bench, &summary);
        code = status == STATUS_OK ? (int)conclude(&a, &summary)
                                   : (int)exit_of_failure(&a, &summary, status);
    }
    cli_free(&bench);
    return code;
}
