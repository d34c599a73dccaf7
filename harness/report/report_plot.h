// Plots of a report: data into a temporary file, gnuplot over it, the SVG into the page. Not
// real-time.
#pragma once

#include <stdio.h>

#include "harness/report/report_query.h"
#include "harness/store/kept/stored_files.h"

struct report_plotter; // opaque

struct report_source {                 // where what trials left is
    const char *histories;             // the folder that history paths of the database begin at
    const struct stored_files *stored; // what judged them; NULL: the files of now
};

// `files`: the page's, which outlive the plotter, as does `source`; `output`: plots of queries are
// also kept there as FIGURE.svg. NO_MEMORY, SYSTEM.
enum status report_plotter_create(sqlite3 *database, const struct report_files *files,
                                  const char *output, const struct report_source *source,
                                  struct report_plotter **plotter) MUST_CHECK;
void report_plotter_free(struct report_plotter *plotter);
// Whether a history was left out since it is damaged, or not that of its trial; said already.
bool report_plotter_refused(const struct report_plotter *plotter);

// Plots FIGURE into `out` as an inline SVG. Data are the rows of FIGURE.sql if there is such a
// file, else the series of the trial in reach (columns history_path, target; series.h). Without
// gnuplot or without a history a paragraph says so: a missing plot is no error. INVALID: the query
// is wrong; SYSTEM: no temporary file.
enum status report_plot(struct report_plotter *plotter, const char *figure,
                        const struct report_scope *scope, FILE *out) MUST_CHECK;
