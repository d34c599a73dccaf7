// A folder of this process's own, for as long as it needs it: it vanishes with it, whatever ends
// it. Nobody else can write there or list it; a cell's users can read what is in it. Not real-time.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define PRIVATE_FOLDER_MAX 128

struct private_folder {
    char path[PRIVATE_FOLDER_MAX]; // "": there is none
    int warden;                    // tells who removes it if this process does not
};

// Below TMPDIR, else /tmp or /var/tmp. SYSTEM, reported: there is no room for it, or no process.
enum status private_folder_make(struct private_folder *folder) MUST_CHECK;
// With all that is in it. One that is not there is allowed.
void private_folder_remove(struct private_folder *folder);

// Writes a file, and the folders on its way; `relative` has no part "..". With the same bytes it
// may be there already. SYSTEM, reported; CORRUPT, reported: it is there with other bytes, or is no
// name.
enum status private_folder_put(const struct private_folder *folder, const char *relative,
                               const void *bytes, size_t size_B, bool executable) MUST_CHECK;
// Links to `target`, likewise.
enum status private_folder_link(const struct private_folder *folder, const char *relative,
                                const char *target) MUST_CHECK;
