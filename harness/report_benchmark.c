#include "harness/report_benchmark.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sqlite3.h>
#include <unistd.h>

#include "base/log.h"
#include "harness/report_page.h"

enum status report_benchmark_find(const char *database_path, const char *benchmark,
                                  struct report_benchmark *found)
{
    static const char newest[] = "SELECT campaign_id, name, kind = 'benchmark' FROM campaign"
                                 " WHERE name = ?1 OR CAST(campaign_id AS TEXT) = ?1"
                                 " ORDER BY campaign_id DESC LIMIT 1";
    sqlite3 *database = NULL;
    sqlite3_stmt *query = NULL;
    enum status status = report_open_database(database_path, &database);
    if (status == STATUS_OK &&
        (sqlite3_prepare_v2(database, newest, -1, &query, NULL) != SQLITE_OK ||
         sqlite3_bind_text(query, 1, benchmark, -1, SQLITE_STATIC) != SQLITE_OK)) {
        log_error("%s: %s", database_path, sqlite3_errmsg(database));
        status = STATUS_INVALID;
    }
    if (status == STATUS_OK && (sqlite3_step(query) != SQLITE_ROW || !sqlite3_column_int(query, 2)))
        status = STATUS_EMPTY;
    if (status == STATUS_OK) {
        found->campaign_id = sqlite3_column_int64(query, 0);
        snprintf(found->name, sizeof found->name, "%s",
                 (const char *)sqlite3_column_text(query, 1));
    }
    sqlite3_finalize(query);
    sqlite3_close(database);
    return status;
}

// The page's queries look at this one row.
static enum status choose(sqlite3 *database, const struct report_benchmark *benchmark)
{
    static const char insert[] =
        "INSERT INTO chosen SELECT campaign_id FROM campaign WHERE kind = 'benchmark' AND"
        " name = ?1 AND ?2 IN (0, campaign_id) ORDER BY campaign_id DESC LIMIT 1";
    sqlite3_stmt *statement = NULL;
    int done = sqlite3_exec(database, "CREATE TEMP TABLE chosen (campaign_id)", NULL, NULL, NULL);
    if (done == SQLITE_OK)
        done = sqlite3_prepare_v2(database, insert, -1, &statement, NULL);
    if (done == SQLITE_OK)
        done = sqlite3_bind_text(statement, 1, benchmark->name, -1, SQLITE_STATIC);
    if (done == SQLITE_OK)
        done = sqlite3_bind_int64(statement, 2, benchmark->campaign_id);
    if (done == SQLITE_OK)
        done = sqlite3_step(statement);
    if (done != SQLITE_DONE)
        log_error("benchmark '%s': %s", benchmark->name, sqlite3_errmsg(database));
    sqlite3_finalize(statement);
    if (done != SQLITE_DONE)
        return STATUS_INVALID;
    if (sqlite3_changes(database) == 1)
        return STATUS_OK;
    log_error("there is no benchmark '%s' in the database; `ukemi show` lists what there is",
              benchmark->name);
    return STATUS_NOT_FOUND;
}

// Whether reports/ has a template of that name. A benchmark is named by whoever stores it: a name that leads elsewhere has none.
static bool has_page(const char *templates, const char *page)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", templates, page);
    return strchr(page, '/') == NULL && strcmp(page, "index.html") != 0 && access(path, R_OK) == 0;
}

// Views that the page's queries share, if it has such.
static enum status prepare(sqlite3 *database, const char *templates, const char *name)
{
    char script[96], path[1200];
    snprintf(script, sizeof script, "%s_prelude", name);
    snprintf(path, sizeof path, "%s/%s.sql", templates, script);
    return access(path, R_OK) == 0 ? report_script(database, templates, script) : STATUS_OK;
}

enum status report_benchmark_write(const char *database_path,
                                   const struct report_benchmark *benchmark, const char *folder)
{
    char templates[1024], page[96];
    snprintf(page, sizeof page, "%s.html", benchmark->name);
    sqlite3 *database = NULL;
    enum status status = report_open_database(database_path, &database);
    if (status == STATUS_OK)
        status = choose(database, benchmark);
    if (status == STATUS_OK)
        status = report_find_templates(database_path, templates, sizeof templates);
    if (status == STATUS_OK && !has_page(templates, page)) {
        log_error("benchmark '%s' has no page that is made from the database; see `ukemi show` of "
                  "a run and `ukemi diff`",
                  benchmark->name);
        status = STATUS_NOT_FOUND;
    }
    if (status == STATUS_OK)
        status = prepare(database, templates, benchmark->name);
    if (status == STATUS_OK)
        status = report_page(database, database_path, page, folder);
    sqlite3_close(database);
    return status;
}
