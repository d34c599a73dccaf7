// Campaigns and their squares in the database.
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/files/campaign_file.h"
#include "harness/files/scenario.h"
#include "harness/store/kept/campaign_contents.h"
#include "harness/store/database_private.h"
#include "harness/store/version.h"

static const char *mode_name(enum clk_mode mode)
{
    return mode == CLK_WALL ? "wall" : "virtual";
}

static const char *kind_of(const struct campaign *campaign)
{
    return campaign->kind[0] != '\0' ? campaign->kind : CAMPAIGN_KIND;
}

static enum status store_square(struct database *database, int64_t campaign_id, unsigned position,
                                const struct campaign_square *square)
{
    sqlite3_stmt *s = statement(
        database, "INSERT INTO square (campaign_id, position, row_name, column_name, scenario,"
                  " claim, expected, trials_planned) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    bind_integer(s, 1, campaign_id);
    bind_integer(s, 2, position);
    bind_text(s, 3, square->row);
    bind_text(s, 4, square->column);
    bind_text(s, 5, square->scenario->name);
    bind_text(s, 6, square->scenario->claim);
    bind_text(s, 7, square->expected);
    bind_integer(s, 8, square->trials);
    return run(database, s);
}

static enum status insert_campaign(struct database *database, const struct campaign_start *start,
                                   int64_t *campaign_id)
{
    const struct campaign *campaign = start->campaign;
    struct origin origin;
    enum status status = store_origin(database, &origin);
    if (status != STATUS_OK)
        return status;
    sqlite3_stmt *s =
        statement(database, "INSERT INTO campaign (kind, name, file, target, seed, clock_mode, "
                            "recheck_share, jobs, build_id,"
                            " machine_id, walled, page, digest, trial_first, started_utc)"
                            " VALUES (?13, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
                            " iif(?13 = '" CAMPAIGN_STORM "', NULL,"
                            " (SELECT trial_id FROM free_trial)), strftime('%Y-%m-%dT%H:%M:%SZ')) "
                            "RETURNING campaign_id");
    bind_text(s, 1, campaign->name);
    bind_text(s, 2, campaign->file);
    bind_text(s, 3, campaign->square_count > 0 ? campaign->square[0].scenario->target : "");
    bind_integer(s, 4, (int64_t)campaign->seed);
    bind_text(s, 5, mode_name(start->mode));
    bind_real(s, 6, campaign->recheck_share);
    bind_integer(s, 7, start->jobs);
    bind_integer(s, 8, origin.build_id);
    bind_integer(s, 9, origin.machine_id);
    bind_integer(s, 10, start->wall);
    bind_text(s, 11, campaign->page[0] != '\0' ? campaign->page : CAMPAIGN_PAGE);
    bind_text(s, 12, start->contents->digest);
    bind_text(s, 13, kind_of(campaign));
    status = run_integer(database, s, campaign_id);
    for (unsigned i = 0; status == STATUS_OK && i < campaign->square_count; i++)
        status = store_square(database, *campaign_id, i, &campaign->square[i]);
    return status;
}

// The campaign that `start` goes on with: of the same contents, and, if there is one, unfinished.
// NOT_FOUND.
static enum status find_same(struct database *database, const struct campaign_start *start,
                             struct campaign_started *started)
{
    int64_t finished = 0;
    sqlite3_stmt *s = statement(
        database, "SELECT campaign_id FROM campaign JOIN build USING (build_id) WHERE kind ="
                  " ?7 AND name = ?1 AND seed = ?2 AND clock_mode = ?3 AND lab_revision = ?4"
                  " AND walled = ?5 AND digest = ?6"
                  " ORDER BY finished_utc IS NOT NULL, campaign_id DESC LIMIT 1");
    bind_text(s, 1, start->campaign->name);
    bind_integer(s, 2, (int64_t)start->campaign->seed);
    bind_text(s, 3, mode_name(start->mode));
    bind_text(s, 4, build_info().lab_revision);
    bind_integer(s, 5, start->wall);
    bind_text(s, 6, start->contents->digest);
    bind_text(s, 7, kind_of(start->campaign));
    enum status status = run_integer(database, s, &started->campaign_id);
    if (status != STATUS_OK)
        return status;
    s = statement(database, "SELECT finished_utc IS NOT NULL FROM campaign WHERE campaign_id = ?");
    bind_integer(s, 1, started->campaign_id);
    status = run_integer(database, s, &finished);
    started->finished = finished != 0;
    return status;
}

static enum status refuse_other(struct database *database, const struct campaign_start *start,
                                int64_t campaign_id)
{
    char words[1024];
    int64_t seed = 0;
    sqlite3_stmt *s = statement(database, "SELECT seed FROM campaign WHERE campaign_id = ?");
    bind_integer(s, 1, campaign_id);
    enum status status = run_integer(database, s, &seed);
    if (status == STATUS_OK)
        status = contents_compare(database, campaign_id, start->contents, words, sizeof words);
    if (status != STATUS_OK)
        return status;
    if (seed != (int64_t)start->campaign->seed)
        text_add(words, sizeof words, "%sits seed was %lld, and is %llu",
                 words[0] != '\0' ? ", " : "", (long long)seed,
                 (unsigned long long)start->campaign->seed);
    log_error("campaign %lld '%s' of %s was another: %s; put back what it was, or leave "
              "out --resume to run it anew",
              (long long)campaign_id, start->campaign->name, database->path,
              words[0] != '\0' ? words : "another revision of the lab began it");
    return STATUS_INVALID;
}

// NOT_FOUND: there is none of this name, clock and wall.
static enum status find_other(struct database *database, const struct campaign_start *start,
                              int64_t *campaign_id)
{
    sqlite3_stmt *s =
        statement(database, "SELECT campaign_id FROM campaign WHERE kind = ?4 AND name = ?1 AND"
                            " clock_mode = ?2 AND walled = ?3 ORDER BY campaign_id DESC LIMIT 1");
    bind_text(s, 1, start->campaign->name);
    bind_text(s, 2, mode_name(start->mode));
    bind_integer(s, 3, start->wall);
    bind_text(s, 4, kind_of(start->campaign));
    return run_integer(database, s, campaign_id);
}

enum status database_find_campaign(struct database *database, const struct campaign_start *start,
                                   struct campaign_started *started)
{
    *started = (struct campaign_started){0};
    enum status status = find_same(database, start, started);
    if (status != STATUS_NOT_FOUND)
        return status;
    status = find_other(database, start, &started->campaign_id);
    return status == STATUS_OK ? refuse_other(database, start, started->campaign_id) : status;
}

static enum status resume(struct database *database, const struct campaign_start *start,
                          struct campaign_started *started)
{
    const enum status status = database_find_campaign(database, start, started);
    if (status == STATUS_NOT_FOUND && start->only_resume)
        log_error("no campaign '%s' on this clock in %s: name the database that its trials were "
                  "merged into with --db",
                  start->campaign->name, database->path);
    else if (status == STATUS_NOT_FOUND)
        log_info("no campaign '%s' on this clock in %s: starting one", start->campaign->name,
                 database->path);
    return status;
}

// NOT_FOUND: there is none of the same contents, or it is finished.
static enum status go_on(struct database *database, const struct campaign_start *start,
                         struct campaign_started *started)
{
    const enum status status = find_same(database, start, started);
    if (status != STATUS_OK || !started->finished)
        return status;
    *started = (struct campaign_started){0};
    return STATUS_NOT_FOUND;
}

enum status database_start_campaign(struct database *database, const struct campaign_start *start,
                                    struct campaign_started *started)
{
    *started = (struct campaign_started){0};
    enum status status = STATUS_NOT_FOUND;
    if (start->resume)
        status = resume(database, start, started);
    else if (start->go_on)
        status = go_on(database, start, started);
    if (status != STATUS_NOT_FOUND || start->only_resume)
        return status;
    status = command(database, "BEGIN IMMEDIATE");
    if (status == STATUS_OK)
        status = insert_campaign(database, start, &started->campaign_id);
    if (status == STATUS_OK)
        status = contents_store(database, started->campaign_id, start->contents);
    return end_transaction(database, status);
}

enum status database_reopen_campaign(struct database *database, int64_t campaign_id)
{
    sqlite3_stmt *s =
        statement(database, "UPDATE campaign SET finished_utc = NULL WHERE campaign_id = ?");
    bind_integer(s, 1, campaign_id);
    return run(database, s);
}

enum status database_plan_storm(struct database *database, int64_t campaign_id, unsigned trials)
{
    sqlite3_stmt *s =
        statement(database, "UPDATE square SET trials_planned = ?2 WHERE campaign_id = ?1");
    bind_integer(s, 1, campaign_id);
    bind_integer(s, 2, trials);
    return run(database, s);
}

enum status database_finish_campaign(struct database *database, int64_t campaign_id, double wall_s,
                                     bool finished)
{
    sqlite3_stmt *s = statement(
        database,
        finished ? "UPDATE campaign SET wall_s = coalesce(wall_s, 0) + ?, finished_utc ="
                   " strftime('%Y-%m-%dT%H:%M:%SZ') WHERE campaign_id = ?"
                 : "UPDATE campaign SET wall_s = coalesce(wall_s, 0) + ? WHERE campaign_id = ?");
    bind_real(s, 1, wall_s);
    bind_integer(s, 2, campaign_id);
    return run(database, s);
}
