#include "targets/hrp3p/robot_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"

enum status robot_file(const char *name, char path[PATH_MAX])
{
    const char *folder = getenv("UKEMI_TARGET");
    const int length = snprintf(path, PATH_MAX, "%s/%s", folder != NULL ? folder : "", name);
    if (folder != NULL && length >= 0 && length < PATH_MAX)
        return STATUS_OK;
    log_error("UKEMI_TARGET=%s: is not the target's folder; set it", folder != NULL ? folder : "");
    return STATUS_INVALID;
}

enum status robot_description(struct description **description)
{
    char path[PATH_MAX];
    const enum status status = robot_file("hrp3p.xml", path);
    return status == STATUS_OK ? description_load(path, description) : status;
}
