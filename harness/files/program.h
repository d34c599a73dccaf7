// Programs and files that target, scenario and catalogue files name.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/files/yaml/yaml_source.h"

struct target;

// Complains unless `path` stays in the folder that it is relative to.
void program_check_inside(struct yaml_source *source, const char *key, const char *path);

// Replaces the program of a target, or of a scenario for it, by where the cell has it: as it stands
// (in the build folder, or a whole path that the cell shows), or below CELL_TARGET if there is such
// a file in the target's folder. Complains if it leads elsewhere, or if others may write it.
void program_place(struct yaml_source *source, const char *key, const struct target *target,
                   char *program, size_t size);

// Where such a program lies outside the cell: in the target's folder or in that of the build.
void program_outside(const struct target *target, const char *build_folder, const char *program,
                     char *path, size_t size);

// The same of a program that may lie beside the file that names it, too: then it is replaced by its
// absolute path, and the result is true. Complains if it lies beside both.
bool program_place_beside(struct yaml_source *source, const char *key, const struct target *target,
                          const char *file, char *program, size_t size);
