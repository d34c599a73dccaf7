// Queries of a report: SQL files run against the result database, with the rows around them as
// parameters. Not real-time.
#pragma once

#include <stddef.h>

#include <sqlite3.h>

#include "base/nearest.h"
#include "base/status.h"
#include "harness/report/report_files.h"

// The rows a piece of a template stands in, innermost first. A query's :NAME and a template's
// {{NAME}} mean the nearest column of that name.
struct report_scope {
    const struct report_scope *outer; // NULL: outermost
    sqlite3_stmt *row;                // standing on a row
};

// Adds to the connection what SQL lacks: wilson_low(count, total), wilson_high(count, total);
// decimal(x, digits) and signed_decimal(x, digits), text or NULL; plural(count, 'trial'), "trial"
// for 1, else "trials"; and the aggregate median(x), which leaves NULLs out and is NULL without
// values; and those of report_histogram.h.
enum status report_functions_add(sqlite3 *database) MUST_CHECK;

// Prepares the one query of the page's NAME.sql and binds its parameters from the scope (NULL where
// no column has that name). The caller finalises it. NOT_FOUND, not said: no such file; else what
// is wrong is logged to standard error.
enum status report_query(sqlite3 *database, const struct report_files *files, const char *name,
                         const struct report_scope *scope, sqlite3_stmt **query) MUST_CHECK;

// Runs all statements of the page's NAME.sql. Errors as report_query.
enum status report_script(sqlite3 *database, const struct report_files *files,
                          const char *name) MUST_CHECK;

// Text of the nearest column called `name` (length in bytes), "" for NULL; NULL if there is no such
// column. Valid until its row moves on.
const char *report_value(const struct report_scope *scope, const char *name, size_t length);

// " (did you mean COLUMN?)": of those in reach the one that such a name is nearest to; or "".
const char *report_value_hint(const struct report_scope *scope, const char *name, size_t length,
                              char hint[NEAREST_HINT_MAX]);

// A whole text file, ended by a zero; the caller frees it. As whole_file_read, silently.
enum status report_read_file(const char *path, char **text) MUST_CHECK;
// Says why it could not be read, and what to do; errno is that of the call.
void report_say_unread(const char *path, enum status status);
