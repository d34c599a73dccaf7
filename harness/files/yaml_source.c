#include "harness/files/yaml_source.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/files/yaml_private.h"

// ---- places in the file ----------------------------------------------------------------------

yaml_node_t *yaml_node(const struct yaml_source *source, int id)
{
    return yaml_document_get_node((yaml_document_t *)&source->document, id);
}

const char *yaml_scalar(const yaml_node_t *n)
{
    return n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : "";
}

// Value of `key` in a mapping; *key_node is the node of the key itself.
static yaml_node_t *mapping_value(const struct yaml_source *source, const yaml_node_t *mapping,
                                  const char *key, size_t length, yaml_node_t **key_node)
{
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        yaml_node_t *found = yaml_node(source, pair->key);
        if (strlen(yaml_scalar(found)) == length && strncmp(yaml_scalar(found), key, length) == 0) {
            *key_node = found;
            return yaml_node(source, pair->value);
        }
    }
    return NULL;
}

static yaml_node_t *sequence_entry(const struct yaml_source *source, const yaml_node_t *sequence,
                                   unsigned long index)
{
    long count = sequence->data.sequence.items.top - sequence->data.sequence.items.start;
    return (long)index < count ? yaml_node(source, sequence->data.sequence.items.start[index])
                               : NULL;
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

// `text` as a message shows it: its beginning, without control characters.
const char *yaml_shown(const char *text, char copy[SHOWN_MAX + 4])
{
    size_t length = strlen(text);
    bool whole = length <= SHOWN_MAX;
    if (!whole)
        for (length = SHOWN_MAX; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;)
            length--; // not within a character
    snprintf(copy, SHOWN_MAX + 4, "%.*s%s", (int)length, text, whole ? "" : "...");
    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    return copy;
}

void yaml_complain_at(struct yaml_source *source, unsigned line, const char *message)
{
    source->errors++;
    if (trouble_words() != NULL) // it may be as good as ever
        fprintf(stderr, "%s: cannot be read: %s\n", source->path, trouble_words());
    else
        fprintf(stderr, "%s:%u: %s\n", source->path, line, message);
}

void yaml_complain(struct yaml_source *source, const char *key, const char *format, ...)
{
    char message[MESSAGE_MAX];
    int used = snprintf(message, sizeof message, "%s: ", key);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + used, sizeof message - (size_t)used, format, arguments);
    va_end(arguments);
    yaml_complain_at(source, yaml_line(source, key), message);
}

bool yaml_check_range(struct yaml_source *source, const char *key, double value, double min,
                      double max)
{
    if (value >= min && value <= max)
        return true;
    yaml_complain(source, key, "%g: out of range; use %g to %g", value, min, max);
    return false;
}

void yaml_check_name(struct yaml_source *source, const char *key, const char *name)
{
    static const char usual[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (name[strspn(name, usual)] != '\0' || strchr("-_.", name[0]) != NULL)
        yaml_complain(source, key, "'%s': not a name; use letters, digits, '-', '_' and '.'", name);
}

void yaml_copy(struct yaml_source *source, const char *key, const char *text, char *field,
               size_t size)
{
    if (text == NULL)
        text = "";
    if (strlen(text) >= size) {
        char copy[SHOWN_MAX + 4];
        yaml_complain(source, key, "%s: too long; use at most %zu characters",
                      yaml_shown(text, copy), size - 1);
        return;
    }
    text_copy(field, size, text);
}

enum status yaml_status(const struct yaml_source *source)
{
    return source->errors > 0 ? STATUS_INVALID : STATUS_OK;
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

static void *cyaml_memory(void *context, void *old, size_t size)
{
    (void)context;
    if (size > 0)
        return trouble_realloc(old, size);
    free(old);
    return NULL;
}

static cyaml_config_t cyaml_settings(struct yaml_source *source)
{
    return (cyaml_config_t){.log_fn = cyaml_says,
                            .log_ctx = source,
                            .mem_fn = cyaml_memory,
                            .log_level = CYAML_LOG_WARNING,
                            .flags = CYAML_CFG_NO_ALIAS};
}

static void load_data(struct yaml_source *source)
{
    cyaml_config_t settings = cyaml_settings(source);
    cyaml_err_t error = cyaml_load_data((const uint8_t *)source->text, source->size_B, &settings,
                                        source->schema, &source->data, NULL);
    if (error == CYAML_OK && source->data != NULL)
        return;
    // libyaml has just read the same text: it can but lack memory.
    if (error == CYAML_ERR_OOM || error == CYAML_ERR_LIBYAML_PARSER ||
        error == CYAML_ERR_LIBYAML_PARSER_INIT) {
        source->no_memory = trouble_note(ENOMEM);
        return;
    }
    char message[2 * MESSAGE_MAX];
    snprintf(message, sizeof message, "%s; doc/reference/files.md lists what belongs here",
             source->cyaml_message[0] != '\0' ? source->cyaml_message : cyaml_strerror(error));
    yaml_complain_at(source, source->cyaml_line > 0 ? source->cyaml_line : 1, message);
}

static bool good_so_far(const struct yaml_source *source)
{
    return source->errors == 0 && !source->no_memory;
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
    yaml_read_file(new);
    if (good_so_far(new))
        yaml_survey(new);
    if (good_so_far(new))
        yaml_parse_places(new);
    if (good_so_far(new))
        yaml_check_node(new, yaml_document_get_root_node(&new->document), schema, "");
    if (good_so_far(new))
        load_data(new);
    if (!good_so_far(new)) {
        const bool no_memory = new->no_memory;
        yaml_close(new);
        return no_memory ? STATUS_NO_MEMORY : STATUS_INVALID;
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
    free(source->text);
    free(source);
}
