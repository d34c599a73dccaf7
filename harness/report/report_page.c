#include "harness/report/report_page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/trouble.h"
#include "harness/store/database.h"
#include "harness/report/report_plot.h"
#include "harness/history/file_place.h"
#include "harness/history/whole_file.h"

enum status report_connect(struct database **stored, sqlite3 **database)
{
    *database = database_take(*stored);
    *stored = NULL;
    return report_functions_add(*database);
}

static enum status complain(const char *path)
{
    log_error("%s: %s; the report cannot be written there: make room or make it writable, or name "
              "another folder",
              path, file_place_why(errno));
    (void)trouble_note(errno);
    return STATUS_SYSTEM;
}

enum status report_make_folder(const char *folder)
{
    char path[1024];
    snprintf(path, sizeof path, "%s", folder);
    for (char *slash = path + 1; *slash; slash++)
        if (*slash == '/') {
            *slash = '\0';
            if (mkdir(path, 0777) != 0 && errno != EEXIST && errno != EROFS)
                break;
            *slash = '/';
        }
    struct stat status;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return complain(path);
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        return complain(path);
    }
    return access(path, W_OK | X_OK) == 0 ? STATUS_OK : complain(path);
}

enum status report_put_file(struct report_renderer *renderer, FILE *out)
{
    char source[2 * PATH_MAX_LENGTH], *text;
    snprintf(source, sizeof source, "%s/%s", renderer->files->page, renderer->file);
    enum status status = report_read_file(source, &text);
    if (status != STATUS_OK) {
        report_say_unread(source, status);
        return status;
    }
    renderer->format = report_format_of(renderer->file);
    renderer->out = out;
    status = report_render(renderer, text, NULL);
    free(text);
    return status;
}

enum status report_write_to(struct report_renderer *renderer, const char *path)
{
    struct whole_file *file = NULL;
    enum status status = whole_file_start(path, &file);
    const bool started = status == STATUS_OK;
    if (started)
        status = report_put_file(renderer, whole_file_stream(file));
    if (status == STATUS_OK)
        status = whole_file_commit(file);
    else if (started)
        whole_file_drop(file);
    return status == STATUS_SYSTEM ? complain(path) : status;
}

enum status report_write_file(struct report_renderer *renderer, const char *folder)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, renderer->file);
    return report_write_to(renderer, path);
}

enum status report_page(sqlite3 *database, const struct report_files *files, const char *file,
                        const char *folder)
{
    struct report_renderer renderer = {.database = database, .files = files, .file = file};
    const struct report_source source = {.histories = folder};
    enum status status = report_functions_add(database);
    if (status == STATUS_OK)
        status = report_make_folder(folder);
    if (status == STATUS_OK)
        status = report_plotter_create(database, files, folder, &source, &renderer.plotter);
    if (status == STATUS_OK)
        status = report_write_file(&renderer, folder);
    report_plotter_free(renderer.plotter);
    return status;
}
