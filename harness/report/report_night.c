#include "harness/report/report_night.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "base/trouble.h"
#include "harness/report/report_change.h"
#include "harness/report/report_folders.h"
#include "harness/report/report_page.h"
#include "harness/store/chosen.h"
#include "harness/store/database.h"

#define PAGE "night"

static enum status write_files(struct report_renderer *renderer, const char *folder)
{
    struct dirent **entry = NULL;
    const int count = scandir(renderer->files->page, &entry, NULL, alphasort);
    enum status status = count < 0 && trouble_note(errno) ? STATUS_SYSTEM : STATUS_OK;
    for (int i = 0; i < count; i++) {
        renderer->file = entry[i]->d_name;
        if (status == STATUS_OK && report_folder_has(renderer->files->page, renderer->file))
            status = report_write_file(renderer, folder);
        free(entry[i]);
    }
    free(entry);
    return status;
}

enum status report_night_write(const struct report_night *night)
{
    struct report_files files;
    struct database *stored = NULL;
    sqlite3 *database = NULL;
    struct report_renderer renderer = {.files = &files};
    enum status status = report_files_own(PAGE, &files);
    if (status == STATUS_OK)
        status = report_make_folder(night->folder);
    if (status == STATUS_OK)
        status = database_open(night->database, DATABASE_QUERY, &stored);
    if (status == STATUS_OK)
        status = chosen_night(stored, night->night_id, night->window, night->relevant);
    if (status == STATUS_OK)
        status = report_connect(&stored, &database);
    if (status == STATUS_OK)
        status = report_change_function_add(database);
    if (status == STATUS_OK)
        status = report_script(database, &files, "prelude");
    renderer.database = database;
    if (status == STATUS_OK)
        status = write_files(&renderer, night->folder);
    sqlite3_close(database);
    database_close(stored);
    return status;
}
