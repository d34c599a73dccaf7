#include "harness/history/message_text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// NOLINTBEGIN(misc-no-recursion): DEPTH_MAX bounds it

#define NAME_MAX_B 64
#define DEPTH_MAX 8
#define ELEMENTS_MAX 1000000
#define SIZE_MAX_B ((size_t)1 << 30)

static const struct basic {
    const char *name;
    char kind;
    unsigned width_B;
} basics[] = {{"float64", 'f', 8}, {"float32", 'f', 4}, {"int64", 'i', 8}, {"uint64", 'u', 8},
              {"int32", 'i', 4},   {"uint32", 'u', 4},  {"int16", 'i', 2}, {"uint16", 'u', 2},
              {"int8", 'i', 1},    {"uint8", 'u', 1},   {"bool", 'u', 1},  {"byte", 'u', 1},
              {"char", 'u', 1}};

enum shape { SHAPE_ONE, SHAPE_ARRAY, SHAPE_SEQUENCE };

struct line {
    char type[NAME_MAX_B], name[NAME_MAX_B];
    enum shape shape;
    size_t count; // of an array; of a sequence its bound, 0: none
};

struct walk {
    const char *text;
    struct message_mistake *mistake; // NULL: the text is known to be fine
    unsigned depth;
};

static bool fail(const struct walk *walk, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(const struct walk *walk, const char *at, const char *format, ...)
{
    if (walk->mistake == NULL || walk->mistake->line != 0)
        return false;
    walk->mistake->line = 1;
    for (const char *c = walk->text; c < at; c++)
        walk->mistake->line += *c == '\n';
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(walk->mistake->words, sizeof walk->mistake->words, format, arguments);
    va_end(arguments);
    return false;
}

// ---- lines --------------------------------------------------------------------------------------

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return *at == '\n' ? at + 1 : at;
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '/')
        length++;
    return length;
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r");
}

static bool read_word(const char **at, char word[NAME_MAX_B])
{
    const size_t length = name_length(*at);
    if (length == 0 || length >= NAME_MAX_B)
        return false;
    snprintf(word, NAME_MAX_B, "%.*s", (int)length, *at);
    *at = skip_blanks(*at + length);
    return true;
}

// "[3]", "[]", "[<=3]" or nothing.
static bool read_shape(const char **at, struct line *line)
{
    line->shape = SHAPE_ONE;
    if (**at != '[')
        return true;
    const char *inner = *at + 1;
    const bool bounded = strncmp(inner, "<=", 2) == 0;
    char *end;
    inner += bounded ? 2 : 0;
    const bool number = isdigit((unsigned char)*inner);
    line->count = strtoul(inner, &end, 10);
    line->shape = number && !bounded ? SHAPE_ARRAY : SHAPE_SEQUENCE;
    if (*end != ']' || (number && (line->count == 0 || line->count > ELEMENTS_MAX)) ||
        (bounded && !number))
        return false;
    *at = skip_blanks(end + 1);
    return true;
}

// Nothing but a comment, a constant or a blank.
static bool says_nothing(const char *at)
{
    at = skip_blanks(at);
    if (*at == '\0' || *at == '\n' || *at == '#')
        return true;
    const size_t length = strcspn(at, "=#\n");
    return at[length] == '=' && strncmp(at + length - 1, "<=", 2) != 0 && at[0] != '=';
}

static bool read_line(const struct walk *walk, const char *at, struct line *line)
{
    const char *begin = at;
    *line = (struct line){0};
    at = skip_blanks(at);
    if (!read_word(&at, line->type) || !read_shape(&at, line) || !read_word(&at, line->name))
        return fail(walk, begin, "this is not a field; write TYPE NAME or TYPE[COUNT] NAME");
    if (*at != '\0' && *at != '\n' && *at != '#')
        return fail(walk, begin, "'%.20s' after the field's name; a field has no default value",
                    at);
    return true;
}

