// Keys, numbers and texts, which libcyaml leaves unplaced or half checked.
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness/files/yaml_private.h"

static const cyaml_schema_field_t *find_field(const cyaml_schema_field_t *fields, const char *key)
{
    for (; fields->key != NULL; fields++)
        if (strcmp(fields->key, key) == 0)
            return fields;
    return NULL;
}

static void unknown_key(struct yaml_source *source, const yaml_node_t *key, const char *path,
                        const cyaml_schema_field_t *fields)
{
    char message[MESSAGE_MAX];
    int used = snprintf(message, sizeof message, "%s: unknown key; use one of:", path);
    for (; fields->key != NULL && used < MESSAGE_MAX; fields++)
        used += snprintf(message + used, sizeof message - (size_t)used, " %s", fields->key);
    yaml_complain_at(source, (unsigned)key->start_mark.line + 1, message);
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the schema, see check_node
static void check_mapping(struct yaml_source *source, const yaml_node_t *at,
                          const cyaml_schema_value_t *schema, const char *path)
{
    for (yaml_node_pair_t *pair = at->data.mapping.pairs.start; pair < at->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *key = yaml_node(source, pair->key);
        char inner[KEY_MAX];
        snprintf(inner, sizeof inner, "%s%s%s", path, *path == '\0' ? "" : ".", yaml_scalar(key));
        const cyaml_schema_field_t *field = find_field(schema->mapping.fields, yaml_scalar(key));
        if (field == NULL)
            unknown_key(source, key, inner, schema->mapping.fields);
        else
            yaml_check_node(source, yaml_node(source, pair->value), &field->value, inner);
    }
}

// The value of a node as a message names it.
static const char *value_words(const yaml_node_t *at, char copy[SHOWN_MAX + 4])
{
    if (at->type != YAML_SCALAR_NODE)
        return at->type == YAML_MAPPING_NODE ? "a mapping" : "a list";
    return *yaml_scalar(at) == '\0' ? "nothing" : yaml_shown(yaml_scalar(at), copy);
}

__attribute__((format(printf, 4, 5))) static void refuse_value(struct yaml_source *source,
                                                               const yaml_node_t *at,
                                                               const char *path, const char *format,
                                                               ...)
{
    char message[MESSAGE_MAX], copy[SHOWN_MAX + 4];
    int used = snprintf(message, sizeof message, "%s: %s: ", path, value_words(at, copy));
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + used, sizeof message - (size_t)used, format, arguments);
    va_end(arguments);
    yaml_complain_at(source, (unsigned)at->start_mark.line + 1, message);
}

// Some read a number that begins with 0 as octal: it is nobody's intention.
static bool octal(const char *text)
{
    text += *text == '-' || *text == '+';
    return text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

static void check_real(struct yaml_source *source, const yaml_node_t *at, const char *path)
{
    char *end;
    const char *text = yaml_scalar(at);
    double value = strtod(text, &end);
    if (*text != '\0' && text[strspn(text, "+-.0123456789eE")] == '\0' && *end == '\0' &&
        isfinite(value) && !octal(text))
        return;
    refuse_value(source, at, path,
                 "not a number; give a plain number, its unit is in the key's name");
}

static void check_whole(struct yaml_source *source, const yaml_node_t *at,
                        const cyaml_schema_value_t *schema, const char *path)
{
    const char *text = yaml_scalar(at);
    const bool is_signed = schema->type == CYAML_INT;
    const size_t sign = is_signed && *text == '-';
    const unsigned bits = 8 * (unsigned)schema->data_size - is_signed;
    const uint64_t most = UINT64_MAX >> (64 - bits);
    errno = 0;
    const uint64_t value = strtoull(text + sign, NULL, 10);
    if (text[sign] == '\0' || text[sign + strspn(text + sign, "0123456789")] != '\0' || octal(text))
        refuse_value(source, at, path, "not a whole number%s; write digits alone, as in 20",
                     is_signed ? "" : " from 0 on");
    else if (errno == ERANGE || value > most)
        refuse_value(source, at, path, "too large; use at most %llu", (unsigned long long)most);
}

static void check_truth(struct yaml_source *source, const yaml_node_t *at, const char *path)
{
    if (strcmp(yaml_scalar(at), "true") != 0 && strcmp(yaml_scalar(at), "false") != 0)
        refuse_value(source, at, path, "neither true nor false; write one of these two");
}

static void check_word(struct yaml_source *source, const yaml_node_t *at,
                       const cyaml_schema_value_t *schema, const char *path)
{
    char known[KEY_MAX] = "";
    for (uint32_t i = 0; i < schema->enumeration.count; i++) {
        const char *word = schema->enumeration.strings[i].str;
        if (strcmp(yaml_scalar(at), word) == 0)
            return;
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, " %s", word);
    }
    refuse_value(source, at, path, "no such word; use one of:%s", known);
}

