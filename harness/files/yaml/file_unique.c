// What is said twice: the later of the two would win, or nothing would, and nobody is told.
#include <string.h>

#include "harness/files/yaml/file_table.h"
#include "harness/files/yaml/yaml_private.h"

// Entries of a list of mappings with the same text in one of their keys.
static void check_maps(struct yaml_source *source, const char *path, const struct file_row *row,
                       const char *first, unsigned count)
{
    for (const struct file_row *inner = row->rows; inner->key != NULL; inner++)
        for (unsigned i = 1; inner->unique && i < count; i++)
            for (unsigned j = 0; j < i; j++) {
                const char *text = first + i * row->size_B + inner->offset;
                if (*text != '\0' && strcmp(text, first + j * row->size_B + inner->offset) == 0)
                    yaml_complain(source, yaml_key("%s[%u].%s", path, i, inner->key).text,
                                  "%s: used twice; each entry needs its own", text);
            }
}

static bool equal(const struct file_row *row, const char *a, const char *b)
{
    const bool text = row->type == VALUE_TEXT || row->type == VALUE_NAME;
    return text ? strcmp(a, b) == 0 : memcmp(a, b, row->size_B) == 0;
}

static void check_values(struct yaml_source *source, const char *path, const struct file_row *row,
                         const char *first, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned j = 0; j < i; j++)
            if (equal(row, first + i * row->size_B, first + j * row->size_B)) {
                yaml_complain(source, yaml_key("%s[%u]", path, i).text,
                              "the same as entry %u; name each once", j);
                break;
            }
}

// How long the key of key=value is, which begins as a name does; 0: it is none.
static size_t key_length(const char *text)
{
    const size_t length =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");
    return text[length] == '=' ? length : 0;
}

static bool same_key(const char *a, const char *b)
{
    const size_t length = key_length(a);
    return length > 0 && length == key_length(b) && strncmp(a, b, length) == 0;
}

static void complain_of_key(struct yaml_source *source, const char *path, const char *text)
{
    yaml_complain(source, path, "%.*s: given twice; keep one of the two", (int)key_length(text),
                  text);
}

static void check_keys(struct yaml_source *source, const char *path, const struct file_row *row,
                       const char *first, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned j = 0; j < i; j++)
            if (same_key(first + i * row->size_B, first + j * row->size_B)) {
                complain_of_key(source, yaml_key("%s[%u]", path, i).text, first + i * row->size_B);
                break;
            }
}

void file_check_unique(struct yaml_source *source, const char *path, const struct file_row *row,
                       const char *first, unsigned count)
{
    if (row->type == VALUE_MAP)
        check_maps(source, path, row, first, count);
    else if (row->pairs)
        check_keys(source, path, row, first, count);
    else if (row->unique)
        check_values(source, path, row, first, count);
}
