// Rows of file tables in words, for messages and for the page.
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "harness/files/yaml/file_table.h"

uint64_t file_most(const struct file_row *row)
{
    if (row->max > 0)
        return (uint64_t)row->max;
    return row->size_B == sizeof(uint64_t) ? INT64_MAX
                                           : UINT32_MAX; // the database has no larger ones
}

// The unit that the ending of a key names; "" if none does.
static const char *unit_of(const char *key)
{
    static const struct {
        const char *ending, *unit;
    } units[] = {{"_bit_s", " of bit/s"},
                 {"_hz", " of Hz"},
                 {"_MB", " of MB"},
                 {"_B", " of bytes"},
                 {"_s", " of seconds"}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t length = strlen(units[i].ending);
        if (strlen(key) > length && strcmp(key + strlen(key) - length, units[i].ending) == 0)
            return units[i].unit;
    }
    return "";
}

void file_words(const struct file_row *row, char *words, size_t size)
{
    static const char *const kind[] = {[VALUE_TEXT] = "text",
                                       [VALUE_NAME] = "name",
                                       [VALUE_NUMBER] = "number",
                                       [VALUE_WHOLE] = "whole number",
                                       [VALUE_TRUTH] = "`true` or `false`",
                                       [VALUE_RANGE] = "`[low, high]` or one value, numbers",
                                       [VALUE_MAP] = "mapping"};
    *words = '\0';
    if (row->type == VALUE_FORMAT) {
        text_add(words, size, "`%g`", row->max);
        return;
    }
    if (row->most > 0 && row->least > 0 && row->type != VALUE_RANGE)
        text_add(words, size, "list of %u to %u: ", row->least, row->most);
    else if (row->most > 0 && row->least == 0)
        text_add(words, size, "%s of at most %u: ", row->keyed ? "mapping" : "list", row->most);
    if (row->words == NULL)
        text_add(words, size, "%s", kind[row->type]);
    for (unsigned i = 0; row->words != NULL && row->words[i] != NULL; i++)
        text_add(words, size, "%s`%s`",
                 i == 0                      ? ""
                 : row->words[i + 1] == NULL ? " or "
                                             : ", ",
                 row->words[i]);
    if (row->words != NULL && row->type == VALUE_MAP)
        text_add(words, size, " or mapping");
    if (row->lone)
        text_add(words, size, "; or one value alone");
    if (row->type == VALUE_NUMBER || row->type == VALUE_WHOLE || row->type == VALUE_RANGE)
        text_add(words, size, "%s", unit_of(row->key));
    if (row->type == VALUE_WHOLE && (row->min > 0 || row->max > 0))
        text_add(words, size, ", %" PRIu64 " to %" PRIu64, (uint64_t)row->min, file_most(row));
    else if (row->min < row->max)
        text_add(words, size, ", %.15g to %.15g", row->min, row->max);
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static void print_rows(FILE *out, const char *path, const struct file_row *rows)
{
    for (const struct file_row *row = rows; row->key != NULL; row++) {
        char words[320];
        if (row->type == VALUE_GONE)
            continue;
        const struct yaml_key key = yaml_key("%s%s%s", path, row->key,
                                             row->most > 0 && row->type != VALUE_RANGE ? "[]" : "");
        file_words(row, words, sizeof words);
        fprintf(out, "| `%s` | %s | %s%s%s | %s |\n", key.text, words,
                row->absent != NULL ? "`" : "",
                row->required         ? "required"
                : row->absent != NULL ? row->absent
                                      : "",
                row->absent != NULL ? "`" : "", row->help);
        if (row->type == VALUE_MAP && !row->elsewhere)
            print_rows(out, yaml_key("%s.", key.text).text, row->rows);
    }
}

void file_print(FILE *out, const struct file_row *rows)
{
    fputs("| key | value | if absent | meaning |\n| --- | --- | --- | --- |\n", out);
    print_rows(out, "", rows);
}
