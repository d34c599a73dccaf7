// The template language of the reports, after Mustache, with queries for data. Not real-time.
//
//   {{NAME}}                 value of the nearest column NAME, escaped for the format
//   {{&NAME}}                the same, not escaped
//   {{NAME|30}}              padded to 30 characters (at most 1000); {{NAME|-8}} to 8, at the right
//   {{#QUERY}} ... {{/QUERY}}  once for every row of the page's QUERY.sql; its columns are
//                            values within, and parameters :NAME of the queries within. A value
//                            NAME that is in reach is taken first: once if it is not empty
//   {{^QUERY}} ... {{/QUERY}}  when QUERY has no row, or the value is empty
//   {{>FIGURE}}              the plot FIGURE.gp of the rows of FIGURE.sql,
//                            or of the trial in reach (report_plot.h)
//   {{<FILE}}                the page's FILE, filled as if it stood here; a .css as it is
//   {{! remark }}
//
// A section's tag that is alone on its line leaves no empty line behind.
#pragma once

#include <stdio.h>

#include "harness/report/report_escape.h"
#include "harness/report/report_query.h"

#define REPORT_NESTING_MAX 8
#define REPORT_PAD_MAX 1000

struct report_plotter; // report_plot.h

struct report_renderer {
    sqlite3 *database;
    const struct report_files *files;
    enum report_format format;
    struct report_plotter *plotter;
    const char *file; // the template's name, for messages
    FILE *out;
    unsigned depth;
};

// Renders `text` with the values of `scope`. INVALID (logged to standard error): unknown name,
// section without end, bad query.
enum status report_render(struct report_renderer *renderer, const char *text,
                          const struct report_scope *scope) MUST_CHECK;
