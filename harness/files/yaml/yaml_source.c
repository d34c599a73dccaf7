#include "harness/files/yaml/yaml_source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/trouble.h"
#include "harness/files/lengths.h"
#include "harness/files/yaml/yaml_private.h"

#define MESSAGE_MAX 8192 // a message is cut off beyond

// ---- places in the file ----------------------------------------------------------------------

yaml_node_t *yaml_root(const struct yaml_source *source)
{
    return yaml_document_get_root_node((yaml_document_t *)&source->document);
}

yaml_node_t *yaml_node(const struct yaml_source *source, int id)
{
    return yaml_document_get_node((yaml_document_t *)&source->document, id);
}

const char *yaml_scalar(const yaml_node_t *n)
{
    return n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : "";
}

unsigned yaml_node_line(const yaml_node_t *n)
{
    return (unsigned)n->start_mark.line + 1;
}

// Value of `key` in a mapping; *key_node is the node of the key itself.
static yaml_node_t *mapping_value(const struct yaml_source *source, const yaml_node_t *mapping,
                                  const char *key, size_t length, const yaml_node_t **key_node)
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

// Follows `key` from the root as far as the file has it. *line is that of the last key, or entry,
// on the way. Returns whether all of it is there.
static bool follow(const struct yaml_source *source, const char *key, unsigned *line)
{
    const yaml_node_t *at = yaml_root(source);
    *line = at == NULL ? 1 : yaml_node_line(at);
    while (at != NULL && *key != '\0') {
        const yaml_node_t *mark = NULL;
        if (*key == '[' && at->type == YAML_SEQUENCE_NODE) {
            char *end;
            mark = at = sequence_entry(source, at, strtoul(key + 1, &end, 10));
            key = *end == ']' ? end + 1 : end;
        } else if (*key != '[' && at->type == YAML_MAPPING_NODE) {
            key += *key == '.';
            size_t length = strcspn(key, ".[");
            at = mapping_value(source, at, key, length, &mark);
            key += length;
        } else {
            at = NULL;
        }
        if (at != NULL)
            *line = yaml_node_line(mark);
    }
    return at != NULL;
}

unsigned yaml_line(const struct yaml_source *source, const char *key)
{
    unsigned line;
    (void)follow(source, key, &line);
    return line;
}

bool yaml_has(const struct yaml_source *source, const char *key)
{
    unsigned line;
    return follow(source, key, &line);
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

__attribute__((format(printf, 4, 0))) static void say(struct yaml_source *source, unsigned line,
                                                      const char *key, const char *format,
                                                      va_list arguments)
{
    source->errors++;
    if (trouble_words() != NULL) { // it may be as good as ever
        fprintf(stderr, "%s: cannot be read: %s\n", source->path, trouble_words());
        return;
    }
    char words[MESSAGE_MAX];
    const int used = snprintf(words, sizeof words, "%s:%u: %s%s", source->path, line, key,
                              *key == '\0' ? "" : ": ");
    if (used >= 0 && (size_t)used < sizeof words)
        vsnprintf(words + used, sizeof words - (size_t)used, format, arguments);
    text_clean(words); // whoever wrote the file, or named it, does not speak to the terminal
    fprintf(stderr, "%s\n", words);
}

void yaml_complain_at(struct yaml_source *source, unsigned line, const char *key,
                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(source, line, key, format, arguments);
    va_end(arguments);
}

void yaml_complain(struct yaml_source *source, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(source, yaml_line(source, key), key, format, arguments);
    va_end(arguments);
}

struct yaml_key yaml_key(const char *format, ...)
{
    struct yaml_key key;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(key.text, sizeof key.text, format, arguments);
    va_end(arguments);
    return key;
}

bool yaml_check_range(struct yaml_source *source, const char *key, double value, double min,
                      double max)
{
    if (value >= min && value <= max)
        return true;
    yaml_complain(source, key, "%.15g: out of range; use %.15g to %.15g", value, min, max);
    return false;
}

void yaml_copy_path(struct yaml_source *source, char *path)
{
    if (strlen(source->path) >= PATH_MAX_LENGTH)
        yaml_complain(source, "", "its path is too long; use at most %d characters",
                      PATH_MAX_LENGTH - 1);
    else
        text_copy(path, PATH_MAX_LENGTH, source->path);
}

enum status yaml_status(const struct yaml_source *source)
{
    return source->errors > 0 ? STATUS_INVALID : STATUS_OK;
}

// ---- loading ---------------------------------------------------------------------------------

enum status yaml_open(const char *path, struct yaml_source **source)
{
    *source = NULL;
    struct yaml_source *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    new->path = path;
    yaml_read_file(new);
    if (new->errors == 0 && !new->no_memory)
        yaml_survey(new);
    if (new->errors == 0 && !new->no_memory)
        yaml_parse_places(new);
    if (new->errors == 0 && !new->no_memory) {
        *source = new;
        return STATUS_OK;
    }
    const enum status status = new->no_memory ? STATUS_NO_MEMORY : STATUS_INVALID;
    yaml_close(new);
    return status;
}

void yaml_close(struct yaml_source *source)
{
    if (source == NULL)
        return;
    if (source->parsed)
        yaml_document_delete(&source->document);
    free(source->text);
    free(source);
}
