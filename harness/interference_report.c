#include "harness/interference_report.h"

#include <sqlite3.h>

#include "base/log.h"
#include "harness/report_page.h"

// The page's queries look at this one row.
static enum status choose(sqlite3 *database, int64_t campaign_id)
{
    static const char insert[] =
        "INSERT INTO chosen SELECT campaign_id FROM campaign WHERE kind = 'benchmark' AND"
        " name = 'interference' AND (?1 = 0 OR campaign_id = ?1) ORDER BY campaign_id DESC LIMIT 1";
    sqlite3_stmt *statement = NULL;
    int done = sqlite3_exec(database, "CREATE TEMP TABLE chosen (campaign_id)", NULL, NULL, NULL);
    if (done == SQLITE_OK)
        done = sqlite3_prepare_v2(database, insert, -1, &statement, NULL);
    if (done == SQLITE_OK)
        done = sqlite3_bind_int64(statement, 1, campaign_id);
    if (done == SQLITE_OK)
        done = sqlite3_step(statement);
    sqlite3_finalize(statement);
    if (done != SQLITE_DONE)
        return STATUS_INVALID;
    return sqlite3_changes(database) == 1 ? STATUS_OK : STATUS_NOT_FOUND;
}

enum status interference_report(const char *database_path, int64_t campaign_id, const char *folder)
{
    sqlite3 *database = NULL;
    enum status status = STATUS_INVALID;
    if (sqlite3_open_v2(database_path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK)
        status = choose(database, campaign_id);
    if (status == STATUS_NOT_FOUND)
        log_error("%s: holds no benchmark 'interference'; run `ukemi bench interference`",
                  database_path);
    else if (status == STATUS_INVALID)
        log_error("%s: %s", database_path, sqlite3_errmsg(database));
    if (status == STATUS_OK)
        status = report_page(database, folder, "interference.html", folder);
    sqlite3_close(database);
    return status;
}
