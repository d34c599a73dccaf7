// Where a path leads that a file is to be written to. What is not a regular file is never replaced:
// a device, a FIFO or a descriptor of this process (/dev/stdout) is written into. Not real-time.
#pragma once

#include <limits.h>
#include <stdbool.h>

#include "base/status.h"

struct file_place {
    char path[PATH_MAX]; // of the file to make or to replace, its last name no link
    int fd;              // of what is to be written into instead, the caller's to close; -1: none
};

// SYSTEM: errno says why, in the words of file_place_why; says nothing.
enum status file_place_find(const char *path, struct file_place *place) MUST_CHECK;
// Before the work whose outcome is to be written there: whether it could be, as far as looking
// tells. Opens and changes nothing. SYSTEM as above.
enum status file_place_check(const char *path) MUST_CHECK;
// Why a place cannot be written, for users.
const char *file_place_why(int error);
// Whether what is written there goes where standard output goes, unless that is a terminal or
// another device: then nothing else may be said there.
bool file_place_is_stdout(const char *path);
