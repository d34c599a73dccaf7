// Message types that a target brings: files of message text (message_text.h) beside its
// target.yaml. Each is declared under "TARGET/NAME.msg", so that targets may have messages of the
// same name.
#pragma once

#include "harness/files/yaml/yaml_source.h"
#include "harness/history/schema.h"

struct target;

// The type that a target calls `message`, which becomes the name it is declared under; `message`
// has room for MESSAGE_NAME_LENGTH. NULL, and complaints at `key`: it is no message file, which
// cannot be read or has a mistake, which is told with its line, or there are too many.
const struct schema *message_file_check(struct yaml_source *source, const char *key,
                                        const struct target *target, char *message);
