#include "harness/files/program.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/trouble.h"
#include "harness/cell/cell.h"
#include "harness/files/lengths.h"
#include "harness/files/target/target.h"
#include "harness/files/trusted.h"

static bool leads_back(const char *path)
{
    for (const char *name = path; *name != '\0'; name += strspn(name, "/")) {
        const size_t length = strcspn(name, "/");
        if (length == 2 && strncmp(name, "..", 2) == 0)
            return true;
        name += length;
    }
    return false;
}

void program_check_inside(struct yaml_source *source, const char *key, const char *path)
{
    if (path[0] == '/' || leads_back(path))
        yaml_complain(source, key,
                      "%s: leads out of its folder; put it into the target's folder and name it "
                      "from there, without .. and without / before it",
                      path);
}

static bool is_file(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0)
        return S_ISREG(about.st_mode);
    (void)trouble_note(errno);
    return false;
}

static bool is_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

// A program of the machine's that the cell shows as it stands: it takes the same path there.
static void check_shown(struct yaml_source *source, const char *key, const struct target *target,
                        const char *program)
{
    static const char *const shown[] = {"/usr", "/bin", "/sbin"};
    bool is_shown = false;
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
        is_shown |= is_below(program, shown[i]);
    for (unsigned i = 0; i < target->visible_count; i++)
        is_shown |=
            is_below(program, target->visible[i]) || strcmp(program, target->visible[i]) == 0;
    if (!is_shown || leads_back(program))
        yaml_complain(source, key,
                      "%s: a cell does not show it; put it into the target's folder and name it "
                      "from there, or name one below /usr or below what `visible` names",
                      program);
}

void program_place(struct yaml_source *source, const char *key, const struct target *target,
                   char *program, size_t size)
{
    char own[2 * PATH_MAX_LENGTH], in_cell[PATH_MAX_LENGTH];
    if (program[0] == '/') {
        check_shown(source, key, target, program);
        return;
    }
    if (leads_back(program)) {
        program_check_inside(source, key, program);
        return;
    }
    snprintf(own, sizeof own, "%s/%s", target->folder, program);
    if (!is_file(own))
        return;
    if (trusted_path(own) != STATUS_OK)
        yaml_complain(source, key, "%s: cannot be used, see above", program);
    else if ((size_t)snprintf(in_cell, sizeof in_cell, CELL_TARGET "/%s", program) >= size)
        yaml_complain(source, key, "%s: too long", program);
    else
        memcpy(program, in_cell, strlen(in_cell) + 1);
}

// Absolute, so that it means the same in a cell; false: there is no such file.
static bool find_beside(const char *file, const char *program, char *path, size_t size)
{
    char whole[PATH_MAX];
    char *slash = realpath(file, whole) == NULL ? NULL : strrchr(whole, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return (size_t)snprintf(path, size, "%s/%s", whole, program) < size && is_file(path);
}

bool program_place_beside(struct yaml_source *source, const char *key, const struct target *target,
                          const char *file, char *program, size_t size)
{
    char beside[PATH_MAX_LENGTH], own[2 * PATH_MAX_LENGTH];
    if (program[0] == '/' || leads_back(program) ||
        !find_beside(file, program, beside, sizeof beside)) {
        program_place(source, key, target, program, size);
        return false;
    }
    snprintf(own, sizeof own, "%s/%s", target->folder, program);
    if (is_file(own))
        yaml_complain(source, key, "%s: in the target's folder, too; rename one of the two",
                      program);
    else if (trusted_path(beside) != STATUS_OK)
        yaml_complain(source, key, "%s: cannot be used, see above", program);
    else
        snprintf(program, size, "%s", beside);
    return true;
}

void program_outside(const struct target *target, const char *build_folder, const char *program,
                     char *path, size_t size)
{
    const size_t length = strlen(CELL_TARGET);
    if (strncmp(program, CELL_TARGET "/", length + 1) == 0)
        snprintf(path, size, "%s%s", target->folder, program + length);
    else
        snprintf(path, size, "%s%s%s", program[0] == '/' ? "" : build_folder,
                 program[0] == '/' ? "" : "/", program);
}
