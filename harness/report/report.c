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
#include "harness/files/campaign_file.h"
#include "harness/store/kept/campaign_histories.h"
#include "harness/store/chosen.h"
#include "harness/report/report_folders.h"
#include "harness/report/report_page.h"
#include "harness/report/report_pages.h"
#include "harness/report/report_plot.h"
#include "harness/report/report_query.h"
#include "harness/report/report_template.h"

enum status report_possible(const char *folder)
{
    struct report_files files;
    const enum status status = report_files_own(CAMPAIGN_PAGE, &files);
    return status == STATUS_OK ? report_make_folder(folder) : status;
}

// ---- its templates ------------------------------------------------------------------------------

// Whoever looks for the lab's own page must find it: no other folder's takes its name.
static enum status check_own(const struct report_folders *folders, unsigned number,
                             const char *file)
{
    char path[PATH_MAX_LENGTH + NAME_MAX + 2];
    for (unsigned i = 0; i < number; i++) {
        snprintf(path, sizeof path, "%s/%s", folders->path[i], file);
        if (access(path, F_OK) == 0) {
            log_error("%s/%s: %s has one of this name, too; rename it", folders->path[number], file,
                      folders->path[i]);
            return STATUS_INVALID;
        }
    }
    return STATUS_OK;
}

// Renders a file of a folder, if it is a template.
static enum status write_file(struct report_renderer *renderer,
                              const struct report_folders *folders, unsigned number,
                              const char *output)
{
    if (!report_folder_has(folders->path[number], renderer->file))
        return STATUS_OK;
    const enum status status = check_own(folders, number, renderer->file);
    return status == STATUS_OK ? report_write_file(renderer, output) : status;
}

static enum status write_files(struct report_renderer *renderer,
                               const struct report_folders *folders, unsigned number,
                               const char *output)
{
    struct dirent **entry = NULL;
    const int count = scandir(folders->path[number], &entry, NULL, alphasort);
    if (count < 0) {
        log_error("%s: %s; it must be a folder of templates", folders->path[number],
                  strerror(errno));
        (void)trouble_note(errno);
        return STATUS_NOT_FOUND;
    }
    enum status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        renderer->file = entry[i]->d_name;
        if (status == STATUS_OK)
            status = write_file(renderer, folders, number, output);
        free(entry[i]);
    }
    free(entry);
    return status;
}

// A page of the target may have views of its own.
static enum status prepare_own(sqlite3 *database, const struct report_files *files)
{
    char path[2 * PATH_MAX_LENGTH];
    if (access(report_files_find(files, "prelude.sql", path), F_OK) != 0)
        return trouble_note(errno) ? STATUS_SYSTEM : STATUS_OK;
    return report_script(database, files, "prelude");
}

static enum status write_folder(sqlite3 *database, const struct report_source *source,
                                const struct report_folders *folders, unsigned number,
                                const char *output)
{
    struct report_files files;
    struct report_renderer renderer = {.database = database, .files = &files};
    enum status status = report_files_in(folders->path[number], &files);
    if (status == STATUS_OK && number >= folders->own)
        status = prepare_own(database, &files);
    if (status == STATUS_OK)
        status = report_plotter_create(database, &files, output, source, &renderer.plotter);
    if (status == STATUS_OK)
        status = write_files(&renderer, folders, number, output);
    if (status == STATUS_OK && report_plotter_refused(renderer.plotter))
        status = STATUS_CORRUPT;
    report_plotter_free(renderer.plotter);
    return status;
}

// The views that the queries of all templates start from are the lab's own.
static enum status prepare(sqlite3 *database, const char *page)
{
    struct report_files files;
    enum status status = report_files_own(page, &files);
    if (status == STATUS_OK)
        status = report_script(database, &files, "prelude");
    return status == STATUS_OK ? report_script(database, &files, "since_views") : status;
}

static enum status write_folders(sqlite3 *database, const char *page,
                                 const struct report_folders *folders,
                                 const struct report_source *source, const char *output)
{
    enum status status = prepare(database, page);
    bool refused = false;
    for (unsigned i = 0; status == STATUS_OK && i < folders->count; i++) {
        status = write_folder(database, source, folders, i, output);
        refused |= status == STATUS_CORRUPT;
        status = status == STATUS_CORRUPT ? STATUS_OK : status;
    }
    return status == STATUS_OK && refused ? STATUS_CORRUPT : status;
}

enum status report_write(const char *database_path, const char *campaign, const char *folder)
{
    char histories[PATH_MAX_LENGTH], page[NAME_MAX_LENGTH], target[NAME_MAX_LENGTH];
    struct report_folders folders = {0};
    struct database *stored = NULL;
    struct stored_files *files = NULL;
    sqlite3 *database = NULL;
    histories_root(database_path, histories, sizeof histories);
    enum status status = database_open(database_path, DATABASE_QUERY, &stored);
    if (status == STATUS_OK)
        status = chosen_campaign(stored, campaign);
    if (status == STATUS_OK)
        status = chosen_page(stored, page, sizeof page);
    if (status == STATUS_OK)
        status = chosen_target(stored, target, sizeof target);
    if (status == STATUS_OK)
        status = report_folders_find(page, target, &folders); // before anything is written
    if (status == STATUS_OK)
        status = report_make_folder(folder);
    if (status == STATUS_OK)
        status = chosen_files(stored, &files);
    const struct report_source source = {histories, files};
    bool refused = false;
    if (status == STATUS_OK) {
        status = report_pages_write(stored, database_path, &source, folder);
        refused = status == STATUS_CORRUPT; // the rest of the report is true
    }
    if (status == STATUS_OK || refused)
        status = report_connect(&stored, &database);
    if (status == STATUS_OK)
        status = report_pages_function_add(database, folder);
    if (status == STATUS_OK)
        status = report_folders_function_add(database, &folders);
    if (status == STATUS_OK)
        status = write_folders(database, page, &folders, &source, folder);
    sqlite3_close(database);
    database_close(stored);
    stored_files_close(files);
    return status == STATUS_OK && refused ? STATUS_CORRUPT : status;
}
