#include "harness/store/chosen.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "harness/store/database_private.h"
#include "harness/store/kept/stored_files.h"

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// Runs an INSERT of at most one row into `chosen`, and finalises it. NOT_FOUND: none.
static enum status choose(struct database *database, sqlite3_stmt *insert)
{
    const enum status status = run(database, insert);
    return status == STATUS_OK && sqlite3_changes(database->handle) != 1 ? STATUS_NOT_FOUND
                                                                         : status;
}

enum status chosen_campaign(struct database *database, const char *campaign)
{
    enum status status =
        command(database, "CREATE TEMP TABLE chosen (campaign_id INTEGER, path TEXT,"
                          " allow_skip INTEGER NOT NULL DEFAULT 0)");
    if (status != STATUS_OK)
        return status;
    sqlite3_stmt *s =
        statement(database, "INSERT INTO chosen (campaign_id, path) SELECT campaign_id,"
                            " ?2 FROM campaign"
                            " WHERE kind <> 'benchmark' AND (?1 IS NULL OR name = ?1"
                            " OR CAST(campaign_id AS TEXT) = ?1)"
                            " ORDER BY campaign_id DESC LIMIT 1");
    if (campaign != NULL)
        bind_text(s, 1, campaign);
    bind_text(s, 2, database->path); // for the commands that a report names
    status = choose(database, s);
    if (status == STATUS_NOT_FOUND && campaign != NULL)
        log_error("there is no campaign '%s' in the database; `ukemi show` lists what there is",
                  campaign);
    else if (status == STATUS_NOT_FOUND)
        log_error("the database holds no campaign of trials yet; run one first, or name the "
                  "benchmark that you want: `ukemi show` lists what there is");
    return status;
}

enum status chosen_files(struct database *database, struct stored_files **files)
{
    int64_t campaign_id = 0;
    *files = NULL;
    const enum status status =
        run_integer(database, statement(database, "SELECT campaign_id FROM chosen"), &campaign_id);
    return status == STATUS_OK ? stored_files_open(database, campaign_id, files) : status;
}

enum status chosen_allow_skip(struct database *database)
{
    return command(database, "UPDATE chosen SET allow_skip = 1");
}

// The one text of a query, a plain name; "" if it has no row. INVALID: it is none, since the
// database may be anybody's; said, after "the campaign's ".
static enum status read_name(struct database *database, const char *query, const char *wrong,
                             char *name, size_t size)
{
    sqlite3_stmt *s = statement(database, query);
    const int step = s != NULL ? sqlite3_step(s) : SQLITE_ERROR;
    const char *text = step == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : "";
    enum status status = STATUS_OK;
    snprintf(name, size, "%s", text != NULL ? text : "");
    if (s != NULL && step != SQLITE_ROW && step != SQLITE_DONE)
        status = complain(database, "reading the campaign's names");
    else if (s == NULL)
        status = STATUS_SYSTEM;
    else if (step == SQLITE_ROW && (name[0] == '\0' || name[strspn(name, NAME_LETTERS)] != '\0'))
        status = STATUS_INVALID;
    sqlite3_finalize(s);
    if (status == STATUS_INVALID)
        log_error("%s: the campaign's %s", database->path, wrong);
    return status;
}

enum status chosen_page(struct database *database, char *page, size_t size)
{
    return read_name(
        database, "SELECT page FROM campaign WHERE campaign_id = (SELECT campaign_id FROM chosen)",
        "page is not the name of a folder of reports/", page, size);
}

enum status chosen_target(struct database *database, char *target, size_t size)
{
    return read_name(database,
                     "SELECT target FROM trial JOIN square USING (square_id) WHERE campaign_id ="
                     " (SELECT campaign_id FROM chosen) LIMIT 1",
                     "target is not the name of one", target, size);
}

enum status chosen_benchmark(struct database *database, const char *name, int64_t campaign_id)
{
    enum status status = command(database, "CREATE TEMP TABLE chosen (campaign_id INTEGER)");
    if (status != STATUS_OK)
        return status;
    sqlite3_stmt *s =
        statement(database, "INSERT INTO chosen SELECT campaign_id FROM campaign WHERE kind ="
                            " 'benchmark' AND name = ?1 AND (campaign_id = ?2 OR (?2 = 0 AND"
                            " finished_utc IS NOT NULL)) ORDER BY campaign_id DESC LIMIT 1");
    bind_text(s, 1, name);
    bind_integer(s, 2, campaign_id);
    status = choose(database, s);
    if (status == STATUS_NOT_FOUND)
        log_error("there is no benchmark '%s' in the database; `ukemi show` lists what there is",
                  name);
    return status;
}

enum status chosen_night(struct database *database, int64_t night_id, unsigned window,
                         double relevant)
{
    enum status status =
        command(database, "CREATE TEMP TABLE chosen (night_id INTEGER, name TEXT, nights INTEGER,"
                          " relevant REAL, path TEXT)");
    if (status != STATUS_OK)
        return status;
    sqlite3_stmt *s = statement(database, "INSERT INTO chosen SELECT night_id, name, ?2, ?3, ?4"
                                          " FROM night WHERE night_id = ?1");
    bind_integer(s, 1, night_id);
    bind_integer(s, 2, window);
    bind_real(s, 3, relevant);
    bind_text(s, 4, database->path); // for the commands that a page names
    return choose(database, s);
}

enum status chosen_not_passed(struct database *database, int64_t *trial_id, unsigned max,
                              unsigned *count)
{
    sqlite3_stmt *s = statement(
        database, "SELECT trial_id FROM trial_view WHERE campaign_id = (SELECT campaign_id FROM"
                  " chosen) AND verdict <> 'PASS' AND history_path IS NOT NULL ORDER BY"
                  " row_number() OVER (PARTITION BY square_id, verdict ORDER BY number), trial_id");
    *count = 0;
    if (s == NULL)
        return STATUS_SYSTEM;
    int step = SQLITE_DONE;
    while (*count < max && (step = sqlite3_step(s)) == SQLITE_ROW)
        trial_id[(*count)++] = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return step == SQLITE_ROW || step == SQLITE_DONE
               ? STATUS_OK
               : complain(database, "reading the trials that did not pass");
}
