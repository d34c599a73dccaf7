#include "base/spreadsheet.h"

#include <stdbool.h>
#include <string.h>

#define DIGITS "0123456789"

// A decimal number, as printf writes one.
static bool is_number(const char *text)
{
    text += *text == '-' || *text == '+';
    size_t digits = strspn(text, DIGITS);
    text += digits;
    if (*text == '.') {
        const size_t more = strspn(++text, DIGITS);
        text += more;
        digits += more;
    }
    if (digits > 0 && (*text == 'e' || *text == 'E')) {
        text++;
        text += *text == '-' || *text == '+';
        digits = strspn(text, DIGITS);
        text += digits;
    }
    return digits > 0 && *text == '\0';
}

// Of the signs East Asian keyboards have forms of their own, which are taken alike: = + - @.
static bool begins_a_formula(const char *text)
{
    static const char *const wide[] = {"\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D",
                                       "\xEF\xBC\xA0"};
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        if (strncmp(text, wide[i], strlen(wide[i])) == 0)
            return true;
    return *text != '\0' && strchr("=+-@\t\r\n", *text) != NULL;
}

static const char *mark_of(const char *text)
{
    return begins_a_formula(text) && !is_number(text) ? "'" : "";
}

void spreadsheet_csv(FILE *out, const char *text)
{
    const char *mark = mark_of(text);
    const bool quoted = strpbrk(text, ",;\t\"\r\n") != NULL;
    fprintf(out, "%s%s", quoted ? "\"" : "", mark);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputs(quoted ? "\"" : "", out);
}

void spreadsheet_tsv(FILE *out, const char *text)
{
    fputs(mark_of(text), out);
    for (; *text != '\0'; text++)
        fputc(*text == '\t' || *text == '\r' || *text == '\n' ? ' ' : *text, out);
}
