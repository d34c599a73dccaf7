// Shared by the files that read YAML: what is known of a file while it is read.
#pragma once

#include <cyaml/cyaml.h>
#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

#include "harness/files/yaml_source.h"

#define KEY_MAX 256
#define MESSAGE_MAX 2048 // holds a key, two texts as long as a schema allows, and the remedy
#define SHOWN_MAX 48     // of a value that no schema has bounded yet

struct yaml_source {
    const char *path;
    const cyaml_schema_value_t *schema;
    char *text; // the file
    size_t size_B;
    void *data;
    unsigned errors;
    bool no_memory; // a failure of ours, not a mistake in the file
    bool parsed;
    yaml_document_t document;
    char cyaml_message[MESSAGE_MAX]; // libcyaml's first error line
    unsigned cyaml_line;             // of the innermost place in its backtrace
};

// The node of this number; the text of a scalar, "" of any other.
yaml_node_t *yaml_node(const struct yaml_source *source, int id);
const char *yaml_scalar(const yaml_node_t *n);

// `text` as a message shows it: its beginning, without control characters. Returns the copy.
const char *yaml_shown(const char *text, char copy[SHOWN_MAX + 4]);
void yaml_complain_at(struct yaml_source *source, unsigned line, const char *message);

// Complains of keys, numbers and texts below a node that the schema does not allow. No deeper than
// the schema.
void yaml_check_node(struct yaml_source *source, const yaml_node_t *at,
                     const cyaml_schema_value_t *schema, const char *path);

// Each only if the one before was good: the file's bytes; what no file may hold, whatever its
// schema; the places of all its parts. They complain, or set no_memory.
void yaml_read_file(struct yaml_source *source);
void yaml_survey(struct yaml_source *source);
void yaml_parse_places(struct yaml_source *source);
