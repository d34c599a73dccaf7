// The parts of a night, one after the other: which comes first, for how long, and what the database
// says of each.
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_night.h"
#include "harness/files/campaign_file.h"
#include "harness/report/report.h"

struct part { // that is being run
    struct cli_night *night;
    const struct night_file_part *file;
    unsigned position;
    char name[NAME_MAX_LENGTH], report[2 * PATH_MAX_LENGTH];
    int64_t last_night; // that ran it before
    bool finished;      // in this night already
};

static volatile sig_atomic_t told;
static void on_signal(int number)
{
    told = number;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- one of them ------------------------------------------------------------------------------

static enum status put_row(struct cli_night *night, struct database *database, void *row)
{
    return night_part_put(database, &night->night, row);
}

static struct night_part row_of(const struct part *part, enum night_ended ended)
{
    return (struct night_part){.position = part->position,
                               .name = part->name,
                               .priority = part->file->priority,
                               .ended = ended};
}

static enum status put(const struct part *part, enum night_ended ended,
                       const struct campaign_summary *summary)
{
    struct night_part row = row_of(part, ended);
    if (summary != NULL) {
        row.planned = summary->total;
        row.wall_s = summary->wall_s;
        memcpy(row.count, summary->count, sizeof row.count);
    }
    return cli_night_with(part->night, put_row, &row);
}

static enum status begun(void *context, struct database *database, int64_t campaign_id)
{
    const struct part *part = context;
    struct night_part row = row_of(part, NIGHT_BEGUN);
    row.campaign_id = campaign_id;
    return night_part_put(database, &part->night->night, &row);
}

static enum status write_report(void *context, int64_t campaign_id)
{
    const struct part *part = context;
    char campaign[32];
    snprintf(campaign, sizeof campaign, "%lld", (long long)campaign_id);
    return report_write(part->night->options.database, campaign, part->report);
}

static enum night_ended ended_as(const struct campaign_summary *summary, enum status status)
{
    if (status != STATUS_OK)
        return NIGHT_FAILED;
    if (summary->interrupted)
        return NIGHT_BEGUN;
    if (summary->lost > 0)
        return NIGHT_LOST;
    return summary->stopped_early ? NIGHT_OUT_OF_TIME : NIGHT_FINISHED;
}

// A campaign that ends here has a report; whatever else fails, the next part is run.
static enum status conclude(struct part *part, const struct campaign_summary *summary,
                            enum status status)
{
    const enum night_ended ended = ended_as(summary, status);
    struct cli_night *night = part->night;
    night->failed += ended == NIGHT_FAILED;
    night->lost += summary->lost;
    night->terminated |= summary->terminated;
    night->interrupted |= summary->interrupted;
    if (ended == NIGHT_OUT_OF_TIME && summary->done > 0 &&
        write_report(part, summary->campaign_id) != STATUS_OK)
        night->failed++; // it has been said
    log_info("%s: %s, %u of %u trials, %u passed, %u failed, %u error%s, %u skipped", part->name,
             night_ended_words(ended), summary->done, summary->total, summary->count[VERDICT_PASS],
             summary->count[VERDICT_FAIL], summary->count[VERDICT_ERROR],
             text_plural(summary->count[VERDICT_ERROR]), summary->count[VERDICT_SKIP]);
    return put(part, ended, summary);
}

static enum status run_campaign(struct part *part, const struct cli_bench *bench, double limit_s)
{
    struct campaign_summary summary = {0};
    struct campaign_options options = part->night->options;
    options.mode = part->file->wall ? CLK_WALL : CLK_VIRTUAL;
    options.go_on = options.widest_first = true;
    options.budget_s = limit_s;
    options.begun = begun;
    options.report = write_report;
    options.context = part;
    const enum status status =
        campaign_run(bench->campaign, bench->target, bench->description, &options, &summary);
    return conclude(part, &summary, status);
}

static enum status run_part(struct part *part, double left_s)
{
    struct cli_bench bench;
    enum status status = STATUS_OK;
    if (part->finished)
        return STATUS_OK;
    if (left_s <= 0)
        return put(part, NIGHT_NOT_BEGUN, NULL);
    if (cli_load_campaign(part->file->campaign, &bench) != STATUS_OK ||
        cli_check_bench(&bench) != STATUS_OK) { // it was sound when the night began
        part->night->failed++;
        return put(part, NIGHT_FAILED, NULL);
    }
    const double own_s = part->file->budget_h > 0 ? part->file->budget_h * 3600 : left_s;
    status = run_campaign(part, &bench, fmin(own_s, left_s));
    cli_free(&bench);
    return status;
}

// ---- all of them ------------------------------------------------------------------------------

// By priority; of equals what was not run for longest.
static int by_priority(const void *a, const void *b)
{
    const struct part *one = a, *other = b;
    if (one->file->priority != other->file->priority)
        return one->file->priority < other->file->priority ? -1 : 1;
    if (one->last_night != other->last_night)
        return one->last_night < other->last_night ? -1 : 1;
    return one->position < other->position ? -1 : one->position > other->position;
}

static enum status read_part(struct cli_night *night, struct database *database, void *context)
{
    struct part *part = context;
    const enum status status =
        night_part_finished(database, &night->night, part->position, &part->finished);
    return status == STATUS_OK
               ? night_last_of(database, &night->night, part->name, &part->last_night)
               : status;
}

static enum status name_part(struct cli_night *night, unsigned position, struct part *part)
{
    struct cli_bench bench;
    *part =
        (struct part){.night = night, .file = &night->file->part[position], .position = position};
    const enum status status = cli_load_campaign(part->file->campaign, &bench);
    if (status != STATUS_OK)
        return status;
    text_copy(part->name, sizeof part->name, bench.campaign->name);
    cli_free(&bench);
    snprintf(part->report, sizeof part->report, "%s/%s", night->output, part->name);
    return cli_night_with(night, read_part, part);
}

static enum status spend(struct cli_night *night, struct database *database, void *context)
{
    (void)context;
    return night_spend(database, &night->night, night->night.spent_s);
}

static enum status run_parts(struct cli_night *night, struct part *parts)
{
    const double start_s = now_s(), before_s = night->night.spent_s;
    enum status status = STATUS_OK;
    for (unsigned i = 0;
         i < night->file->part_count && status == STATUS_OK && told == 0 && !night->interrupted;
         i++) {
        status = run_part(&parts[i], night->budget_s - night->night.spent_s);
        night->night.spent_s = before_s + now_s() - start_s;
        if (status == STATUS_OK)
            status = cli_night_with(night, spend, NULL);
    }
    night->terminated |= told == SIGTERM;
    night->interrupted |= told != 0;
    return status;
}

enum status cli_night_run(struct cli_night *night)
{
    struct sigaction action = {.sa_handler = on_signal}, old_int, old_term;
    struct part *parts = calloc(night->file->part_count, sizeof *parts);
    enum status status = parts == NULL ? STATUS_NO_MEMORY : STATUS_OK;
    for (unsigned i = 0; i < night->file->part_count && status == STATUS_OK; i++)
        status = name_part(night, i, &parts[i]);
    if (status == STATUS_OK) {
        qsort(parts, night->file->part_count, sizeof *parts, by_priority);
        told = 0;
        sigaction(SIGINT, &action, &old_int);
        sigaction(SIGTERM, &action, &old_term);
        status = run_parts(night, parts);
        sigaction(SIGINT, &old_int, NULL);
        sigaction(SIGTERM, &old_term, NULL);
    }
    free(parts);
    return status;
}
