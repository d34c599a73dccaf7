#include "harness/files/fault/fault_place.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "harness/cell/cell.h"
#include "harness/files/trusted.h"

// The folder's number; `count` if it is not among them.
static unsigned find(const struct fault_folders *folders, const char *folder)
{
    unsigned i = 0;
    while (i < folders->count && strcmp(folders->path[i], folder) != 0)
        i++;
    return i;
}

void fault_place(struct yaml_source *source, struct fault_folders *folders, char *program,
                 size_t size)
{
    char file[PATH_MAX_LENGTH], folder[PATH_MAX];
    char own[PATH_MAX + PATH_MAX_LENGTH], in_cell[2 * PATH_MAX_LENGTH];
    struct stat about;
    yaml_copy_path(source, file);
    if (realpath(file, folder) == NULL)
        return; // it is gone
    *strrchr(folder, '/') = '\0';
    snprintf(own, sizeof own, "%s/%s", folder, program);
    if (yaml_status(source) != STATUS_OK || stat(own, &about) != 0 || !S_ISREG(about.st_mode))
        return;
    const unsigned number = find(folders, folder);
    snprintf(in_cell, sizeof in_cell, CELL_FAULTS "/%u/%s", number, program);
    if (trusted_path(own) != STATUS_OK)
        yaml_complain(source, "program", "%s: cannot be used, see above", program);
    else if (number == FAULT_FOLDERS_MAX)
        yaml_complain(source, "program",
                      "%s: programs of faults in more than %d folders; use fewer", program,
                      FAULT_FOLDERS_MAX);
    else if (strlen(in_cell) >= size || strlen(folder) >= PATH_MAX_LENGTH)
        yaml_complain(source, "program", "%s: too long", program);
    else {
        if (number == folders->count)
            text_copy(folders->path[folders->count++], PATH_MAX_LENGTH, folder);
        text_copy(program, size, in_cell);
    }
}

void fault_place_outside(const struct fault_folders *folders, const char *program, char *path,
                         size_t size)
{
    unsigned number;
    int used = 0;
    if (sscanf(program, CELL_FAULTS "/%u/%n", &number, &used) == 1 && used > 0 &&
        number < folders->count)
        snprintf(path, size, "%s/%s", folders->path[number], program + used);
    else
        text_copy(path, size, program);
}
