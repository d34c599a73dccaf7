#include "harness/yaml_source.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/log.h"
#include "base/text.h"

#define KEY_MAX 256
#define MESSAGE_MAX 512

struct yaml_source {
    const char *path;
    const cyaml_schema_value_t *schema;
    void *data;
    unsigned errors;
    bool parsed;
    yaml_document_t document;
    char cyaml_message[MESSAGE_MAX]; // libcyaml's first error line
    unsigned cyaml_line;             // of the innermost place in its backtrace
};

// ---- places in the file ----------------------------------------------------------------------

static yaml_node_t *node(const struct yaml_source *source, int id)
{
    return yaml_document_get_node((yaml_document_t *)&source->document, id);
}

static const char *scalar(const yaml_node_t *n)
{
    return n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : "";
}

// Value of `key` in a mapping; *key_node is the node of the key itself.
static yaml_node_t *mapping_value(const struct yaml_source *source, const yaml_node_t *mapping,
                                  const char *key, size_t length, yaml_node_t **key_node)
{
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        yaml_node_t *found = node(source, pair->key);
        if (strlen(scalar(found)) == length && strncmp(scalar(found), key, length) == 0) {
            *key_node = found;
            return node(source, pair->value);
        }
    }
    return NULL;
}

static yaml_node_t *sequence_entry(const struct yaml_source *source, const yaml_node_t *sequence,
                                   unsigned long index)
{
    long count = sequence->data.sequence.items.top - sequence->data.sequence.items.start;
    return (long)index < count ? node(source, sequence->data.sequence.items.start[index]) : NULL;
}

unsigned yaml_line(const struct yaml_source *source, const char *key)
{
    yaml_node_t *at = yaml_document_get_root_node((yaml_document_t *)&source->document);
    if (at == NULL)
        return 1;
    unsigned line = (unsigned)at->start_mark.line + 1;
    while (*key != '\0') {
        yaml_node_t *next = NULL, *mark = NULL;
        if (*key == '[' && at->type == YAML_SEQUENCE_NODE) {
            char *end;
            mark = next = sequence_entry(source, at, strtoul(key + 1, &end, 10));
            key = *end == ']' ? end + 1 : end;
        } else if (*key != '[' && at->type == YAML_MAPPING_NODE) {
            key += *key == '.';
            size_t length = strcspn(key, ".[");
            next = mapping_value(source, at, key, length, &mark);
            key += length;
        }
        if (next == NULL)
            break;
        line = (unsigned)mark->start_mark.line + 1;
        at = next;
    }
    return line;
}

// ---- complaints ------------------------------------------------------------------------------

static void complain_at(struct yaml_source *source, unsigned line, const char *message)
{
    fprintf(stderr, "%s:%u: %s\n", source->path, line, message);
    source->errors++;
}

void yaml_complain(struct yaml_source *source, const char *key, const char *format, ...)
{
    char message[MESSAGE_MAX];
    int used = snprintf(message, sizeof message, "%s: ", key);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + used, sizeof message - (size_t)used, format, arguments);
    va_end(arguments);
    complain_at(source, yaml_line(source, key), message);
}

bool yaml_check_range(struct yaml_source *source, const char *key, double value, double min,
                      double max)
{
    if (value >= min && value <= max)
        return true;
    yaml_complain(source, key, "%g: out of range; use %g to %g", value, min, max);
    return false;
}

void yaml_copy(struct yaml_source *source, const char *key, const char *text, char *field,
               size_t size)
{
    if (text == NULL)
        text = "";
    if (strlen(text) >= size) {
        yaml_complain(source, key, "%s: too long; use at most %zu characters", text, size - 1);
        return;
    }
    text_copy(field, size, text);
}

enum status yaml_status(const struct yaml_source *source)
{
    return source->errors > 0 ? STATUS_INVALID : STATUS_OK;
}

// ---- keys and numbers, which libcyaml leaves unplaced or half checked -------------------------

static void check_node(struct yaml_source *source, const yaml_node_t *at,
                       const cyaml_schema_value_t *schema, const char *path);

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
    complain_at(source, (unsigned)key->start_mark.line + 1, message);
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the schema, see check_node
static void check_mapping(struct yaml_source *source, const yaml_node_t *at,
                          const cyaml_schema_value_t *schema, const char *path)
{
    for (yaml_node_pair_t *pair = at->data.mapping.pairs.start; pair < at->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *key = node(source, pair->key);
        char inner[KEY_MAX];
        snprintf(inner, sizeof inner, "%s%s%s", path, *path == '\0' ? "" : ".", scalar(key));
        const cyaml_schema_field_t *field = find_field(schema->mapping.fields, scalar(key));
        if (field == NULL)
            unknown_key(source, key, inner, schema->mapping.fields);
        else
            check_node(source, node(source, pair->value), &field->value, inner);
    }
}

