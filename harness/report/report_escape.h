// Text into the formats of a report: escaping, and padding by characters. Not real-time.
#pragma once

#include <stdio.h>

enum report_format {
    REPORT_TEXT,
    REPORT_MARKDOWN,
    REPORT_LATEX,
    REPORT_CSV,
    REPORT_HTML,
    REPORT_XML,        // element or attribute; what XML 1.0 cannot hold is shown as '?'
    REPORT_TAP,        // description of a test point
    REPORT_ANNOTATION, // message of a workflow command of GitHub's
};

// The format a file name's ending stands for (".txt", ".md", ".tex", ".csv", ".html", ".xml",
// ".tap", ".github"); REPORT_TEXT for any other.
enum report_format report_format_of(const char *file);

// Writes `text` (UTF-8) so that the format shows exactly these characters. CSV: as one field,
// quoted where RFC 4180 wants it.
void report_escape(FILE *out, enum report_format format, const char *text);

// The same for a property of a workflow command, such as its title. The caller frees it. NULL: out
// of memory.
char *report_annotation_property(const char *text);

// A text of strangers, such as the last words of a target: what does not show itself is '?',
// newlines stay. The caller frees it; NULL, noted: out of memory.
char *report_plain(const char *text);

// Characters of a UTF-8 text (code points; the reports use none that are wider than one column).
int report_width(const char *text);
