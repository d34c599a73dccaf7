// A YAML file, checked against a libcyaml schema, that remembers where each key stands, so that
// whoever checks a value's meaning can report it as "file:line: key: what is wrong; what to do" on
// standard error.
#pragma once

#include <cyaml/cyaml.h>
#include <stdbool.h>

#include "base/status.h"

struct yaml_source; // opaque; owned by the caller

// Reads and checks `path`. *data is what libcyaml made of it. Reports every unknown key and every
// number that is none or has a unit behind it, with file and line. INVALID (said on standard
// error), NO_MEMORY. Close frees source and data.
enum status yaml_open(const char *path, const cyaml_schema_value_t *schema,
                      struct yaml_source **source, void **data) MUST_CHECK;
void yaml_close(struct yaml_source *source);

// Reports an error at `key` ("faults[0].at.time_s"; its nearest existing parent gives the line) and
// counts it.
void yaml_complain(struct yaml_source *source, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Complains unless min <= value <= max. Returns whether it holds.
bool yaml_check_range(struct yaml_source *source, const char *key, double value, double min,
                      double max);

// Complains unless `name` is of letters, digits, '-', '_' and '.', and begins with one of the first
// two: it becomes part of a path, a topic or a plot.
void yaml_check_name(struct yaml_source *source, const char *key, const char *name);

// Copies `text` into a fixed field, or complains that it is too long.
void yaml_copy(struct yaml_source *source, const char *key, const char *text, char *field,
               size_t size);

// Line of `key`, from 1.
unsigned yaml_line(const struct yaml_source *source, const char *key);

// INVALID if anything was complained about, else OK.
enum status yaml_status(const struct yaml_source *source) MUST_CHECK;
