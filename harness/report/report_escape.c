#include "harness/report/report_escape.h"

#include <string.h>

#include "base/text.h"

enum report_format report_format_of(const char *file)
{
    static const struct {
        const char *ending;
        enum report_format format;
    } known[] = {{".md", REPORT_MARKDOWN},
                 {".tex", REPORT_LATEX},
                 {".csv", REPORT_CSV},
                 {".html", REPORT_HTML}};
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

static void csv_field(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void report_escape(FILE *out, enum report_format format, const char *text)
{
    if (format == REPORT_CSV) {
        csv_field(out, text);
        return;
    }
    if (format == REPORT_TEXT) { // for a terminal; it may be the target's own last words
        text_print(out, text, " ");
        return;
    }
    for (; *text; text++) {
        const char *replacement = format == REPORT_HTML    ? html_of(*text)
                                  : format == REPORT_LATEX ? latex_of(*text)
                                                           : markdown_of(*text);
        if (replacement)
            fputs(replacement, out);
        else
            fputc(*text, out);
    }
}

int report_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80; // not a continuation byte
    return width;
}
