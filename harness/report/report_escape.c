#include "harness/report/report_escape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/spreadsheet.h"
#include "base/text.h"
#include "base/trouble.h"

enum report_format report_format_of(const char *file)
{
    static const struct {
        const char *ending;
        enum report_format format;
    } known[] = {{".md", REPORT_MARKDOWN},      {".tex", REPORT_LATEX}, {".csv", REPORT_CSV},
                 {".html", REPORT_HTML},        {".xml", REPORT_XML},   {".tap", REPORT_TAP},
                 {".github", REPORT_ANNOTATION}};
    const char *ending = strrchr(file, '.');
    for (size_t i = 0; ending && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(ending, known[i].ending) == 0)
            return known[i].format;
    return REPORT_TEXT;
}

static const char *html_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static const char *latex_of(char c)
{
    switch (c) {
    case '\\':
        return "\\textbackslash{}";
    case '~':
        return "\\textasciitilde{}";
    case '^':
        return "\\textasciicircum{}";
    case '&':
        return "\\&";
    case '%':
        return "\\%";
    case '$':
        return "\\$";
    case '#':
        return "\\#";
    case '_':
        return "\\_";
    case '{':
        return "\\{";
    case '}':
        return "\\}";
    case '<':
        return "\\textless{}";
    case '>':
        return "\\textgreater{}";
    default:
        return NULL;
    }
}

static const char *markdown_of(char c)
{
    switch (c) {
    case '|':
        return "\\|";
    case '*':
        return "\\*";
    case '_':
        return "\\_";
    case '`':
        return "\\`";
    case '<':
        return "&lt;";
    case '\n':
        return " ";
    default:
        return NULL;
    }
}

// A reader takes a newline in an attribute for a space, unless it is written so.
static const char *xml_of(char c)
{
    return c == '\n' ? "&#10;" : html_of(c);
}

// Behind a '#' stands a directive.
static const char *tap_of(char c)
{
    return c == '\\' ? "\\\\" : c == '#' ? "\\#" : c == '\n' ? " " : NULL;
}

static const char *annotation_of(char c)
{
    return c == '%' ? "%25" : c == '\n' ? "%0A" : NULL;
}

static const char *property_of(char c)
{
    return c == ':' ? "%3A" : c == ',' ? "%2C" : annotation_of(c);
}

typedef const char *replacement(char c); // what stands for a character; NULL: itself

static void put(FILE *out, replacement *of, const char *text)
{
    for (; *text; text++) {
        const char *instead = of(*text);
        if (instead)
            fputs(instead, out);
        else
            fputc(*text, out);
    }
}

char *report_plain(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        (void)trouble_note(ENOMEM);
    for (char *line = copy, *end; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end)
            *end = '\0';
        text_clean(line);
        if (end)
            *end = '\n';
    }
    return copy;
}

static void put_clean(FILE *out, replacement *of, const char *text)
{
    char *copy = report_plain(text);
    put(out, of, copy ? copy : "");
    free(copy);
}

void report_escape(FILE *out, enum report_format format, const char *text)
{
    switch (format) {
    case REPORT_TEXT: // for a terminal; it may be the target's own last words
        return text_print(out, text, " ");
    case REPORT_CSV:
        return spreadsheet_csv(out, text);
    case REPORT_HTML:
        return put(out, html_of, text);
    case REPORT_LATEX:
        return put(out, latex_of, text);
    case REPORT_MARKDOWN:
        return put(out, markdown_of, text);
    case REPORT_XML:
        return put_clean(out, xml_of, text);
    case REPORT_TAP:
        return put_clean(out, tap_of, text);
    case REPORT_ANNOTATION:
        return put_clean(out, annotation_of, text);
    }
}

char *report_annotation_property(const char *text)
{
    char *escaped = NULL;
    size_t size_B;
    FILE *out = open_memstream(&escaped, &size_B);
    if (!out)
        return NULL;
    put_clean(out, property_of, text);
    if (fclose(out) == 0)
        return escaped;
    free(escaped);
    return NULL;
}

int report_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80; // not a continuation byte
    return width;
}
