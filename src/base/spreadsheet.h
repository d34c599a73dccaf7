// Cells of tables that people open in a spreadsheet. Such a program takes a text that begins with
// one of = + - @, a tab or the end of a line for a formula, and runs it; so an apostrophe stands
// before it, which marks a text (OWASP, "CSV Injection"). A number is no formula, whatever its
// sign. Errors are the stream's. Not real-time.
#pragma once

#include <stdio.h>

// As in CSV (RFC 4180): in quotes where it holds what parts cells in any country's CSV.
void spreadsheet_csv(FILE *out, const char *text);

// Between tabs, which have no quotes: a tab or an end of a line within becomes a space.
void spreadsheet_tsv(FILE *out, const char *text);