static void check_text(struct yaml_source *source, const yaml_node_t *at,
                       const cyaml_schema_value_t *schema, const char *path)
{
    const uint32_t most = schema->string.max;
    if (at->data.scalar.length > most)
        refuse_value(source, at, path, "too long; use at most %u characters", most);
    else if (at->data.scalar.length < schema->string.min)
        refuse_value(source, at, path, "too short; use at least %u character%s", schema->string.min,
                     text_plural(schema->string.min));
}

// Says what belongs in place of `at`, which is of another kind.
static void refuse_kind(struct yaml_source *source, const yaml_node_t *at, cyaml_type_e type,
                        const char *path)
{
    refuse_value(source, at, path, "%s belongs here; doc/reference/files.md says what it holds",
                 type == CYAML_MAPPING    ? "a mapping, {key: value},"
                 : type == CYAML_SEQUENCE ? "a list, [value, value],"
                                          : "a single value");
}

static void check_scalar(struct yaml_source *source, const yaml_node_t *at,
                         const cyaml_schema_value_t *schema, const char *path)
{
    switch (schema->type) {
    case CYAML_FLOAT:
        check_real(source, at, path);
        return;
    case CYAML_INT:
    case CYAML_UINT:
        check_whole(source, at, schema, path);
        return;
    case CYAML_BOOL:
        check_truth(source, at, path);
        return;
    case CYAML_ENUM:
        check_word(source, at, schema, path);
        return;
    case CYAML_STRING:
        check_text(source, at, schema, path);
        return;
    default:
        refuse_kind(source, at, schema->type, path);
    }
}

// NOLINTNEXTLINE(misc-no-recursion): see check_node
static void check_sequence(struct yaml_source *source, const yaml_node_t *at,
                           const cyaml_schema_value_t *schema, const char *path)
{
    const long count = at->data.sequence.items.top - at->data.sequence.items.start;
    if (count < schema->sequence.min || count > schema->sequence.max)
        refuse_value(source, at, path, "%ld entries; give %u to %u", count, schema->sequence.min,
                     schema->sequence.max);
    for (long i = 0; i < count && i < schema->sequence.max; i++) {
        char inner[KEY_MAX];
        snprintf(inner, sizeof inner, "%s[%ld]", path, i);
        yaml_check_node(source, yaml_node(source, at->data.sequence.items.start[i]),
                        schema->sequence.entry, inner);
    }
}

// Bounded by the document and no deeper than the schema: a YAML node is visited once per place it is
// used at; aliases are refused by the schema loader.
// NOLINTNEXTLINE(misc-no-recursion): see above
void yaml_check_node(struct yaml_source *source, const yaml_node_t *at,
                     const cyaml_schema_value_t *schema, const char *path)
{
    if (at->type == YAML_SCALAR_NODE)
        check_scalar(source, at, schema, path);
    else if ((schema->type == CYAML_MAPPING) != (at->type == YAML_MAPPING_NODE) ||
             (schema->type == CYAML_SEQUENCE) != (at->type == YAML_SEQUENCE_NODE))
        refuse_kind(source, at, schema->type, path);
    else if (schema->type == CYAML_MAPPING)
        check_mapping(source, at, schema, path);
    else
        check_sequence(source, at, schema, path);
}
