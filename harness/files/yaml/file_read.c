#include "harness/files/yaml/file_table.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/nearest.h"
#include "base/text.h"
#include "harness/files/yaml/yaml_private.h"

#define WHY_MAX 320 // holds all words of a choice

// ---- one value: what is wrong with a text as a row's value, and its remedy, or the value --------

// The number of a text among the row's words; false if it is none of them.
static bool find_word(const struct file_row *row, const char *text, unsigned *number, char *why)
{
    *number = 0;
    while (row->words[*number] != NULL && strcmp(row->words[*number], text) != 0)
        (*number)++;
    if (row->words[*number] != NULL)
        return true;
    snprintf(why, WHY_MAX, "no such word; use one of:");
    for (const char *const *word = row->words; *word != NULL; word++)
        text_add(why, WHY_MAX, " %s", *word);
    return false;
}

static bool put_text(const struct file_row *row, const char *text, void *field, char *why)
{
    unsigned number;
    if (strlen(text) >= row->size_B)
        snprintf(why, WHY_MAX, "too long; use at most %zu characters", row->size_B - 1);
    else if ((row->most > 0 ? !row->blank : row->required) && *text == '\0')
        snprintf(why, WHY_MAX, "too short; use at least 1 character");
    else if (row->words == NULL || find_word(row, text, &number, why))
        text_copy(field, row->size_B, text);
    return *why == '\0';
}

