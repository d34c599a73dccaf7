#include "harness/files/project_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/files/yaml/file_table.h"
#include "harness/files/trusted.h"

#define NAME "ukemi.yaml"
#define FORMAT 1

struct project {
    char nothing; // the file has said all by being there
};

const struct file_row project_rows[] = {FORMAT_ROW(FORMAT), {.key = NULL}};

static enum status check(struct yaml_source *source, void *file, void *context)
{
    (void)source, (void)file, (void)context;
    return STATUS_OK;
}

static enum status load(const char *path)
{
    void *project = NULL;
    enum status status = trusted_path(path);
    if (status == STATUS_OK)
        status = file_load(path, project_rows, sizeof(struct project), check, NULL, &project);
    free(project);
    return status;
}

// Cuts `folder` to the nearest one upwards that holds the file.
static bool climb(char *folder)
{
    char path[PATH_MAX + sizeof "/" NAME];
    for (;;) { // each round cuts a name off
        snprintf(path, sizeof path, "%s/" NAME, folder);
        if (access(path, F_OK) == 0 || trouble_note(errno))
            return true;
        if (folder[0] == '\0')
            return false;
        *strrchr(folder, '/') = '\0';
    }
}

enum status project_find(char root[PATH_MAX_LENGTH])
{
    char folder[PATH_MAX], path[PATH_MAX_LENGTH];
    if (getcwd(folder, sizeof folder) == NULL || folder[0] != '/')
        return trouble_note(errno) ? STATUS_SYSTEM : STATUS_NOT_FOUND;
    if (!climb(folder))
        return STATUS_NOT_FOUND;
    if ((size_t)snprintf(path, sizeof path, "%s/" NAME, folder) >= sizeof path) {
        log_error("%s/" NAME ": longer than %d characters; choose a shorter path", folder,
                  PATH_MAX_LENGTH - 1);
        return STATUS_TOO_LARGE;
    }
    const enum status status = load(path);
    path[folder[0] != '\0' ? strlen(folder) : 1] = '\0';
    text_copy(root, PATH_MAX_LENGTH, path);
    return status == STATUS_NOT_FOUND ? STATUS_INVALID : status;
}
