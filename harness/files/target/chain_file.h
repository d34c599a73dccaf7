// The chains of a target's file.
#pragma once

#include "harness/files/yaml/file_table.h"

extern const struct file_row chain_rows[];

// Completes the chains that have been read: which link answers which, what lies where in the
// messages. Complains of links that no trial could join: of fields that are not there, of a start
// that answers something, of circles, of answers that could mean several.
void chain_check(struct yaml_source *source, struct target *target);

// The chain of this name, NULL or "" for the first one; NULL: there is none.
const struct chain_config *chain_find(const struct target *target, const char *name);
