// Shared by the files that read YAML: what is known of a file while it is read.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

#include "harness/files/yaml/yaml_source.h"

#define SHOWN_MAX 48 // of a value that no table has bounded yet

struct yaml_source {
    const char *path;
    char *text; // the file
    size_t size_B;
    unsigned errors;
    bool no_memory; // a failure of ours, not a mistake in the file
    bool parsed;
    yaml_document_t document;
};

// The root; the node of this number; the text of a scalar, "" of any other.
yaml_node_t *yaml_root(const struct yaml_source *source); // NULL: the file is empty
yaml_node_t *yaml_node(const struct yaml_source *source, int id);
const char *yaml_scalar(const yaml_node_t *n);
unsigned yaml_node_line(const yaml_node_t *n); // from 1

// `text` as a message shows it: its beginning, without control characters. Returns the copy.
const char *yaml_shown(const char *text, char copy[SHOWN_MAX + 4]);
// The same as yaml_complain, of a line; `key` may be "".
void yaml_complain_at(struct yaml_source *source, unsigned line, const char *key,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

// Each only if the one before was good: the file's bytes; what no file may hold, whatever its
// kind; the places of all its parts. They complain, or set no_memory.
void yaml_read_file(struct yaml_source *source);
void yaml_survey(struct yaml_source *source);
void yaml_parse_places(struct yaml_source *source);

struct file_row;
// Complains of entries of a list that say the same where each must say its own (file_table.h:
// unique, pairs). `first` is the first of `count` fields.
void file_check_unique(struct yaml_source *source, const char *path, const struct file_row *row,
                       const char *first, unsigned count);
