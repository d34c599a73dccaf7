#include "harness/report/report_files.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/files/trusted.h"

// The folder `name` of the lab's reports/.
static enum status own_folder(const char *name, char folder[PATH_MAX_LENGTH])
{
    char data[PATH_MAX_LENGTH];
    places_data(data, sizeof data);
    if (snprintf(folder, PATH_MAX_LENGTH, "%s/reports/%s", data, name) >= PATH_MAX_LENGTH)
        return STATUS_TOO_LARGE;
    const enum status status = trusted_path(folder);
    if (status == STATUS_NOT_FOUND)
        log_error(
            "%s: there is no such folder; install the lab again, or set UKEMI_ROOT to its data "
            "folder",
            folder);
    return status;
}

enum status report_files_own(const char *page, struct report_files *files)
{
    const enum status status = own_folder(page, files->page);
    return status == STATUS_OK ? own_folder("common", files->common) : status;
}

enum status report_files_in(const char *folder, struct report_files *files)
{
    text_copy(files->page, sizeof files->page, folder);
    return own_folder("common", files->common);
}

const char *report_files_find(const struct report_files *files, const char *name,
                              char path[2 * PATH_MAX_LENGTH])
{
    snprintf(path, 2 * PATH_MAX_LENGTH, "%s/%s", files->page, name);
    if (access(path, F_OK) != 0 && !trouble_note(errno))
        snprintf(path, 2 * PATH_MAX_LENGTH, "%s/%s", files->common, name);
    return path;
}
