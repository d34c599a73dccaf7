#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/campaign/campaign.h"
#include "harness/cli/cli.h"
#include "harness/report/report.h"

struct arguments {
    struct campaign_options options;
    const char *file, *report;
    bool allow_skip;
};

static void print_file(const char *folder, const char *name)
{
    char path[2 * PATH_MAX_LENGTH], line[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        log_error("%s: %s", path, strerror(errno));
        (void)trouble_note(errno);
        return;
    }
    while (fgets(line, sizeof line, file) != NULL)
        fputs(line, stdout);
    (void)fclose(file); // only read
}

static enum status write_report(void *context, int64_t campaign_id)
{
    const struct arguments *a = context;
    char campaign[32];
    snprintf(campaign, sizeof campaign, "%lld", (long long)campaign_id);
    return report_write(a->options.database, campaign, a->report);
}

static void say_how_to_go_on(const struct arguments *a, const char *what)
{
    log_info("%s; go on with: ukemi campaign %s --db %s%s%s%s%s%s%s%s --resume", what, a->file,
             a->options.database, a->options.mode == CLK_WALL ? " --wall" : "",
             a->options.ethernet == LINK_AUTO ? "" : " --ethernet ",
             a->options.ethernet == LINK_AUTO ? "" : link_word(a->options.ethernet),
             a->options.no_wall ? " --no-wall" : "", a->allow_skip ? " --allow-skip" : "",
             strcmp(a->report, CLI_REPORT) == 0 ? "" : " --output ",
             strcmp(a->report, CLI_REPORT) == 0 ? "" : a->report);
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

static enum exit_code conclude(const struct arguments *a, const struct campaign_summary *s)
{
    if (say_what_is_missing(a, s))
        return cli_exit_of_incomplete(s);
    if (s->nothing_to_do) {
        say_that_it_is_finished(s);
        return cli_exit_of_verdict(verdict_worst(s->count), a->allow_skip);
    }
    print_file(a->report, s->own_page ? "table1.txt" : "table.txt");
    printf("\ncampaign %lld: %u trial%s, %u passed, %u failed, %u error%s, %u skipped%s%s; %.0f s "
           "simulated in %.0f s\n",
           (long long)s->campaign_id, s->done, text_plural(s->done), s->count[VERDICT_PASS],
           s->count[VERDICT_FAIL], s->count[VERDICT_ERROR], text_plural(s->count[VERDICT_ERROR]),
           s->count[VERDICT_SKIP], s->agreement[0] != '\0' ? "; " : "", s->agreement,
           s->simulated_s, s->wall_s);
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

int cli_campaign(const struct cli_line *line)
{
    struct arguments a = {.options = cli_campaign_options(line),
                          .file = line->word[0],
                          .report = line->value[CLI_OUTPUT].text,
                          .allow_skip = line->value[CLI_ALLOW_SKIP].given};
    if (!cli_medium_fits(a.options.ethernet, a.options.mode == CLK_WALL))
        return EXIT_INPUT;
    struct cli_bench bench;
    enum status status = cli_load_campaign(a.file, &bench);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    struct campaign_summary summary = {0};
    a.options.report = write_report;
    a.options.context = &a;
    status = cli_check_bench(&bench);
    if (status == STATUS_OK)
        status = report_possible(a.report);
    if (status == STATUS_OK)
        status =
            campaign_run(bench.campaign, bench.target, bench.description, &a.options, &summary);
    const enum exit_code code =
        status == STATUS_OK ? conclude(&a, &summary) : exit_of_failure(&a, &summary, status);
    cli_free(&bench);
    return code;
}
