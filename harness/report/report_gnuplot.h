// gnuplot as a process, which can start no program, and whose messages do not go to the terminal as
// they are. Private to the room. Not real-time.
#pragma once

#include <stdbool.h>

#include "base/status.h"

// Runs gnuplot with these arguments (NULL ends them); what it draws goes to `output`. EMPTY: the
// data has nothing that it could draw; NOT_FOUND: it is not installed; INVALID: it failed, which
// is reported with its message, `figure` first; SYSTEM: no process.
enum status gnuplot_run(char *const *argument, int output, const char *figure) MUST_CHECK;

// Whether a data file of gnuplot has a value to draw: a finite number beside its first column, or
// in the only one. Also if it cannot be read, for gnuplot to say so.
bool gnuplot_data_has_values(const char *path);
