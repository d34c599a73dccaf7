#include "harness/report/report_benchmark.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sqlite3.h>

#include "base/log.h"
#include "harness/store/database.h"
#include "harness/report/report_page.h"

enum status report_benchmark_find(const char *database_path, const char *benchmark,
                                  struct report_benchmark *found)
{
    static const char newest[] =
        "SELECT campaign_id, name, kind = 'benchmark' FROM campaign"
        " WHERE (name = ?1 AND (kind <> 'benchmark' OR finished_utc IS NOT NULL))"
        " OR CAST(campaign_id AS TEXT) = ?1"
        " ORDER BY campaign_id DESC LIMIT 1";
    sqlite3 *database = NULL;
    sqlite3_stmt *query = NULL;
    enum status status = report_open_database(database_path, &database);
    if (status == STATUS_OK &&
        (sqlite3_prepare_v2(database, newest, -1, &query, NULL) != SQLITE_OK ||
         sqlite3_bind_text(query, 1, benchmark, -1, SQLITE_STATIC) != SQLITE_OK)) {
        log_error("%s: %s", database_path, sqlite3_errmsg(database));
        (void)database_note_trouble(database);
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
        " name = ?1 AND (campaign_id = ?2 OR (?2 = 0 AND finished_utc IS NOT NULL))"
        " ORDER BY campaign_id DESC LIMIT 1";
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

// Finds the prelude that makes a page one of benchmarks, in a folder of its own or in reports/.
static enum status find_prelude(const char *benchmark, char path[PATH_MAX_LENGTH])
{
    char relative[128];
    snprintf(relative, sizeof relative, "reports/%s/prelude.sql", benchmark);
    const enum status status = places_find(relative, path, PATH_MAX_LENGTH);
    if (status != STATUS_NOT_FOUND)
        return status;
    snprintf(relative, sizeof relative, "reports/%s_prelude.sql", benchmark);
    return places_find(relative, path, PATH_MAX_LENGTH);
}

// Makes the views of a benchmark's own page.
static enum status prepare(sqlite3 *database, char *prelude, struct report_files *files)
{
    char *name = strrchr(prelude, '/');
    *name++ = '\0';
    *strrchr(name, '.') = '\0';
    const enum status status = report_files_in(prelude, files);
    return status == STATUS_OK ? report_script(database, files, name) : status;
}

// The page of its own, or the one for all: a name that leads elsewhere (whoever stores a benchmark
// names it) has none of its own.
static enum status choose_page(sqlite3 *database, struct report_benchmark *benchmark,
                               struct report_files *files)
{
    char prelude[PATH_MAX_LENGTH];
    const enum status status = strchr(benchmark->name, '/') == NULL
                                   ? find_prelude(benchmark->name, prelude)
                                   : STATUS_NOT_FOUND;
    snprintf(benchmark->page, sizeof benchmark->page, "%s.html",
             status == STATUS_OK ? benchmark->name : "benchmark");
    if (status == STATUS_NOT_FOUND)
        return report_files_own("benchmark", files);
    return status == STATUS_OK ? prepare(database, prelude, files) : status;
}

enum status report_benchmark_write(const char *database_path, struct report_benchmark *benchmark,
                                   const char *folder)
{
    struct report_files files;
    sqlite3 *database = NULL;
    enum status status = report_open_database(database_path, &database);
    if (status == STATUS_OK)
        status = choose(database, benchmark);
    if (status == STATUS_OK)
        status = choose_page(database, benchmark, &files);
    if (status == STATUS_OK)
        status = report_page(database, &files, benchmark->page, folder);
    sqlite3_close(database);
    return status;
}