// The lines of a nested type; NULL: there is none of this name.
static const char *find_type(const char *text, const char *type)
{
    const char *slash = strrchr(type, '/');
    const char *own = slash == NULL ? type : slash + 1;
    for (const char *at = next_line(text); *at != '\0'; at = next_line(at)) {
        char name[NAME_MAX_B];
        const char *rest = at + 4;
        if (strncmp(at, "MSG:", 4) != 0)
            continue;
        rest = skip_blanks(rest);
        if (!read_word(&rest, name))
            continue;
        slash = strrchr(name, '/');
        if (strcmp(slash == NULL ? name : slash + 1, own) == 0)
            return next_line(at);
    }
    return NULL;
}

static const struct basic *find_basic(const char *type)
{
    for (size_t i = 0; i < sizeof basics / sizeof basics[0]; i++)
        if (strcmp(basics[i].name, type) == 0)
            return &basics[i];
    return NULL;
}

// ---- sizes --------------------------------------------------------------------------------------

static bool measure(struct walk *walk, const char *at, bool outermost,
                    struct message_layout *layout);

static bool measure_type(struct walk *walk, const char *at, const struct line *line,
                         struct message_layout *type)
{
    const struct basic *basic = find_basic(line->type);
    if (basic != NULL) {
        *type = (struct message_layout){.size_B = basic->width_B, .align_B = basic->width_B};
        return true;
    }
    const char *nested = find_type(walk->text, line->type);
    if (nested == NULL)
        return fail(walk, at,
                    "there is no type '%s'; types are bool, byte, char, int8 to uint64, float32, "
                    "float64, and those described below in the text",
                    line->type);
    if (walk->depth == DEPTH_MAX)
        return fail(walk, at, "types nested more than %d deep", DEPTH_MAX);
    walk->depth++;
    const bool fine = measure(walk, nested, false, type);
    walk->depth--;
    return fine;
}

static bool add_field(const struct walk *walk, const char *at, const struct line *line,
                      const struct message_layout *type, struct message_layout *layout)
{
    if (layout->size_B % type->align_B != 0)
        return fail(walk, at,
                    "a C structure would have %zu bytes of padding before '%s'; write them out, as "
                    "in uint8[%zu] padding",
                    type->align_B - layout->size_B % type->align_B, line->name,
                    type->align_B - layout->size_B % type->align_B);
    if (type->align_B > layout->align_B)
        layout->align_B = type->align_B;
    if (line->shape == SHAPE_SEQUENCE) {
        layout->element_size_B = type->size_B;
        layout->elements_max = line->count;
        return true;
    }
    if (strcmp(line->name, "count") == 0 && strcmp(line->type, "uint32") == 0)
        layout->count_offset_B = layout->size_B;
    layout->size_B += type->size_B * (line->shape == SHAPE_ARRAY ? line->count : 1);
    return layout->size_B <= SIZE_MAX_B || fail(walk, at, "the message is larger than 1 GiB");
}

static bool measure(struct walk *walk, const char *at, bool outermost,
                    struct message_layout *layout)
{
    struct line line;
    struct message_layout type = {.align_B = 1};
    *layout = (struct message_layout){.align_B = 1, .count_offset_B = SIZE_MAX};
    for (; *at != '\0' && *at != '='; at = next_line(at)) {
        if (says_nothing(at))
            continue;
        if (layout->element_size_B != 0)
            return fail(walk, at, "nothing may follow a sequence; move it to the end");
        if (!read_line(walk, at, &line) || !measure_type(walk, at, &line, &type) ||
            !add_field(walk, at, &line, &type, layout))
            return false;
        if (line.shape == SHAPE_SEQUENCE && (!outermost || layout->count_offset_B == SIZE_MAX))
            return fail(walk, at, "a sequence ends a message, after a field \"uint32 count\"");
    }
    if (layout->size_B == 0)
        return fail(walk, at, "there is no field");
    if (layout->size_B % layout->align_B != 0)
        return fail(walk, at,
                    "a C structure would have %zu bytes of padding at its end; write them out",
                    layout->align_B - layout->size_B % layout->align_B);
    return true;
}

