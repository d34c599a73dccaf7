#include "harness/report/report_pages.h"

#include <dirent.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "harness/files/campaign_file.h"
#include "harness/files/scenario.h"
#include "harness/files/target/target.h"
#include "harness/report/report_page.h"
#include "harness/store/chosen.h"
#include "harness/view/view_trial.h"
#include "model/description.h"

#define FOLDER "trials"

// What the trials of a campaign have in common.
struct common {
    struct campaign *campaign;
    struct target *target;
    struct description *description;
};

static void common_free(struct common *common)
{
    campaign_free(common->campaign);
    target_free(common->target);
    description_free(common->description);
}

// As the files say that judge it. NOT_FOUND, said unless a file is gone: they cannot be read.
static enum status common_load(struct database *database, int64_t trial_id,
                               const struct stored_files *stored, struct common *common)
{
    struct stored_trial trial;
    char path[2 * PATH_MAX_LENGTH];
    enum status status = database_find_trial(database, trial_id, &trial);
    if (status != STATUS_OK)
        return status;
    if (trial.is_storm) // its trials' scenarios are drawn; `ukemi view` knows how
        return STATUS_NOT_FOUND;
    const char *file = stored_files_campaign(stored, trial.campaign_file);
    stored_files_use(stored);
    if (access(file, R_OK) != 0 || campaign_load(file, &common->campaign) != STATUS_OK ||
        target_find(trial.target, path, sizeof path) != STATUS_OK ||
        target_load(path, &common->target) != STATUS_OK)
        status = STATUS_NOT_FOUND;
    stored_files_use(NULL);
    if (status != STATUS_OK)
        return status;
    return target_describe(common->target, &common->description);
}

static enum status write_page(const struct view_stored *stored, const struct common *common,
                              const char *histories, const char *folder)
{
    struct stored_trial trial;
    struct kept_history kept;
    char path[1200];
    const struct campaign *campaign = common->campaign;
    const enum status status = database_find_trial(stored->database, stored->trial_id, &trial);
    if (status != STATUS_OK)
        return status;
    kept_history_of(&trial, histories, &kept);
    snprintf(path, sizeof path, "%s/%" PRId64 ".html", folder, stored->trial_id);
    if (trial.square >= campaign->square_count ||
        strcmp(campaign->square[trial.square].scenario->name, trial.scenario) != 0 ||
        access(kept.file, R_OK) != 0)
        return STATUS_OK; // none
    struct view_stored page = *stored;
    page.scenario = campaign->square[trial.square].scenario;
    page.history = &kept;
    const enum status written = view_trial(&page, path);
    return written == STATUS_SYSTEM || written == STATUS_NO_MEMORY || written == STATUS_CORRUPT
               ? written
               : STATUS_OK;
}

static int is_page(const struct dirent *entry)
{
    const size_t digits = strspn(entry->d_name, "0123456789");
    return digits > 0 && strcmp(entry->d_name + digits, ".html") == 0;
}

// They would show other trials of the same numbers.
static void remove_pages(const char *folder)
{
    DIR *listing = opendir(folder);
    for (const struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;)
        if (is_page(entry))
            (void)unlinkat(dirfd(listing), entry->d_name, 0);
    if (listing != NULL)
        closedir(listing);
}

enum status report_pages_write(struct database *database, const char *database_path,
                               const struct report_source *source, const char *report)
{
    char folder[1100];
    int64_t trial_id[REPORT_PAGES_MAX];
    unsigned count;
    struct common common = {0};
    snprintf(folder, sizeof folder, "%s/" FOLDER, report);
    remove_pages(folder);
    enum status status = chosen_not_passed(database, trial_id, REPORT_PAGES_MAX, &count);
    if (status != STATUS_OK || count == 0)
        return status;
    status = common_load(database, trial_id[0], source->stored, &common);
    if (status == STATUS_OK)
        status = report_make_folder(folder);
    bool refused = false;
    for (unsigned i = 0; status == STATUS_OK && i < count; i++) {
        const struct view_stored stored = {.database = database,
                                           .database_path = database_path,
                                           .trial_id = trial_id[i],
                                           .target = common.target,
                                           .description = common.description};
        status = write_page(&stored, &common, source->histories, folder);
        refused |= status == STATUS_CORRUPT;
        status = status == STATUS_CORRUPT ? STATUS_OK : status;
    }
    common_free(&common);
    if (status != STATUS_NOT_FOUND && status != STATUS_INVALID && status != STATUS_OK)
        return status;
    return refused ? STATUS_CORRUPT : STATUS_OK;
}

static void trial_page(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    char name[64], path[1200];
    snprintf(name, sizeof name, FOLDER "/%lld.html", sqlite3_value_int64(argument[0]));
    snprintf(path, sizeof path, "%s/%s", (const char *)sqlite3_user_data(context), name);
    sqlite3_result_text(context, access(path, R_OK) == 0 ? name : "", -1, SQLITE_TRANSIENT);
}

enum status report_pages_function_add(sqlite3 *database, const char *folder)
{
    return sqlite3_create_function(database, "trial_page", 1, SQLITE_UTF8, (void *)folder,
                                   trial_page, NULL, NULL)
               ? STATUS_NO_MEMORY
               : STATUS_OK;
}