static bool put_name(const struct file_row *row, const char *text, void *field, char *why)
{
    static const char usual[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (text[strspn(text, usual)] != '\0' || (*text != '\0' && strchr("-_.", *text) != NULL))
        snprintf(why, WHY_MAX,
                 "not a name; use letters, digits, '-', '_' and '.', and begin with one of the "
                 "first two");
    return *why == '\0' && put_text(row, text, field, why);
}

// Some read a number that begins with 0 as octal: it is nobody's intention.
static bool octal(const char *text)
{
    text += *text == '-' || *text == '+';
    return text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

static bool put_number(const struct file_row *row, const char *text, void *field, char *why)
{
    char *end;
    const double value = strtod(text, &end);
    if (*text == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0' || *end != '\0' ||
        !isfinite(value) || octal(text))
        snprintf(why, WHY_MAX, "not a number; give a plain number, its unit is in the key's name");
    else if (row->min < row->max && (value < row->min || value > row->max) &&
             (row->absent == NULL || value != strtod(row->absent, NULL)))
        snprintf(why, WHY_MAX, "out of range; use %.15g to %.15g", row->min, row->max);
    memcpy(field, &value, sizeof value);
    return *why == '\0';
}

static void store(void *field, size_t size_B, uint64_t value)
{
    if (size_B == sizeof value)
        memcpy(field, &value, sizeof value);
    else if (size_B == sizeof(unsigned))
        memcpy(field, &(unsigned){(unsigned)value}, sizeof(unsigned));
    else
        memcpy(field, &(bool){value != 0}, sizeof(bool));
}

static bool put_whole(const struct file_row *row, const char *text, void *field, char *why)
{
    const uint64_t most = file_most(row), least = (uint64_t)row->min;
    errno = 0;
    const uint64_t value = strtoull(text, NULL, 10);
    if (*text == '\0' || text[strspn(text, "0123456789")] != '\0' || octal(text))
        snprintf(why, WHY_MAX, "not a whole number from 0 up; write digits alone, as in 20");
    else if (errno == ERANGE || value > most ||
             (value < least && (row->absent == NULL || strcmp(text, row->absent) != 0)))
        snprintf(why, WHY_MAX, "out of range; use %llu to %llu", (unsigned long long)least,
                 (unsigned long long)most);
    store(field, row->size_B, value);
    return *why == '\0';
}

static bool put_truth(const struct file_row *row, const char *text, void *field, char *why)
{
    const bool value = strcmp(text, "true") == 0;
    if (!value && strcmp(text, "false") != 0)
        snprintf(why, WHY_MAX, "neither true nor false; write one of these two");
    store(field, row->size_B, value);
    return *why == '\0';
}

static bool put_word(const struct file_row *row, const char *text, void *field, char *why)
{
    unsigned number;
    const bool known = find_word(row, text, &number, why);
    store(field, row->size_B, number);
    return known;
}

static bool put_value(const struct file_row *row, const char *text, void *field, char *why)
{
    static bool (*const put[])(const struct file_row *, const char *, void *, char *) = {
        [VALUE_TEXT] = put_text,   [VALUE_NAME] = put_name,   [VALUE_NUMBER] = put_number,
        [VALUE_WHOLE] = put_whole, [VALUE_TRUTH] = put_truth, [VALUE_WORD] = put_word,
        [VALUE_RANGE] = put_number};
    *why = '\0';
    return put[row->type](row, text, field, why);
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static void put_absent(const struct file_row *row, char *into)
{
    char why[WHY_MAX];
    if (row->absent != NULL && !put_value(row, row->absent, into + row->offset, why))
        invariant(!"a default must be a value of its own row");
    if (row->type == VALUE_MAP && row->most == 0)
        for (const struct file_row *inner = row->rows; inner->key != NULL; inner++)
            put_absent(inner, into + row->offset);
}

// ---- complaints ---------------------------------------------------------------------------------

static struct yaml_key under(const char *path, const char *key)
{
    return yaml_key("%s%s%s", path, *path == '\0' ? "" : ".", key);
}

// The value of a node as a message names it.
static const char *value_words(const yaml_node_t *at, char copy[SHOWN_MAX + 4])
{
    if (at->type != YAML_SCALAR_NODE)
        return at->type == YAML_MAPPING_NODE ? "a mapping" : "a list";
    return *yaml_scalar(at) == '\0' ? "nothing" : yaml_shown(yaml_scalar(at), copy);
}

static void refuse_value(struct yaml_source *source, const yaml_node_t *at, const char *path,
                         const char *why)
{
    char copy[SHOWN_MAX + 4];
    yaml_complain_at(source, yaml_node_line(at), path, "%s: %s", value_words(at, copy), why);
}

// What YAML itself takes for nothing, and a reader for a text: `claim: ~`. In quotes it is a text.
static bool is_nothing(const yaml_node_t *at)
{
    static const char *const nothing[] = {"", "~", "null", "Null", "NULL"};
    bool any = strcmp((const char *)at->tag, YAML_NULL_TAG) == 0;
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
        any |= at->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
               strcmp(yaml_scalar(at), nothing[i]) == 0;
    return any;
}

static void refuse_nothing(struct yaml_source *source, const yaml_node_t *at, const char *path)
{
    char copy[SHOWN_MAX + 4], why[WHY_MAX] = "too short; write a text, or leave the key out";
    if (*yaml_scalar(at) != '\0')
        snprintf(why, sizeof why, "nothing, to YAML; write a text, and \"%s\" if it is to be this",
                 yaml_shown(yaml_scalar(at), copy));
    refuse_value(source, at, path, why);
}

// Says what belongs in place of `at`, which is of another kind.
static void refuse_kind(struct yaml_source *source, const yaml_node_t *at, const char *path,
                        const char *kind)
{
    char copy[SHOWN_MAX + 4];
    yaml_complain_at(source, yaml_node_line(at), path,
                     "%s: %s belongs here; `ukemi help files` says what it holds",
                     value_words(at, copy), kind);
}

static void unknown_key(struct yaml_source *source, const yaml_node_t *key, const char *path,
                        const struct file_row *rows)
{
    char known[1024] = "", hint[NEAREST_HINT_MAX];
    struct nearest nearest = {.word = yaml_scalar(key)};
    for (; rows->key != NULL; rows++)
        if (rows->type != VALUE_GONE) {
            text_add(known, sizeof known, " %s", rows->key);
            nearest_try(&nearest, rows->key);
        }
    yaml_complain_at(source, yaml_node_line(key), path, "unknown key%s; use one of:%s",
                     nearest_hint(&nearest, hint), known);
}

static void missing_key(struct yaml_source *source, const yaml_node_t *at, const char *path,
                        const struct file_row *row)
{
    char words[WHY_MAX];
    file_words(row, words, sizeof words);
    yaml_complain_at(source, yaml_node_line(at), under(path, row->key).text, "missing; add it: %s",
                     words);
}

// ---- maps and lists -----------------------------------------------------------------------------

static void read_map(struct yaml_source *source, const yaml_node_t *at, const char *path,
                     const struct file_row *rows, char *into);
static void read_row(struct yaml_source *source, const yaml_node_t *at, const char *path,
                     const struct file_row *row, char *into);

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static void read_value(struct yaml_source *source, const yaml_node_t *at, const char *path,
                       const struct file_row *row, char *field)
{
    char why[WHY_MAX];
    unsigned number;
    *why = '\0';
    if (row->type == VALUE_MAP && at->type == YAML_MAPPING_NODE)
        read_map(source, at, path, row->rows, field);
    else if (row->type == VALUE_MAP && row->words != NULL && at->type == YAML_SCALAR_NODE) {
        if (!find_word(row, yaml_scalar(at), &number, why))
            refuse_value(source, at, path, why);
    } else if (row->type == VALUE_MAP && row->brief && at->type == YAML_SCALAR_NODE) {
        read_value(source, at, path, &row->rows[0], field + row->rows[0].offset);
        for (const struct file_row *absent = row->rows + 1; absent->key != NULL; absent++)
            put_absent(absent, field);
    } else if (row->type == VALUE_MAP)
        refuse_kind(source, at, path, "a mapping, {key: value},");
    else if (at->type != YAML_SCALAR_NODE)
        refuse_kind(source, at, path, "a single value");
    else if ((row->type == VALUE_TEXT || row->type == VALUE_NAME) && is_nothing(at))
        refuse_nothing(source, at, path);
    else if (!put_value(row, yaml_scalar(at), field, why))
        refuse_value(source, at, path, why);
}

// Returns the number of entries.
// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static unsigned read_list(struct yaml_source *source, const yaml_node_t *at, const char *path,
                          const struct file_row *row, size_t size_B, char *first)
{
    if (at->type == YAML_SCALAR_NODE && row->lone) {
        read_value(source, at, path, row, first);
        return 1;
    }
    if (at->type != YAML_SEQUENCE_NODE) {
        refuse_kind(source, at, path, "a list, [value, value],");
        return 0;
    }
    const long given = at->data.sequence.items.top - at->data.sequence.items.start;
    const unsigned count = given > row->most ? row->most : (unsigned)given;
    if (given > row->most || given < row->least)
        yaml_complain_at(source, yaml_node_line(at), path, "a list: %ld entries; give %u to %u",
                         given, row->least, row->most);
    for (unsigned i = 0; i < count; i++)
        read_value(source, yaml_node(source, at->data.sequence.items.start[i]),
                   yaml_key("%s[%u]", path, i).text, row, first + i * size_B);
    file_check_unique(source, path, row, first, count);
    return count;
}

// {NAME: VALUE, ...}. Returns the number of entries.
// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static unsigned read_keyed(struct yaml_source *source, const yaml_node_t *at, const char *path,
                           const struct file_row *row, char *first)
{
    if (at->type != YAML_MAPPING_NODE) {
        refuse_kind(source, at, path, "a mapping, {name: value},");
        return 0;
    }
    const yaml_node_pair_t *pairs = at->data.mapping.pairs.start;
    const long given = at->data.mapping.pairs.top - pairs;
    const unsigned count = given > row->most ? row->most : (unsigned)given;
    if (given > row->most)
        yaml_complain_at(source, yaml_node_line(at), path,
                         "a mapping: %ld entries; give at most %u", given, row->most);
    for (unsigned i = 0; i < count; i++) {
        const yaml_node_t *key = yaml_node(source, pairs[i].key);
        const struct yaml_key inner = yaml_key("%s.%s", path, yaml_scalar(key));
        char *entry = first + i * row->size_B;
        read_value(source, key, inner.text, &row->rows[0], entry + row->rows[0].offset);
        read_row(source, yaml_node(source, pairs[i].value), inner.text, &row->rows[1], entry);
    }
    file_check_unique(source, path, row, first, count);
    return count;
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static void read_range(struct yaml_source *source, const yaml_node_t *at, const char *path,
                       const struct file_row *row, char *field)
{
    double range[2] = {0, 0};
    if (at->type == YAML_SCALAR_NODE) {
        read_value(source, at, path, row, (char *)range);
        range[1] = range[0];
    } else if (read_list(source, at, path, row, sizeof range[0], (char *)range) == 1)
        range[1] = range[0];
    if (range[0] > range[1])
        yaml_complain(source, path, "[%g, %g]: the first is the larger one; swap them", range[0],
                      range[1]);
    memcpy(field, range, sizeof range);
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static void read_row(struct yaml_source *source, const yaml_node_t *at, const char *path,
                     const struct file_row *row, char *into)
{
    if (row->type == VALUE_RANGE) {
        read_range(source, at, path, row, into + row->offset);
    } else if (row->most == 0) {
        read_value(source, at, path, row, into + row->offset);
    } else if (row->keyed) {
        const unsigned count = read_keyed(source, at, path, row, into + row->offset);
        memcpy(into + row->count, &count, sizeof count);
    } else {
        const unsigned count = read_list(source, at, path, row, row->size_B, into + row->offset);
        memcpy(into + row->count, &count, sizeof count);
    }
}

// A key with its value; `seen` has a bit for each row that the map has had before.
// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static void read_pair(struct yaml_source *source, const yaml_node_pair_t *pair, const char *path,
                      const struct file_row *rows, char *into, uint64_t *seen)
{
    const yaml_node_t *key = yaml_node(source, pair->key);
    const struct yaml_key inner = under(path, yaml_scalar(key));
    unsigned i = 0;
    while (rows[i].key != NULL && strcmp(rows[i].key, yaml_scalar(key)) != 0)
        i++;
    const uint64_t bit = UINT64_C(1) << i;
    if (rows[i].key == NULL)
        unknown_key(source, key, inner.text, rows);
    else if (rows[i].type == VALUE_GONE)
        yaml_complain_at(source, yaml_node_line(key), inner.text, "not a key any more; write %s",
                         rows[i].help);
    else if ((*seen & bit) != 0)
        refuse_value(source, key, path, "given twice; keep one of the two");
    else if (rows[i].type != VALUE_FORMAT)
        read_row(source, yaml_node(source, pair->value), inner.text, &rows[i], into);
    *seen |= bit;
}

static void note_line(struct yaml_source *source, const char *path, const struct file_row *row,
                      char *into)
{
    const unsigned line = yaml_line(source, under(path, row->key).text);
    if (row->line != 0)
        memcpy(into + row->line, &line, sizeof line);
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static void read_map(struct yaml_source *source, const yaml_node_t *at, const char *path,
                     const struct file_row *rows, char *into)
{
    uint64_t seen = 0;
    for (const yaml_node_pair_t *pair = at->data.mapping.pairs.start;
         pair < at->data.mapping.pairs.top; pair++)
        read_pair(source, pair, path, rows, into, &seen);
    for (unsigned i = 0; rows[i].key != NULL; i++) {
        if (rows[i].type == VALUE_FORMAT || rows[i].type == VALUE_GONE)
            continue;
        const bool given = (seen >> i & 1) != 0;
        if (!given && rows[i].required)
            missing_key(source, at, path, &rows[i]);
        else if (!given)
            put_absent(&rows[i], into);
        note_line(source, path, &rows[i], into);
    }
}

// A file of another format would be refused key by key. Says once why, and returns false.
static bool is_of_format(struct yaml_source *source, const struct file_row *row)
{
    const yaml_node_t *root = yaml_root(source), *given = NULL;
    if (row->type != VALUE_FORMAT || root == NULL || root->type != YAML_MAPPING_NODE)
        return true;
    for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
         given == NULL && pair < root->data.mapping.pairs.top; pair++)
        if (strcmp(yaml_scalar(yaml_node(source, pair->key)), row->key) == 0)
            given = yaml_node(source, pair->value);
    struct file_row number = {.type = VALUE_WHOLE, .size_B = sizeof(unsigned)};
    unsigned format = 0;
    char why[WHY_MAX];
    if (given == NULL && !row->required)
        return true;
    if (given == NULL)
        yaml_complain_at(source, yaml_node_line(root), row->key,
                         "missing, as in format 1; write `%s: %g`, in which %s", row->key, row->max,
                         row->help);
    else if (given->type != YAML_SCALAR_NODE)
        refuse_kind(source, given, row->key, "a single value");
    else if (!put_value(&number, yaml_scalar(given), &format, why))
        refuse_value(source, given, row->key, why);
    else if (format < row->max)
        yaml_complain_at(source, yaml_node_line(given), row->key,
                         "%u: an earlier format; write `%s: %g`, in which %s", format, row->key,
                         row->max, row->help);
    else if (format > row->max)
        yaml_complain_at(source, yaml_node_line(given), row->key,
                         "%u: a format of later versions; this one reads %g: use a newer ukemi",
                         format, row->max);
    return yaml_status(source) == STATUS_OK;
}

enum status file_load(const char *path, const struct file_row *rows, size_t size_B,
                      file_check *check, void *context, void **file)
{
    const struct file_row whole = {.type = VALUE_MAP, .rows = rows};
    struct yaml_source *source = NULL;
    *file = NULL;
    void *new = calloc(1, size_B);
    enum status status = new == NULL ? STATUS_NO_MEMORY : yaml_open(path, &source);
    if (status == STATUS_OK) {
        if (is_of_format(source, rows))
            read_value(source, yaml_root(source), "", &whole, new);
        status = yaml_status(source);
    }
    if (status == STATUS_OK)
        status = check(source, new, context);
    if (status == STATUS_OK)
        status = yaml_status(source);
    yaml_close(source);
    if (status == STATUS_OK)
        *file = new;
    else
        free(new);
    return status;
}
