#include "harness/report/report_folders.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/files/campaign_file.h"
#include "harness/files/target/target.h"
#include "harness/files/trusted.h"
#include "harness/report/report_files.h"
#include "harness/store/doubted.h"
#include "harness/store/findings.h"

// ---- where they are -----------------------------------------------------------------------------

static void add(struct report_folders *folders, const char *path)
{
    text_copy(folders->path[folders->count++], PATH_MAX_LENGTH, path);
}

// reports/PAGE/ of all places, but `without`.
static enum status add_places(struct report_folders *folders, const char *name, const char *without)
{
    struct places found;
    const enum status status = places_with(name, &found);
    for (unsigned i = 0; status == STATUS_OK && i < found.count; i++)
        if (strcmp(found.folder[i], without) != 0)
            add(folders, found.folder[i]);
    return status;
}

// A campaign with a page of its own has no other page of the lab's, but all that others have for
// every campaign.
static enum status add_lab(struct report_folders *folders, const char *page)
{
    char own[NAME_MAX_LENGTH + 16];
    struct report_files lab;
    snprintf(own, sizeof own, "reports/%s", page);
    enum status status = report_files_own(CAMPAIGN_PAGE, &lab);
    if (status == STATUS_OK)
        status = add_places(folders, own, "");
    if (status == STATUS_OK && strcmp(page, CAMPAIGN_PAGE) != 0)
        status = add_places(folders, "reports/" CAMPAIGN_PAGE, lab.page);
    return status == STATUS_OK ? add_places(folders, "reports", "") : status;
}

// ---- the target's own ---------------------------------------------------------------------------

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

// INVALID, reported.
static enum status add_own(struct report_folders *folders, const char *reports, const char *name)
{
    char path[PATH_MAX_LENGTH];
    struct stat found;
    if (snprintf(path, sizeof path, "%s/%s", reports, name) >= (int)sizeof path)
        return STATUS_OK; // no folder has so long a name
    if (stat(path, &found) != 0 || !S_ISDIR(found.st_mode))
        return trouble_note(errno) ? STATUS_SYSTEM : STATUS_OK;
    if (folders->count - folders->own == OWN_PAGES_MAX) {
        log_error("%s: a target has at most %d pages; put some into one folder", path,
                  OWN_PAGES_MAX);
        return STATUS_INVALID;
    }
    const enum status status = trusted_path(path);
    if (status == STATUS_OK)
        add(folders, path);
    return status;
}

static enum status add_target(struct report_folders *folders, const char *target)
{
    char file[2 * PATH_MAX_LENGTH], reports[2 * PATH_MAX_LENGTH + 16];
    enum status status = target_find(target, file, sizeof file);
    if (status != STATUS_OK)
        return status == STATUS_NOT_FOUND ? STATUS_OK : status;
    *strrchr(file, '/') = '\0';
    snprintf(reports, sizeof reports, "%s/reports", file);
    struct dirent **entry = NULL;
    const int count = scandir(reports, &entry, is_visible, alphasort);
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK)
            status = add_own(folders, reports, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    return count < 0 && trouble_note(errno) ? STATUS_SYSTEM : status;
}

enum status report_folders_find(const char *page, const char *target,
                                struct report_folders *folders)
{
    folders->count = 0;
    const enum status status = add_lab(folders, page);
    folders->own = folders->count;
    // A target's pages are about what its campaigns observe, not about doubts and storms.
    const bool has_own =
        target[0] != '\0' && strcmp(page, DOUBT_PAGE) != 0 && strcmp(page, STORM_PAGE) != 0;
    return status == STATUS_OK && has_own ? add_target(folders, target) : status;
}

// ---- what is in them ----------------------------------------------------------------------------

static const char *name_of(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    return slash ? slash + 1 : folder;
}

bool report_folder_has(const char *folder, const char *file)
{
    static const char *const other[] = {".sql", ".gp", ".css", NULL};
    const char *ending = strrchr(file, '.');
    if (ending == NULL || file[0] == '.')
        return false;
    if (strcmp(ending, ".html") == 0) {
        const char *name = name_of(folder);
        const size_t length = strlen(name);
        return strcmp(file, "index.html") == 0 ||
               (strncmp(file, name, length) == 0 && strcmp(file + length, ".html") == 0);
    }
    for (unsigned i = 0; other[i] != NULL; i++)
        if (strcmp(ending, other[i]) == 0)
            return false;
    return true;
}

// Names of folders that need no escaping; the others' pages are made, but not listed.
static bool is_plain(const char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    return name[strspn(name, letters)] == '\0';
}

static void own_pages(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    (void)argument;
    const struct report_folders *folders = sqlite3_user_data(context);
    char list[OWN_PAGES_MAX * (NAME_MAX + 16)], path[PATH_MAX_LENGTH + NAME_MAX + 16];
    size_t length = (size_t)snprintf(list, sizeof list, "[");
    for (unsigned i = folders->own; i < folders->count; i++) {
        const char *name = name_of(folders->path[i]);
        snprintf(path, sizeof path, "%s/%s.html", folders->path[i], name);
        if (is_plain(name) && access(path, R_OK) == 0)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s\"%s.html\"",
                                       length > 1 ? "," : "", name);
    }
    snprintf(list + length, sizeof list - length, "]");
    sqlite3_result_text(context, list, -1, SQLITE_TRANSIENT);
}

enum status report_folders_function_add(sqlite3 *database, const struct report_folders *folders)
{
    return sqlite3_create_function(database, "own_pages", 0, SQLITE_UTF8, (void *)folders,
                                   own_pages, NULL, NULL)
               ? STATUS_NO_MEMORY
               : STATUS_OK;
}