enum status message_measure(const char *text, struct message_layout *layout,
                            struct message_mistake *mistake)
{
    struct walk walk = {.text = text, .mistake = mistake};
    *mistake = (struct message_mistake){0};
    return measure(&walk, text, true, layout) ? STATUS_OK : STATUS_INVALID;
}

// ---- fields -------------------------------------------------------------------------------------

struct step { // "joint[3]" of a path
    char name[NAME_MAX_B];
    bool indexed, all;
    size_t index;
};

static bool read_step(const char **path, struct step *step)
{
    *step = (struct step){0};
    const char *at = *path;
    if (strchr(at, '/') != NULL || !read_word(&at, step->name))
        return false;
    if (*at == '[') {
        char *end = (char *)at + 2;
        step->indexed = true;
        step->all = at[1] == '*';
        if (!step->all && !isdigit((unsigned char)at[1]))
            return false;
        if (!step->all)
            step->index = strtoul(at + 1, &end, 10);
        if (*end != ']')
            return false;
        at = end + 1;
    }
    *path = at;
    return *at == '\0' || *at == '.';
}

// Finds the step's line; adds what lies before it to the offset.
static bool find_step(struct walk *walk, const char *at, const struct step *step, struct line *line,
                      struct message_layout *type, struct message_field *field)
{
    struct message_layout layout = {.align_B = 1};
    for (; *at != '\0' && *at != '='; at = next_line(at)) {
        if (says_nothing(at))
            continue;
        if (!read_line(walk, at, line) || !measure_type(walk, at, line, type))
            return false;
        if (strcmp(line->name, step->name) == 0) {
            field->offset_B += layout.size_B;
            return true;
        }
        if (!add_field(walk, at, line, type, &layout))
            return false;
    }
    return false;
}

static bool take_index(const struct step *step, const struct line *line,
                       const struct message_layout *type, struct message_field *field)
{
    if (step->indexed != (line->shape != SHAPE_ONE))
        return false;
    if (!step->indexed)
        return true;
    if (step->all) {
        if (field->group != 0 || line->shape != SHAPE_ARRAY)
            return false;
        field->group = (unsigned)line->count;
        field->stride_B = type->size_B;
        return true;
    }
    field->offset_B += step->index * type->size_B;
    return step->index < ELEMENTS_MAX && (line->count == 0 || step->index < line->count);
}

bool message_find(const char *text, const char *path, struct message_field *field)
{
    struct walk walk = {.text = text};
    const char *at = text;
    struct line line;
    struct message_layout type = {.align_B = 1};
    *field = (struct message_field){0};
    for (struct step step; read_step(&path, &step);) {
        if (at == NULL || !find_step(&walk, at, &step, &line, &type, field) ||
            !take_index(&step, &line, &type, field))
            return false;
        const struct basic *basic = find_basic(line.type);
        if (*path == '\0') {
            if (basic == NULL)
                return false;
            field->kind = basic->kind;
            field->width_B = basic->width_B;
            return true;
        }
        path++; // '.'
        at = basic == NULL ? find_type(text, line.type) : NULL;
    }
    return false;
}

double message_value(const struct message_field *field, unsigned element, const void *data,
                     size_t size_B)
{
    union {
        double f8;
        float f4;
        uint64_t u;
    } value = {.u = 0};
    const size_t offset_B = field->offset_B + element * field->stride_B;
    if (offset_B + field->width_B > size_B)
        return NAN;
    memcpy(&value, (const char *)data + offset_B, field->width_B);
    if (field->kind == 'f')
        return field->width_B == 8 ? value.f8 : (double)value.f4;
    if (field->kind == 'u')
        return (double)value.u;
    const unsigned shift = 64 - 8 * field->width_B;
    return (double)((int64_t)(value.u << shift) >> shift);
}
// NOLINTEND(misc-no-recursion)
