#include "harness/report/report.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/trouble.h"
#include "harness/store/database.h"
#include "harness/report/report_page.h"
#include "harness/report/report_plot.h"
#include "harness/report/report_query.h"
#include "harness/report/report_template.h"

// Puts the campaign's number into the temporary table `chosen`, which all queries of reports/ start
// from; and the database's path, for the commands that a report names.
static enum status choose_campaign(sqlite3 *database, const char *path, const char *campaign)
{
    static const char choice[] = "INSERT INTO chosen SELECT campaign_id, ?2 FROM campaign"
                                 " WHERE kind = 'trials' AND (?1 IS NULL OR name = ?1"
                                 " OR CAST(campaign_id AS TEXT) = ?1)"
                                 " ORDER BY campaign_id DESC LIMIT 1";
    sqlite3_stmt *insert = NULL;
    enum status status = STATUS_INVALID;
    if (sqlite3_exec(database, "CREATE TEMP TABLE chosen (campaign_id INTEGER, path TEXT)", NULL,
                     NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(database, choice, -1, &insert, NULL) == SQLITE_OK &&
        sqlite3_bind_text(insert, 1, campaign, -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_bind_text(insert, 2, path, -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_step(insert) == SQLITE_DONE)
        status = sqlite3_changes(database) == 1 ? STATUS_OK : STATUS_NOT_FOUND;
    else
        log_error("campaigns: %s", sqlite3_errmsg(database));
    if (status == STATUS_INVALID && database_note_trouble(database))
        status = STATUS_SYSTEM;
    sqlite3_finalize(insert);
    if (status == STATUS_NOT_FOUND && campaign)
        log_error("there is no campaign '%s' in the database; `ukemi show` lists what there is",
                  campaign);
    else if (status == STATUS_NOT_FOUND)
        log_error("the database holds no campaign of trials yet; run one first, or name the "
                  "benchmark that you want: `ukemi show` lists what there is");
    return status;
}

enum status report_possible(const char *folder)
{
    struct places templates;
    enum status status = report_find_templates(&templates);
    return status == STATUS_OK ? report_make_folder(folder) : status;
}

static int is_template(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    if (!ending || entry->d_name[0] == '.')
        return false;
    if (strcmp(ending, ".html") == 0)
        return strcmp(entry->d_name, "index.html") == 0;
    return strcmp(ending, ".sql") != 0 && strcmp(ending, ".gp") != 0 && strcmp(ending, ".css") != 0;
}

// Whoever looks for the lab's own page must find it: no other folder's takes its name.
static enum status check_own(const struct places *templates, unsigned number, const char *file)
{
    char path[PATH_MAX_LENGTH + NAME_MAX + 2];
    for (unsigned i = 0; i < number; i++) {
        snprintf(path, sizeof path, "%s/%s", templates->folder[i], file);
        if (access(path, F_OK) == 0) {
            log_error("%s/%s: %s has one of this name, too; rename it", templates->folder[number],
                      file, templates->folder[i]);
            return STATUS_INVALID;
        }
    }
    return STATUS_OK;
}

// Every file of reports/ that is neither a query nor a plot nor a style is a template of a campaign. Its
// one page is index.html, all others are of benchmarks.
static enum status write_files(struct report_renderer *renderer, const struct places *templates,
                               unsigned number, const char *folder)
{
    struct dirent **entry = NULL;
    const int count = scandir(renderer->folder, &entry, is_template, alphasort);
    if (count < 0) {
        log_error("%s: %s; it must be a folder of templates", renderer->folder, strerror(errno));
        (void)trouble_note(errno);
        return STATUS_NOT_FOUND;
    }
    enum status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        renderer->file = entry[i]->d_name;
        if (status == STATUS_OK)
            status = check_own(templates, number, renderer->file);
        if (status == STATUS_OK)
            status = report_write_file(renderer, folder);
        free(entry[i]);
    }
    free(entry);
    return status;
}

// Renders the templates of all folders; the queries of all start from the lab's own views.
static enum status write_folders(sqlite3 *database, const char *histories,
                                 const struct places *templates, const char *folder)
{
    enum status status = report_script(database, templates->folder[0], "prelude");
    if (status == STATUS_OK)
        status = report_script(database, templates->folder[0], "since_views");
    if (status == STATUS_OK)
        status = report_make_folder(folder);
    for (unsigned i = 0; i < templates->count && status == STATUS_OK; i++) {
        struct report_renderer renderer = {.database = database, .folder = templates->folder[i]};
        status =
            report_plotter_create(database, renderer.folder, folder, histories, &renderer.plotter);
        if (status == STATUS_OK)
            status = write_files(&renderer, templates, i, folder);
        report_plotter_free(renderer.plotter);
    }
    return status;
}

enum status report_write(const char *database_path, const char *campaign, const char *folder)
{
    char histories[1024];
    struct places templates;
    sqlite3 *database = NULL;
    const char *slash = strrchr(database_path, '/');
    snprintf(histories, sizeof histories, "%.*s", slash ? (int)(slash - database_path) : 1,
             slash ? database_path : ".");
    enum status status = report_find_templates(&templates);
    if (status == STATUS_OK)
        status = report_open_database(database_path, &database);
    if (status == STATUS_OK)
        status = choose_campaign(database, database_path, campaign);
    if (status == STATUS_OK)
        status = write_folders(database, histories, &templates, folder);
    sqlite3_close(database);
    return status;
}
