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
#include "harness/store/chosen.h"
#include "harness/report/report_page.h"
#include "harness/report/report_pages.h"
#include "harness/report/report_plot.h"
#include "harness/report/report_query.h"
#include "harness/report/report_template.h"

#define PAGE CAMPAIGN_PAGE

enum status report_possible(const char *folder)
{
    struct report_files files;
    const enum status status = report_files_own(PAGE, &files);
    return status == STATUS_OK ? report_make_folder(folder) : status;
}

// ---- its templates ------------------------------------------------------------------------------

// Where templates of campaigns lie, the lab's own first.
struct folders {
    unsigned count;
    const char *path[3 * PLACES_MAX];
    struct places pages, shared,
        alone; // reports/PAGE/, reports/campaign/ and reports/ of all places
};

static void add_folders(struct folders *folders, const struct places *places)
{
    for (unsigned i = 0; i < places->count; i++)
        folders->path[folders->count++] = places->folder[i];
}

// A campaign with a page of its own has no other page of the lab's, but all that others have for
// every campaign.
static void add_shared(struct folders *folders, const struct report_files *lab)
{
    for (unsigned i = 0; i < folders->shared.count; i++)
        if (strcmp(folders->shared.folder[i], lab->page) != 0)
            folders->path[folders->count++] = folders->shared.folder[i];
}

static enum status find_folders(const char *page, struct folders *folders)
{
    char own[NAME_MAX_LENGTH + 16];
    struct report_files lab;
    snprintf(own, sizeof own, "reports/%s", page);
    enum status status = places_with(own, &folders->pages);
    if (status == STATUS_OK)
        status = places_with("reports/" PAGE, &folders->shared);
    if (status == STATUS_OK)
        status = places_with("reports", &folders->alone);
    if (status == STATUS_OK)
        status = report_files_own(PAGE, &lab);
    folders->count = 0;
    if (status == STATUS_OK) {
        add_folders(folders, &folders->pages);
        if (strcmp(page, PAGE) != 0)
            add_shared(folders, &lab);
        add_folders(folders, &folders->alone);
    }
    return status;
}

// Of the pages only the campaign's own, index.html: in reports/ itself there may be others.
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
static enum status check_own(const struct folders *folders, unsigned number, const char *file)
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

// Renders all templates of a folder.
static enum status write_files(struct report_renderer *renderer, const struct folders *folders,
                               unsigned number, const char *output)
{
    struct dirent **entry = NULL;
    const int count = scandir(folders->path[number], &entry, is_template, alphasort);
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
            status = check_own(folders, number, renderer->file);
        if (status == STATUS_OK)
            status = report_write_file(renderer, output);
        free(entry[i]);
    }
    free(entry);
    return status;
}

static enum status write_folder(sqlite3 *database, const char *histories,
                                const struct folders *folders, unsigned number, const char *output)
{
    struct report_files files;
    struct report_renderer renderer = {.database = database, .files = &files};
    enum status status = report_files_in(folders->path[number], &files);
    if (status == STATUS_OK)
        status = report_plotter_create(database, &files, output, histories, &renderer.plotter);
    if (status == STATUS_OK)
        status = write_files(&renderer, folders, number, output);
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

static enum status write_folders(sqlite3 *database, const char *page, const struct folders *folders,
                                 const char *histories, const char *output)
{
    enum status status = prepare(database, page);
    for (unsigned i = 0; status == STATUS_OK && i < folders->count; i++)
        status = write_folder(database, histories, folders, i, output);
    return status;
}

enum status report_write(const char *database_path, const char *campaign, const char *folder)
{
    char histories[1024], page[NAME_MAX_LENGTH];
    struct folders folders;
    struct database *stored = NULL;
    sqlite3 *database = NULL;
    const char *slash = strrchr(database_path, '/');
    snprintf(histories, sizeof histories, "%.*s", slash ? (int)(slash - database_path) : 1,
             slash ? database_path : ".");
    enum status status = database_open(database_path, DATABASE_QUERY, &stored);
    if (status == STATUS_OK)
        status = chosen_campaign(stored, campaign);
    if (status == STATUS_OK)
        status = chosen_page(stored, page, sizeof page);
    if (status == STATUS_OK)
        status = find_folders(page, &folders); // before anything is written
    if (status == STATUS_OK)
        status = report_make_folder(folder);
    if (status == STATUS_OK)
        status = report_pages_write(stored, database_path, histories, folder);
    if (status == STATUS_OK)
        status = report_connect(&stored, &database);
    if (status == STATUS_OK)
        status = report_pages_function_add(database, folder);
    if (status == STATUS_OK)
        status = write_folders(database, page, &folders, histories, folder);
    sqlite3_close(database);
    database_close(stored);
    return status;
}
