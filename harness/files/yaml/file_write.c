#include "harness/files/yaml/file_write.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/scenario_text.h"

void file_write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        if (*text == '\n')
            fputs("\\n", out);
        else if (*text == '\t')
            fputs("\\t", out);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

static double number_of(const void *field)
{
    double number;
    memcpy(&number, field, sizeof number);
    return number;
}

static uint64_t whole_of(const struct file_row *row, const void *field)
{
    uint64_t whole = 0;
    unsigned small = 0;
    bool truth = false;
    if (row->size_B == sizeof whole)
        memcpy(&whole, field, sizeof whole);
    else if (row->size_B == sizeof small) {
        memcpy(&small, field, sizeof small);
        whole = small;
    } else {
        memcpy(&truth, field, sizeof truth);
        whole = truth;
    }
    return whole;
}

static bool is_zero(const void *bytes, size_t size_B)
{
    for (size_t i = 0; i < size_B; i++)
        if (((const char *)bytes)[i] != '\0')
            return false;
    return true;
}

static unsigned count_of(const struct file_row *row, const char *file)
{
    unsigned count;
    memcpy(&count, file + row->count, sizeof count);
    return count;
}

// Whether the key may be left out: its field holds what an absent one means.
// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static bool is_absent(const struct file_row *row, const char *file)
{
    const char *field = file + row->offset;
    if (row->type == VALUE_FORMAT || row->type == VALUE_GONE)
        return true;
    if (row->most > 0 && row->type != VALUE_RANGE)
        return count_of(row, file) == 0;
    if (row->type == VALUE_MAP) {
        for (const struct file_row *inner = row->rows; inner->key != NULL; inner++)
            if (!is_absent(inner, field))
                return false;
        return true;
    }
    if (row->required)
        return false;
    if (row->absent == NULL)
        return row->type == VALUE_TEXT || row->type == VALUE_NAME ? *field == '\0'
                                                                  : is_zero(field, row->size_B);
    switch (row->type) {
    case VALUE_NUMBER:
        return number_of(field) == strtod(row->absent, NULL);
    case VALUE_WHOLE:
        return whole_of(row, field) == strtoull(row->absent, NULL, 10);
    case VALUE_TRUTH:
        return whole_of(row, field) == (strcmp(row->absent, "true") == 0);
    case VALUE_WORD:
        return strcmp(row->words[whole_of(row, field)], row->absent) == 0;
    default:
        return strcmp(field, row->absent) == 0;
    }
}

static void write_map(FILE *out, const struct file_row *rows, const char *file);

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static void write_value(FILE *out, const struct file_row *row, const char *field)
{
    char number[32], other[32];
    switch (row->type) {
    case VALUE_TEXT:
    case VALUE_NAME:
        file_write_text(out, field);
        break;
    case VALUE_NUMBER:
        fputs(number_text(number_of(field), number), out);
        break;
    case VALUE_WHOLE:
        fprintf(out, "%" PRIu64, whole_of(row, field));
        break;
    case VALUE_TRUTH:
        fputs(whole_of(row, field) != 0 ? "true" : "false", out);
        break;
    case VALUE_WORD:
        fputs(row->words[whole_of(row, field)], out);
        break;
    case VALUE_RANGE:
        fprintf(out, "[%s, %s]", number_text(number_of(field), number),
                number_text(number_of(field + sizeof(double)), other));
        break;
    case VALUE_MAP:
        write_map(out, row->rows, field);
        break;
    case VALUE_FORMAT:
    case VALUE_GONE:
        break;
    }
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static void write_row(FILE *out, const struct file_row *row, const char *file)
{
    const bool list = row->most > 0 && row->type != VALUE_RANGE;
    const unsigned count = list ? count_of(row, file) : 1;
    assert(!row->keyed);
    if (list)
        fputc('[', out);
    for (unsigned i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", out);
        write_value(out, row, file + row->offset + i * row->size_B);
    }
    if (list)
        fputc(']', out);
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static void write_map(FILE *out, const struct file_row *rows, const char *file)
{
    bool any = false;
    fputc('{', out);
    for (const struct file_row *row = rows; row->key != NULL; row++) {
        if (is_absent(row, file))
            continue;
        fprintf(out, "%s%s: ", any ? ", " : " ", row->key);
        write_row(out, row, file);
        any = true;
    }
    fputs(" }", out);
}

void file_write(FILE *out, const struct file_row *rows, const void *file, const char *without)
{
    for (const struct file_row *row = rows; row->key != NULL; row++) {
        if (is_absent(row, file) || (without != NULL && strcmp(row->key, without) == 0))
            continue;
        fprintf(out, "%s:", row->key);
        if (row->type == VALUE_MAP && row->most > 0)
            for (unsigned i = 0; i < count_of(row, file); i++) {
                fputs("\n  - ", out);
                write_map(out, row->rows, (const char *)file + row->offset + i * row->size_B);
            }
        else {
            fputc(' ', out);
            write_row(out, row, file);
        }
        fputc('\n', out);
    }
}