static void check_number(struct yaml_source *source, const yaml_node_t *at, const char *path)
{
    char *end;
    const char *text = scalar(at);
    double value = strtod(text, &end);
    if (*text != '\0' && *end == '\0' && isfinite(value))
        return;
    char message[MESSAGE_MAX];
    snprintf(message, sizeof message,
             "%s: %s: not a number; give a plain number, its unit is in the key's name", path,
             text);
    complain_at(source, (unsigned)at->start_mark.line + 1, message);
}

// Bounded by the document and no deeper than the schema: a YAML node is visited once per place it is
// used at; aliases are refused by the schema loader.
// NOLINTNEXTLINE(misc-no-recursion): see above
static void check_node(struct yaml_source *source, const yaml_node_t *at,
                       const cyaml_schema_value_t *schema, const char *path)
{
    if (schema->type == CYAML_MAPPING && at->type == YAML_MAPPING_NODE)
        check_mapping(source, at, schema, path);
    if (schema->type == CYAML_FLOAT && at->type == YAML_SCALAR_NODE)
        check_number(source, at, path);
    if (schema->type != CYAML_SEQUENCE || at->type != YAML_SEQUENCE_NODE)
        return;
    long count = at->data.sequence.items.top - at->data.sequence.items.start;
    for (long i = 0; i < count; i++) {
        char inner[KEY_MAX];
        snprintf(inner, sizeof inner, "%s[%ld]", path, i);
        check_node(source, node(source, at->data.sequence.items.start[i]), schema->sequence.entry,
                   inner);
    }
}

// ---- loading ---------------------------------------------------------------------------------

static void cyaml_says(cyaml_log_t level, void *context, const char *format, va_list arguments)
{
    struct yaml_source *source = context;
    char line[MESSAGE_MAX];
    vsnprintf(line, sizeof line, format, arguments);
    line[strcspn(line, "\n")] = '\0';
    const char *at = strstr(line, "(line: ");
    if (at != NULL && source->cyaml_line == 0)
        source->cyaml_line = (unsigned)strtoul(at + strlen("(line: "), NULL, 10);
    if (level >= CYAML_LOG_ERROR && source->cyaml_message[0] == '\0')
        snprintf(source->cyaml_message, sizeof source->cyaml_message, "%s",
                 strncmp(line, "Load: ", 6) == 0 ? line + 6 : line);
}

static cyaml_config_t cyaml_settings(struct yaml_source *source)
{
    return (cyaml_config_t){.log_fn = cyaml_says,
                            .log_ctx = source,
                            .mem_fn = cyaml_mem,
                            .log_level = CYAML_LOG_WARNING,
                            .flags = CYAML_CFG_NO_ALIAS};
}

static void parse_places(struct yaml_source *source)
{
    FILE *file = fopen(source->path, "rb");
    yaml_parser_t parser;
    if (file == NULL || yaml_parser_initialize(&parser) == 0) {
        complain_at(source, 1, strerror(errno));
        if (file != NULL)
            (void)fclose(file); // only read
        return;
    }
    yaml_parser_set_input_file(&parser, file);
    source->parsed = yaml_parser_load(&parser, &source->document) != 0;
    char message[MESSAGE_MAX];
    if (!source->parsed) {
        snprintf(message, sizeof message, "not YAML: %s; check indentation and brackets",
                 parser.problem);
        complain_at(source, (unsigned)parser.problem_mark.line + 1, message);
    } else if (yaml_document_get_root_node(&source->document) == NULL) {
        complain_at(source, 1, "the file is empty; doc/files.md says what it must hold");
    }
    yaml_parser_delete(&parser);
    (void)fclose(file); // only read
}

static void load_data(struct yaml_source *source)
{
    cyaml_config_t settings = cyaml_settings(source);
    cyaml_err_t error =
        cyaml_load_file(source->path, &settings, source->schema, &source->data, NULL);
    if (error == CYAML_OK && source->data != NULL)
        return;
    char message[2 * MESSAGE_MAX];
    snprintf(message, sizeof message, "%s; doc/files.md lists what belongs here",
             source->cyaml_message[0] != '\0' ? source->cyaml_message : cyaml_strerror(error));
    complain_at(source, source->cyaml_line > 0 ? source->cyaml_line : 1, message);
}

enum status yaml_open(const char *path, const cyaml_schema_value_t *schema,
                      struct yaml_source **source, void **data)
{
    *source = NULL;
    struct yaml_source *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    new->path = path;
    new->schema = schema;
    parse_places(new);
    if (new->errors == 0)
        check_node(new, yaml_document_get_root_node(&new->document), schema, "");
    if (new->errors == 0)
        load_data(new);
    if (new->errors > 0) {
        yaml_close(new);
        return STATUS_INVALID;
    }
    *source = new;
    *data = new->data;
    return STATUS_OK;
}

void yaml_close(struct yaml_source *source)
{
    if (source == NULL)
        return;
    cyaml_config_t settings = cyaml_settings(source);
    if (source->data != NULL)
        cyaml_free(&settings, source->schema, source->data, 0);
    if (source->parsed)
        yaml_document_delete(&source->document);
    free(source);
}
