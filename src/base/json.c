#include "base/json.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/trouble.h"

static void put_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\n')
            fputs("\\n", out);
        else if (*text == '<') // no tag within a script
            fputs("\\u003c", out);
        else {
            if (*text == '"' || *text == '\\')
                fputc('\\', out);
            fputc(*text, out);
        }
}

void json_text(FILE *out, const char *text, size_t size)
{
    char *whole = strndup(text, size), *clean = NULL;
    size_t length;
    FILE *memory = whole == NULL ? NULL : open_memstream(&clean, &length);
    fputc('"', out);
    if (memory != NULL) {
        text_print(memory, whole, "\n");
        if (fclose(memory) == 0)
            put_escaped(out, clean);
    } else {
        (void)trouble_note(ENOMEM);
    }
    fputc('"', out);
    free(clean);
    free(whole);
}

void json_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.9g", value);
    else
        fputs("null", out);
}

void json_base64(FILE *out, const void *data, size_t size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *byte = data;
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t three = (uint32_t)byte[i] << 16 |
                               (left > 1 ? (uint32_t)byte[i + 1] << 8 : 0) |
                               (left > 2 ? byte[i + 2] : 0);
        fputc(letters[three >> 18], out);
        fputc(letters[three >> 12 & 63], out);
        fputc(left > 1 ? letters[three >> 6 & 63] : '=', out);
        fputc(left > 2 ? letters[three & 63] : '=', out);
    }
}
