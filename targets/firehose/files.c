#include "targets/firehose/files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"

enum status files_robot(struct robot_model **model)
{
    const char *folder = getenv("UKEMI_TARGET");
    if (folder == NULL) {
        log_error("UKEMI_TARGET is not set; set it to the target's folder, where robot.xml lies");
        return STATUS_NOT_FOUND;
    }
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/robot.xml", folder);
    return robot_model_load(path, model);
}
