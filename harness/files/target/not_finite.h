// The rows of `not_finite` in target.yaml and in scenarios: real numbers of messages that need not
// be finite.
#pragma once

#include <stdbool.h>

#include "harness/files/yaml/file_table.h"

struct not_finite_config;
struct target;

extern const struct file_row not_finite_rows[];

// The target's channels, taps and their messages have been read.
void not_finite_check(struct yaml_source *source, const struct target *target,
                      const struct not_finite_config *entry, unsigned count);

// Whether an entry names the number at `path` of the messages on a channel or tap: an entry has no
// indices, and stands for all elements of its arrays.
bool not_finite_may_be(const struct not_finite_config *entry, unsigned count, const char *channel,
                       const char *path);
