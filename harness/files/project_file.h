// The project file `ukemi.yaml`: it marks the root of a project, a folder with targets/,
// scenarios/, faults/ or reports/ of its own.
#pragma once

#include "base/status.h"
#include "harness/files/lengths.h"

// The root of the project that the present folder lies in: the nearest folder, from the present one
// up, that holds the file. INVALID, reported: the file is wrong, or others may write it or a folder
// on its way; NOT_FOUND: there is none; TOO_LARGE, reported: its path is.
enum status project_find(char root[PATH_MAX_LENGTH]) MUST_CHECK;
