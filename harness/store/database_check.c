#include "harness/store/database_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"

#define THOROUGH_MAX_B ((int64_t)64 << 20)

static enum status refuse(struct database *database, const char *what)
{
    log_error("%s: is damaged (%s), so what it holds is not all; put back a copy, save what "
              "`sqlite3 FILE .recover` finds, or name another file with --db",
              database->path, what);
    return STATUS_SYSTEM;
}

// Takes the first text of a query; "" without a row.
static enum status ask(struct database *database, const char *sql, char *text, size_t size)
{
    sqlite3_stmt *s = statement(database, sql);
    if (s == NULL)
        return STATUS_SYSTEM;
    const int code = sqlite3_step(s);
    const unsigned char *first = code == SQLITE_ROW ? sqlite3_column_text(s, 0) : NULL;
    snprintf(text, size, "%s", first != NULL ? (const char *)first : "");
    const enum status status =
        code == SQLITE_ROW || code == SQLITE_DONE ? STATUS_OK : complain(database, "looking at it");
    sqlite3_finalize(s);
    return status;
}

// Each index has as many entries as its table has rows. Those of SQLite's own, too. Both are
// counted by one statement: between two, another process may add some.
static enum status count_indices(struct database *database)
{
#define COUNT(table, index, key)                                                                   \
    "SELECT '" table " has ' || rows || ' rows and ' || entries || ' in its index' FROM"           \
    " (SELECT (SELECT count(*) FROM " table " NOT INDEXED) AS rows,"                               \
    " (SELECT count(*) FROM " table " INDEXED BY " index " WHERE " key " IS NOT NULL) AS entries)" \
    " WHERE rows <> entries"
    // "NOT NULL" keeps the second count in the index; no index of ours is partial.
    static const char *const differs[] = {COUNT("trial", "trial_by_square", "square_id"),
                                          COUNT("judging", "judging_by_trial", "trial_id"),
                                          COUNT("square", "square_by_campaign", "campaign_id")};
#undef COUNT
    for (size_t i = 0; i < sizeof differs / sizeof differs[0]; i++) {
        char words[128];
        const enum status status = ask(database, differs[i], words, sizeof words);
        if (status != STATUS_OK)
            return status;
        if (words[0] != '\0')
            return refuse(database, words);
    }
    return STATUS_OK;
}

enum status database_check_pages(struct database *database)
{
    char words[200];
    int64_t pages = 0, page_B = 0;
    enum status status = run_integer(database, statement(database, "PRAGMA page_count"), &pages);
    if (status == STATUS_OK)
        status = run_integer(database, statement(database, "PRAGMA page_size"), &page_B);
    if (status != STATUS_OK)
        return status;
    status = ask(database,
                 pages * page_B <= THOROUGH_MAX_B ? "PRAGMA integrity_check(1)"
                                                  : "PRAGMA quick_check(1)",
                 words, sizeof words);
    if (status != STATUS_OK || strcmp(words, "ok") == 0)
        return status;
    text_clean(words);
    return refuse(database, words);
}

// What is missing, in words; no row: nothing is.
static const char *const missing[] = {
    "SELECT 'a row of ' || \"table\" || ' belongs to one of ' || parent || ' that is gone'"
    " FROM pragma_foreign_key_check LIMIT 1",
    "SELECT 'trial ' || trial_id || ' has no judging' FROM trial JOIN square USING (square_id)"
    " JOIN campaign USING (campaign_id) WHERE kind <> 'benchmark' AND NOT EXISTS"
    " (SELECT * FROM judging AS j WHERE j.trial_id = trial.trial_id) LIMIT 1",
    "SELECT 'campaign ' || campaign_id || ' is finished, and has ' || count(trial_id) || ' of '"
    " || planned || ' trials' FROM campaign JOIN (SELECT campaign_id, sum(trials_planned) AS"
    " planned FROM square GROUP BY 1) USING (campaign_id) LEFT JOIN square USING (campaign_id)"
    " LEFT JOIN trial USING (square_id) WHERE kind <> 'benchmark' AND campaign.finished_utc IS NOT "
    "NULL"
    " GROUP BY campaign_id HAVING count(trial_id) < planned LIMIT 1",
    "SELECT 'campaign ' || campaign_id || ' has no squares' FROM campaign WHERE kind <> 'benchmark'"
    " AND NOT EXISTS (SELECT * FROM square WHERE square.campaign_id = campaign.campaign_id)"
    " LIMIT 1",
};

enum status database_check_whole(struct database *database)
{
    char words[200];
    enum status status = database_check_pages(database);
    if (status == STATUS_OK)
        status = count_indices(database);
    for (size_t i = 0; i < sizeof missing / sizeof missing[0] && status == STATUS_OK; i++) {
        status = ask(database, missing[i], words, sizeof words);
        if (status == STATUS_OK && words[0] != '\0')
            return refuse(database, words);
    }
    return status;
}
