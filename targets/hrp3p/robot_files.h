// The target's own files in the folder $UKEMI_TARGET. Errors are logged to standard error; not
// real-time. Who loads a description frees it.
#pragma once

#include <limits.h>

#include "model/description.h"

// FOLDER/NAME into `path`. INVALID.
enum status robot_file(const char *name, char path[PATH_MAX]) MUST_CHECK;
// hrp3p.xml; errors as description_load.
enum status robot_description(struct description **description) MUST_CHECK;
