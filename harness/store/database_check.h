// Whether a database is whole: a damaged one must never show fewer trials as if that were all.
// Private to the store.
#pragma once

#include "harness/store/database_private.h"

// SYSTEM, reported: pages, rows or indices are damaged. Reads the whole file: indices are compared
// with their tables up to 64 MB, beyond by their number of entries.
enum status database_check_pages(struct database *database) MUST_CHECK;
// The same, and that no rows are missing which others tell of. Of today's schema.
enum status database_check_whole(struct database *database) MUST_CHECK;
