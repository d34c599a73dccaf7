// Message types that a target brings: files of message text (message_text.h) beside its
// target.yaml.
#pragma once

#include "harness/files/yaml_source.h"

// Declares the type NAME.msg of `folder` under its whole name. Complains at `key` of a file that
// cannot be read, of a mistake in it with its line, and of another type of that name.
void message_file_declare(struct yaml_source *source, const char *key, const char *folder,
                          const char *name);
