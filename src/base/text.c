#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>

void text_add(char *text, size_t size_B, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size_B - used, format, arguments);
    va_end(arguments);
}

#define REPLACEMENT '?'

// Length in bytes of the character of UTF-8 at `s`, which ends with NUL, and its number; 0: none.
static size_t decode(const unsigned char *s, uint32_t *number)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least; // shorter forms are refused: two forms of one character are a trap
    } form[] = {{0x80, 0, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    for (size_t length = 1; length <= sizeof form / sizeof form[0]; length++) {
        if ((s[0] & form[length - 1].mask) != form[length - 1].lead)
            continue;
        *number = s[0] & (unsigned char)~form[length - 1].mask;
        for (size_t i = 1; i < length; i++) {
            if ((s[i] & 0xC0) != 0x80)
                return 0; // also the text's end
            *number = *number << 6 | (s[i] & 0x3F);
        }
        return *number >= form[length - 1].least ? length : 0;
    }
    return 0;
}

// Does this character only show itself? Controls act on the terminal; the others change how what
// stands around them is shown.
static bool is_plain(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } other[] = {
        {0, 0x1F},          {0x7F, 0x9F},     // C0, C1
        {0x200B, 0x200F},   {0x2028, 0x202E}, // invisible; ends of lines, direction of writing
        {0x2060, 0x206F},   {0xD800, 0xDFFF}, // invisible, direction; halves of UTF-16
        {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB}, // invisible
        {0xFFFE, 0xFFFF},                     // no characters
        {0xE0000, 0xE0FFF}, {0x110000, ~0u},  // invisible; beyond Unicode
    };
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        if (c >= other[i].first && c <= other[i].last)
            return false;
    return true;
}

// Length of the plain character at `text`, 0 if there is none.
static size_t plain_length(const char *text)
{
    uint32_t number;
    const size_t length = decode((const unsigned char *)text, &number);
    return length > 0 && is_plain(number) ? length : 0;
}

void text_print(FILE *out, const char *text, const char *newline)
{
    while (*text != '\0') {
        const size_t length = plain_length(text);
        if (length > 0)
            (void)fwrite(text, 1, length, out);
        else if (*text == '\n')
            fputs(text[1] == '\0' ? "" : newline, out);
        else
            fputc(REPLACEMENT, out);
        text += length > 0 ? length : 1;
    }
}

void text_clean(char *text)
{
    while (*text != '\0') {
        const size_t length = plain_length(text);
        if (length == 0)
            *text = *text == '\n' ? ' ' : REPLACEMENT;
        text += length > 0 ? length : 1;
    }
}
