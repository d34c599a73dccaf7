// Text into the formats of a report: escaping, and padding by characters. Not real-time.
#pragma once

#include <stdio.h>

enum report_format { REPORT_TEXT, REPORT_MARKDOWN, REPORT_LATEX, REPORT_CSV, REPORT_HTML };

// The format a file name's ending stands for (".txt", ".md", ".tex", ".csv", ".html"); REPORT_TEXT
// for any other.
enum report_format report_format_of(const char *file);

// Writes `text` (UTF-8) so that the format shows exactly these characters. CSV: as one field,
// quoted where RFC 4180 wants it.
void report_escape(FILE *out, enum report_format format, const char *text);

// Characters of a UTF-8 text (code points; the reports use none that are wider than one column).
int report_width(const char *text);
