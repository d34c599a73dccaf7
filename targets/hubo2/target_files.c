#include "targets/hubo2/target_files.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"

enum status target_files_load(struct description **description, struct robot_model **model)
{
    const char *folder = getenv("UKEMI_TARGET");
    if (folder == NULL) {
        log_error("UKEMI_TARGET is not set; set it to the target's folder, where robot.xml and "
                  "hubo2.xml lie");
        return STATUS_NOT_FOUND;
    }
    char path[PATH_MAX];
    enum status status = STATUS_OK;
    if (description != NULL) {
        snprintf(path, sizeof path, "%s/hubo2.xml", folder);
        status = description_load(path, description);
    }
    if (status == STATUS_OK && model != NULL) {
        snprintf(path, sizeof path, "%s/robot.xml", folder);
        status = robot_model_load(path, model);
    }
    return status;
}
