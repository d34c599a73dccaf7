// The target that a scenario or campaign file names.
#pragma once

#include "harness/files/yaml/yaml_source.h"

struct target;

// Finds and loads it. INVALID, complained about at the key `target`; NO_MEMORY. The caller frees.
enum status target_of(struct yaml_source *source, const char *name,
                      struct target **target) MUST_CHECK;
