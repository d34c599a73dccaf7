// A scenario as the text of its file, so that a trial that nobody wrote down can be.
#pragma once

#include <stdio.h>

#include "harness/files/scenario.h"

// Writes the file: `written`, as scenario_read has it, but with the faults of `scenario`, which is
// checked. `comment`, lines of text, comes first, or NULL. Reading it gives the same scenario.
// Errors are the stream's.
void scenario_print(FILE *out, const struct scenario *written, const struct scenario *scenario,
                    const char *comment);

// A number in as few digits as read back the same. Returns `text`.
const char *number_text(double number, char text[32]);

// A time or a parameter with so many significant digits, as it would be read from a file.
double number_rounded(double number, unsigned digits);
