// A YAML file that remembers where each key stands, so that whoever checks a value's meaning can
// report it as "file:line: key: what is wrong; what to do" on standard error.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct yaml_source; // opaque; owned by the caller

// Reads `path`, which must hold one YAML document. INVALID (logged to standard error), NO_MEMORY.
enum status yaml_open(const char *path, struct yaml_source **source) MUST_CHECK;
void yaml_close(struct yaml_source *source);
// Hash of what such a file says: comments, layout and quotes that change nothing do not count.
enum status yaml_meaning(const char *path, char hex[33]) MUST_CHECK;

#define KEY_MAX 256

// Where something stands, "faults[0].at.time_s", cut off if it does not fit.
struct yaml_key {
    char text[KEY_MAX];
};
struct yaml_key yaml_key(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Reports an error at `key` (its nearest existing parent gives the line) and counts it.
void yaml_complain(struct yaml_source *source, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Whether the file has this key.
bool yaml_has(const struct yaml_source *source, const char *key);

// Complains unless min <= value <= max. Returns whether it holds.
bool yaml_check_range(struct yaml_source *source, const char *key, double value, double min,
                      double max);

// Copies the file's path into a field of PATH_MAX_LENGTH (scenario.h), or complains that it is too
// long.
void yaml_copy_path(struct yaml_source *source, char *path);

// Line of `key`, from 1.
unsigned yaml_line(const struct yaml_source *source, const char *key);

// INVALID if anything was complained about, else OK.
enum status yaml_status(const struct yaml_source *source) MUST_CHECK;
