// Where the programs of faults lie: the lab's own in the build folder, a stranger's beside the file
// of their family.
#pragma once

#include <stddef.h>

#include "harness/files/fault/catalogue.h"
#include "harness/files/yaml/yaml_source.h"

// Replaces the program of a family by where the cell has it: below CELL_FAULTS if there is such a
// file beside the family's, whose folder is then added to `folders`; else as it stands. Complains
// if others may write it, or the folder is one too many.
void fault_place(struct yaml_source *source, struct fault_folders *folders, char *program,
                 size_t size);

// The same program outside the cell: its whole path, or as it stands if it is one of the lab's.
void fault_place_outside(const struct fault_folders *folders, const char *program, char *path,
                         size_t size);
