// Campaigns and their squares in the database.
#include <string.h>

#include "base/log.h"
#include "harness/store/database_private.h"
#include "harness/store/version.h"

static const char *mode_name(enum clk_mode mode)
{
    return mode == CLK_WALL ? "wall" : "virtual";
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

static enum status insert_campaign(struct database *database, const struct campaign *campaign,
                                   enum clk_mode mode, int jobs, bool wall, int64_t *campaign_id)
{
    struct origin origin;
    enum status status = store_origin(database, &origin);
    if (status != STATUS_OK)
        return status;
    sqlite3_stmt *s =
        statement(database, "INSERT INTO campaign (kind, name, file, target, seed, clock_mode, "
                            "recheck_share, jobs, build_id,"
                            " machine_id, walled, page, started_utc)"
                            " VALUES ('trials', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                            " strftime('%Y-%m-%dT%H:%M:%SZ')) RETURNING campaign_id");
    bind_text(s, 1, campaign->name);
    bind_text(s, 2, campaign->file);
    bind_text(s, 3, campaign->square_count > 0 ? campaign->square[0].scenario->target : "");
    bind_integer(s, 4, (int64_t)campaign->seed);
    bind_text(s, 5, mode_name(mode));
    bind_real(s, 6, campaign->recheck_share);
    bind_integer(s, 7, jobs);
    bind_integer(s, 8, origin.build_id);
    bind_integer(s, 9, origin.machine_id);
    bind_integer(s, 10, wall);
    bind_text(s, 11, campaign->page[0] != '\0' ? campaign->page : CAMPAIGN_PAGE);
    status = run_integer(database, s, campaign_id);
    for (unsigned i = 0; status == STATUS_OK && i < campaign->square_count; i++)
        status = store_square(database, *campaign_id, i, &campaign->square[i]);
    return status;
}

// The newest unfinished campaign that `campaign` may go on with. NOT_FOUND.
static enum status find_unfinished(struct database *database, const struct campaign *campaign,
                                   enum clk_mode mode, bool wall, int64_t *campaign_id)
{
    sqlite3_stmt *s = statement(
        database,
        "SELECT campaign_id FROM campaign JOIN build USING (build_id) WHERE kind = "
        "'trials' AND name = ? AND "
        "seed = ? AND"
        " clock_mode = ? AND lab_revision = ? AND walled = ? AND finished_utc IS NULL AND"
        " (SELECT count(*) FROM square WHERE square.campaign_id = campaign.campaign_id) = ?"
        " ORDER BY campaign_id DESC LIMIT 1");
    bind_text(s, 1, campaign->name);
    bind_integer(s, 2, (int64_t)campaign->seed);
    bind_text(s, 3, mode_name(mode));
    bind_text(s, 4, build_info().lab_revision);
    bind_integer(s, 5, wall);
    bind_integer(s, 6, campaign->square_count);
    return run_integer(database, s, campaign_id);
}

enum status database_start_campaign(struct database *database, const struct campaign *campaign,
                                    enum clk_mode mode, int jobs, bool wall, bool resume,
                                    int64_t *campaign_id)
{
    if (resume) {
        enum status status = find_unfinished(database, campaign, mode, wall, campaign_id);
        if (status != STATUS_NOT_FOUND)
            return status;
        log_info("no unfinished campaign '%s' of this lab revision in %s: starting a new one",
                 campaign->name, database->path);
    }
    enum status status = command(database, "BEGIN IMMEDIATE");
    if (status == STATUS_OK)
        status = insert_campaign(database, campaign, mode, jobs, wall, campaign_id);
    return end_transaction(database, status);
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
