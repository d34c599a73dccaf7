#include "harness/yaml_source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

#include "base/file_kind.h"
#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"

#define KEY_MAX 256
#define MESSAGE_MAX 2048 // holds a key, two texts as long as a schema allows, and the remedy
#define SHOWN_MAX 48     // of a value that no schema has bounded yet
#define FILE_MAX_B (4 << 20)
#define DEPTH_MAX 32 // of nesting; libyaml's time grows with its square

struct yaml_source {
    const char *path;
    const cyaml_schema_value_t *schema;
    char *text; // the file
    size_t size_B;
    void *data;
    unsigned errors;
    bool no_memory; // a failure of ours, not a mistake in the file
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

// `text` as a message shows it: its beginning, without control characters.
static const char *shown(const char *text, char copy[SHOWN_MAX + 4])
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

static void complain_at(struct yaml_source *source, unsigned line, const char *message)
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
        yaml_complain(source, key, "%s: too long; use at most %zu characters", shown(text, copy),
                      size - 1);
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

// The value of a node as a message names it.
static const char *value_words(const yaml_node_t *at, char copy[SHOWN_MAX + 4])
{
    if (at->type != YAML_SCALAR_NODE)
        return at->type == YAML_MAPPING_NODE ? "a mapping" : "a list";
    return *scalar(at) == '\0' ? "nothing" : shown(scalar(at), copy);
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
    complain_at(source, (unsigned)at->start_mark.line + 1, message);
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
    const char *text = scalar(at);
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
    const char *text = scalar(at);
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
    if (strcmp(scalar(at), "true") != 0 && strcmp(scalar(at), "false") != 0)
        refuse_value(source, at, path, "neither true nor false; write one of these two");
}

static void check_word(struct yaml_source *source, const yaml_node_t *at,
                       const cyaml_schema_value_t *schema, const char *path)
{
    char known[KEY_MAX] = "";
    for (uint32_t i = 0; i < schema->enumeration.count; i++) {
        const char *word = schema->enumeration.strings[i].str;
        if (strcmp(scalar(at), word) == 0)
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
    refuse_value(source, at, path, "%s belongs here; doc/files.md says what it holds",
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
        check_node(source, node(source, at->data.sequence.items.start[i]), schema->sequence.entry,
                   inner);
    }
}

// Bounded by the document and no deeper than the schema: a YAML node is visited once per place it is
// used at; aliases are refused by the schema loader.
// NOLINTNEXTLINE(misc-no-recursion): see above
static void check_node(struct yaml_source *source, const yaml_node_t *at,
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

// The file's bytes. Complains, or sets no_memory.
static void read_file(struct yaml_source *source)
{
    char message[128];
    struct stat about;
    const int file = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // nor wait for a pipe
    if (file < 0 || fstat(file, &about) != 0) {
        (void)trouble_note(errno);
        snprintf(message, sizeof message, "cannot be read: %s; name another file", strerror(errno));
        complain_at(source, 1, message);
    } else if (!S_ISREG(about.st_mode)) {
        const char *special = file_special(source->path);
        complain_at(source, 1,
                    special != NULL ? special : "is a folder; name a file with YAML in it");
    } else if (about.st_size > FILE_MAX_B) {
        snprintf(message, sizeof message, "%lld bytes: too large; such a file has at most %d",
                 (long long)about.st_size, FILE_MAX_B);
        complain_at(source, 1, message);
    } else if ((source->text = malloc((size_t)about.st_size + 1)) == NULL) {
        source->no_memory = trouble_note(ENOMEM);
    } else {
        ssize_t got = 0;
        while (source->size_B < (size_t)about.st_size &&
               (got = read(file, source->text + source->size_B,
                           (size_t)about.st_size - source->size_B)) > 0)
            source->size_B += (size_t)got;
        if (got < 0 && trouble_note(errno))
            complain_at(source, 1, strerror(errno));
    }
    if (file >= 0)
        (void)close(file); // only read
}

// A parser on the file's text, for the caller to delete. false: out of memory.
static bool begin_parsing(struct yaml_source *source, yaml_parser_t *parser)
{
    source->no_memory = yaml_parser_initialize(parser) == 0 && trouble_note(ENOMEM);
    if (!source->no_memory)
        yaml_parser_set_input_string(parser, (const unsigned char *)source->text, source->size_B);
    return !source->no_memory;
}

// What libyaml could not read, with the line.
static void complain_of_yaml(struct yaml_source *source, const yaml_parser_t *parser)
{
    char message[MESSAGE_MAX];
    size_t line = parser->problem_mark.line + 1;
    if (parser->error == YAML_MEMORY_ERROR) {
        source->no_memory = trouble_note(ENOMEM);
        return;
    }
    if (parser->error == YAML_READER_ERROR) { // which knows the byte, but no line
        line = 1;
        for (size_t i = 0; i < parser->problem_offset && i < source->size_B; i++)
            line += source->text[i] == '\n';
    }
    snprintf(message, sizeof message, "not YAML: %s; check indentation, brackets and characters",
             parser->problem != NULL ? parser->problem : "cannot be understood");
    complain_at(source, (unsigned)line, message);
}

// Whether a text is printable to its end: no zero, no newline, nothing that speaks to a terminal.
static bool printable(const unsigned char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const bool c1 = text[i] == 0xC2 && i + 1 < length && text[i + 1] < 0xA0; // U+0080..9F
        const bool line = text[i] == 0xE2 && i + 2 < length && text[i + 1] == 0x80 &&
                          (text[i + 2] == 0xA8 || text[i + 2] == 0xA9); // U+2028, U+2029
        if (text[i] < ' ' || text[i] == 0x7f || c1 || line)
            return false;
    }
    return true;
}

struct survey { // of a file's events
    unsigned depth, documents;
};

// Looks at one event. false: complained, look no further.
static bool survey_event(struct yaml_source *source, const yaml_event_t *event,
                         struct survey *survey)
{
    const char *wrong = NULL;
    char copy[SHOWN_MAX + 4], message[2 * SHOWN_MAX + 160];
    if (event->type == YAML_DOCUMENT_START_EVENT && ++survey->documents > 1)
        wrong = "a second document; write one document a file, without ---";
    else if (event->type == YAML_ALIAS_EVENT)
        wrong = "an alias, *name; write the value itself";
    else if ((event->type == YAML_MAPPING_START_EVENT ||
              event->type == YAML_SEQUENCE_START_EVENT) &&
             ++survey->depth > DEPTH_MAX)
        wrong = "nested too deeply; doc/files.md says what belongs here";
    else if (event->type == YAML_MAPPING_END_EVENT || event->type == YAML_SEQUENCE_END_EVENT)
        survey->depth--;
    else if (event->type == YAML_SCALAR_EVENT &&
             !printable(event->data.scalar.value, event->data.scalar.length)) {
        snprintf(
            message, sizeof message,
            "%s: a line break or control character in it; use printable characters in one line",
            shown((const char *)event->data.scalar.value, copy));
        wrong = message;
    }
    if (wrong != NULL)
        complain_at(source, (unsigned)event->start_mark.line + 1, wrong);
    return wrong == NULL;
}

// What no file may hold, whatever its schema, before anything is made of it.
static void survey_file(struct yaml_source *source)
{
    yaml_parser_t parser;
    struct survey survey = {0};
    if (!begin_parsing(source, &parser))
        return;
    for (bool more = true; more;) {
        yaml_event_t event;
        if (yaml_parser_parse(&parser, &event) == 0) {
            complain_of_yaml(source, &parser);
            break;
        }
        more = survey_event(source, &event, &survey) && event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}

static void parse_places(struct yaml_source *source)
{
    yaml_parser_t parser;
    if (!begin_parsing(source, &parser))
        return;
    source->parsed = yaml_parser_load(&parser, &source->document) != 0;
    if (!source->parsed)
        complain_of_yaml(source, &parser);
    else if (yaml_document_get_root_node(&source->document) == NULL)
        complain_at(source, 1, "the file is empty; doc/files.md says what it must hold");
    yaml_parser_delete(&parser);
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
    snprintf(message, sizeof message, "%s; doc/files.md lists what belongs here",
             source->cyaml_message[0] != '\0' ? source->cyaml_message : cyaml_strerror(error));
    complain_at(source, source->cyaml_line > 0 ? source->cyaml_line : 1, message);
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
    read_file(new);
    if (good_so_far(new))
        survey_file(new);
    if (good_so_far(new))
        parse_places(new);
    if (good_so_far(new))
        check_node(new, yaml_document_get_root_node(&new->document), schema, "");
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
