// Whether nobody else can put his own in place of what the lab executes, or takes its orders from.
#pragma once

#include <stdbool.h>

#include "base/status.h"

// Walks all folders and links on the way to `path`, and `path` itself: each must belong to who may
// run code as this user anyway (root, this user, the owner of this program), and nobody else may
// write it. A folder with the sticky bit, like /tmp, may stand on the way, since what others put
// there stays theirs; it may not be the path itself. INVALID: refused, logged to standard error
// with what refused it and the remedy; NOT_FOUND: not there.
enum status trusted_path(const char *path) MUST_CHECK;

// For --trust-folder: from now on nothing is refused for its owner or for who may write it. The
// first such path is logged.
void trusted_accept(void);
// That path and what was wrong with it, in words; NULL: there was none.
const char *trusted_accepted(void);
// Whether refusals are logged: they are, until somebody says otherwise.
void trusted_silently(bool silent);

// The same of the file alone, whatever folders it lies in: for data that the user names himself.
enum status trusted_file(const char *path) MUST_CHECK;
