// Message types that a target brings: files of message text (message_text.h) beside its
// target.yaml.
#pragma once

#include "harness/files/yaml_source.h"
#include "harness/history/schema.h"

// The type called `name`. One called NAME.msg is read from `folder` and declared under its whole
// name. NULL, and complaints at `key`: there is no such type, its file cannot be read or has a
// mistake, which is told with its line, or another type has that name.
const struct schema *message_file_check(struct yaml_source *source, const char *key,
                                        const char *folder, const char *name);
