#include "harness/files/program.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cell/cell.h"
#include "harness/files/scenario.h"
#include "harness/files/trusted.h"

static bool leads_out(const char *path)
{
    for (const char *name = path; *name != '\0'; name += strspn(name, "/")) {
        const size_t length = strcspn(name, "/");
        if (length == 2 && strncmp(name, "..", 2) == 0)
            return true;
        name += length;
    }
    return path[0] == '/';
}

void program_check_inside(struct yaml_source *source, const char *key, const char *path)
{
    if (leads_out(path))
        yaml_complain(source, key,
                      "%s: leads out of its folder; put it into the target's folder and name it "
                      "from there, without .. and without / before it",
                      path);
}

void program_place(struct yaml_source *source, const char *key, const char *target_folder,
                   char *program, size_t size)
{
    char own[2 * PATH_MAX_LENGTH], in_cell[PATH_MAX_LENGTH];
    struct stat about;
    if (leads_out(program)) {
        program_check_inside(source, key, program);
        return;
    }
    snprintf(own, sizeof own, "%s/%s", target_folder, program);
    if (stat(own, &about) != 0 || !S_ISREG(about.st_mode))
        return;
    if (trusted_path(own) != STATUS_OK)
        yaml_complain(source, key, "%s: cannot be used, see above", program);
    else if ((size_t)snprintf(in_cell, sizeof in_cell, CELL_TARGET "/%s", program) >= size)
        yaml_complain(source, key, "%s: too long", program);
    else
        memcpy(program, in_cell, strlen(in_cell) + 1);
}
