// Where in the files of a campaign stands what a trial did not hold: SQL functions of the formats
// of single trials. Not real-time.
#pragma once

#include <sqlite3.h>

#include "base/status.h"
#include "harness/store/kept/stored_files.h"

// Adds scenario_file(campaign's file, position of the square), as a path that is relative to the
// working folder if it lies below it; scenario_line(the same, oracle), the line of the promise of
// that name, else 1; annotation_property(text) and
// plain_text(text) (report_escape.h). Of a campaign whose file is
// gone or has other squares now, its file is named, and line 1. `stored`: what it was when it ran,
// NULL: not known; it outlives the connection.
enum status report_place_functions_add(sqlite3 *database,
                                       const struct stored_files *stored) MUST_CHECK;
