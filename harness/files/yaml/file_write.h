// Files written by the tables that read them.
#pragma once

#include "harness/files/yaml/file_table.h"

// Writes what a structure says beyond what absent keys mean; not the key `without` (NULL: all).
// Texts are quoted. Keyed lists are not for it. Errors are the stream's.
void file_write(FILE *out, const struct file_row *rows, const void *file, const char *without);

// A text in quotes, as YAML reads it back.
void file_write_text(FILE *out, const char *text);
