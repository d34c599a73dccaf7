#include "harness/report/report_trials.h"

#include "base/log.h"
#include "harness/report/report_page.h"
#include "harness/report/report_place.h"
#include "harness/store/chosen.h"
#include "harness/store/database.h"

#define PAGE "trials"

const struct report_trial_format report_trial_formats[] = {
    {"junit", "junit.xml"},
    {"tap", "trials.tap"},
    {"github", "annotations.github"},
    {NULL, NULL},
};

static enum status write_stream(struct report_renderer *renderer)
{
    const enum status status = report_put_file(renderer, stdout);
    if (status != STATUS_OK || (fflush(stdout) == 0 && !ferror(stdout)))
        return status;
    log_error("standard output cannot be written; name a file with --output");
    return STATUS_SYSTEM;
}

static enum status write_trials(sqlite3 *database, const struct stored_files *stored,
                                const char *template, const char *path)
{
    struct report_files files;
    struct report_renderer renderer = {.database = database, .files = &files, .file = template};
    enum status status = report_place_functions_add(database, stored);
    if (status == STATUS_OK)
        status = report_files_own(PAGE, &files);
    if (status == STATUS_OK)
        status = report_script(database, &files, "prelude");
    if (status != STATUS_OK)
        return status;
    return path ? report_write_to(&renderer, path) : write_stream(&renderer);
}

enum status report_trials_write(const char *database_path, const char *campaign,
                                const struct report_trial_format *format, bool allow_skip,
                                const char *path)
{
    struct database *stored = NULL;
    struct stored_files *files = NULL;
    sqlite3 *database = NULL;
    enum status status = database_open(database_path, DATABASE_QUERY, &stored);
    if (status == STATUS_OK)
        status = chosen_campaign(stored, campaign);
    if (status == STATUS_OK && allow_skip)
        status = chosen_allow_skip(stored);
    if (status == STATUS_OK)
        status = chosen_files(stored, &files);
    if (status == STATUS_OK)
        status = report_connect(&stored, &database);
    if (status == STATUS_OK)
        status = write_trials(database, files, format->template, path);
    sqlite3_close(database);
    database_close(stored);
    stored_files_close(files);
    return status;
}
