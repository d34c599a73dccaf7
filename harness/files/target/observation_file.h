// The observations of a target file, or a scenario's.
#pragma once

#include "harness/files/yaml/file_table.h"

struct observation_config;
struct target;

extern const struct file_row observation_rows[];

// Completes the observations that have been read; complains of formulas and terms that cannot be
// read, with their column, and of cases that are never reached.
void observation_check(struct yaml_source *source, const struct target *target,
                       struct observation_config *list, unsigned count);
