// Pages of reports: a template of reports/ over a connection into a file of a folder. Errors are
// logged to standard error. Not real-time.
#pragma once

#include "harness/report/report_template.h"

// Takes the connection of an open result database, which is closed otherwise, for the queries of
// reports/: with the functions of report_query.h. *database is the caller's to close, also after an
// error. NO_MEMORY.
struct database;
enum status report_connect(struct database **stored, sqlite3 **database) MUST_CHECK;

// Makes the folder, and those above it, and sees whether it can be written. SYSTEM.
enum status report_make_folder(const char *folder) MUST_CHECK;

// Renders the template renderer->file. Errors of report_render; SYSTEM.
enum status report_put_file(struct report_renderer *renderer, FILE *out) MUST_CHECK;
// The same into a file, which is there whole or not at all; ...
enum status report_write_to(struct report_renderer *renderer, const char *path) MUST_CHECK;
// ... into the file of the template's name.
enum status report_write_file(struct report_renderer *renderer, const char *folder) MUST_CHECK;

// All of that for one template of a page over any connection, which gets the functions of
// report_query.h: its queries name its own tables.
enum status report_page(sqlite3 *database, const struct report_files *files, const char *file,
                        const char *folder) MUST_CHECK;
