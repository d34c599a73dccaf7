#include "harness/history/message_text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/history/message_line_private.h"

// NOLINTBEGIN(misc-no-recursion): DEPTH_MAX bounds it

#define SIZE_MAX_B ((size_t)1 << 30)
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

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

static bool read_line(const struct walk *walk, const char *at, struct message_line *line)
{
    char words[96];
    return message_line_read(at, line, words, sizeof words) || fail(walk, at, "%s", words);
}

// ---- sizes --------------------------------------------------------------------------------------

static bool measure(struct walk *walk, const char *at, bool outermost,
                    struct message_layout *layout);

static bool measure_type(struct walk *walk, const char *at, const struct message_line *line,
                         struct message_layout *type)
{
    const struct message_basic *basic = message_basic(line->type);
    if (basic != NULL) {
        *type = (struct message_layout){.size_B = basic->width_B, .align_B = basic->width_B};
        return true;
    }
    const char *nested = message_nested(walk->text, line->type);
    if (nested == NULL)
        return fail(walk, at,
                    "there is no type '%s'; types are bool, byte, char, int8 to uint64, float32, "
                    "float64, and those described below in the text",
                    line->type);
    if (walk->depth == MESSAGE_DEPTH_MAX)
        return fail(walk, at, "types nested more than %d deep", MESSAGE_DEPTH_MAX);
    walk->depth++;
    const bool fine = measure(walk, nested, false, type);
    walk->depth--;
    return fine;
}

static bool add_field(const struct walk *walk, const char *at, const struct message_line *line,
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
    if (line->shape == MESSAGE_SEQUENCE) {
        layout->element_size_B = type->size_B;
        layout->elements_max = line->count;
        return true;
    }
    if (strcmp(line->name, "count") == 0 && strcmp(line->type, "uint32") == 0)
        layout->count_offset_B = layout->size_B;
    layout->size_B += type->size_B * (line->shape == MESSAGE_ARRAY ? line->count : 1);
    return layout->size_B <= SIZE_MAX_B || fail(walk, at, "the message is larger than 1 GiB");
}

static const char *name_on(const char *at, struct message_line *line,
                           struct message_constant *constant)
{
    char words[96];
    if (!message_line_is_blank(at))
        return message_line_read(at, line, words, sizeof words) ? line->name : NULL;
    return message_line_constant(at, constant, words, sizeof words) ? constant->name : NULL;
}

// Of the lines of one type, those up to `at`: a name stands once.
static bool is_new(const struct walk *walk, const char *lines, const char *at)
{
    struct message_line line, other;
    struct message_constant constant, other_constant;
    const char *name = name_on(at, &line, &constant);
    for (; name != NULL && lines < at; lines = message_line_next(lines)) {
        const char *before = name_on(lines, &other, &other_constant);
        if (before != NULL && strcmp(name, before) == 0)
            return fail(walk, at, "'%s' stands here a second time; rename or remove one", name);
    }
    return true;
}

// A line without a field: a comment or a constant.
static bool check_constant(const struct walk *walk, const char *lines, const char *at)
{
    struct message_constant constant;
    char words[96];
    if (!message_line_constant(at, &constant, words, sizeof words) && words[0] != '\0')
        return fail(walk, at, "%s", words);
    return is_new(walk, lines, at);
}

static bool measure(struct walk *walk, const char *at, bool outermost,
                    struct message_layout *layout)
{
    const char *lines = at;
    struct message_line line;
    struct message_layout type = {.align_B = 1};
    *layout = (struct message_layout){.align_B = 1, .count_offset_B = SIZE_MAX};
    for (; *at != '\0' && *at != '='; at = message_line_next(at)) {
        if (message_line_is_blank(at) && !check_constant(walk, lines, at))
            return false;
        if (message_line_is_blank(at))
            continue;
        if (layout->element_size_B != 0)
            return fail(walk, at, "nothing may follow a sequence; move it to the end");
        if (!read_line(walk, at, &line) || !is_new(walk, lines, at) ||
            !measure_type(walk, at, &line, &type) || !add_field(walk, at, &line, &type, layout))
            return false;
        if (line.shape == MESSAGE_SEQUENCE && (!outermost || layout->count_offset_B == SIZE_MAX))
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

// Types are known by their own names, whatever package they are of.
static bool has_each_type_once(const struct walk *walk)
{
    for (const char *at = walk->text; *at != '\0'; at = message_line_next(at)) {
        char type[MESSAGE_NAME_MAX_B];
        const char *name = at + strlen(MESSAGE_TYPE);
        if (strncmp(at, MESSAGE_TYPE, strlen(MESSAGE_TYPE)) != 0)
            continue;
        name += strspn(name, " \t");
        if (message_word(&name, type) && message_nested(walk->text, type) != message_line_next(at))
            return fail(walk, at, "there is another type of this name above; rename one");
    }
    return true;
}

enum status message_measure(const char *text, struct message_layout *layout,
                            struct message_mistake *mistake)
{
    struct walk walk = {.text = text, .mistake = mistake};
    *mistake = (struct message_mistake){0};
    if (strncmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0)
        (void)fail(&walk, text, "begins with a byte order mark; save the file without one");
    return mistake->line == 0 && has_each_type_once(&walk) && measure(&walk, text, true, layout)
               ? STATUS_OK
               : STATUS_INVALID;
}

// ---- fields -------------------------------------------------------------------------------------

struct step { // "wheel[3]" of a path
    char name[MESSAGE_NAME_MAX_B];
    bool indexed, all;
    size_t index;
};

static bool read_step(const char **path, struct step *step)
{
    *step = (struct step){0};
    const char *at = *path;
    if (strchr(at, '/') != NULL || !message_word(&at, step->name))
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
static bool find_step(struct walk *walk, const char *at, const struct step *step,
                      struct message_line *line, struct message_layout *type,
                      struct message_field *field)
{
    struct message_layout layout = {.align_B = 1};
    for (; *at != '\0' && *at != '='; at = message_line_next(at)) {
        if (message_line_is_blank(at))
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

static bool take_index(const struct step *step, const struct message_line *line,
                       const struct message_layout *type, struct message_field *field)
{
    if (step->indexed != (line->shape != MESSAGE_ONE))
        return false;
    if (!step->indexed)
        return true;
    if (step->all) {
        if (field->group != 0 || line->shape != MESSAGE_ARRAY)
            return false;
        field->group = (unsigned)line->count;
        field->stride_B = type->size_B;
        return true;
    }
    field->offset_B += step->index * type->size_B;
    return step->index < MESSAGE_ELEMENTS_MAX && (line->count == 0 || step->index < line->count);
}

bool message_find(const char *text, const char *path, struct message_field *field)
{
    struct walk walk = {.text = text};
    const char *at = text;
    struct message_line line;
    struct message_layout type = {.align_B = 1};
    *field = (struct message_field){0};
    for (struct step step; read_step(&path, &step);) {
        if (at == NULL || !find_step(&walk, at, &step, &line, &type, field) ||
            !take_index(&step, &line, &type, field))
            return false;
        const struct message_basic *basic = message_basic(line.type);
        if (*path == '\0') {
            if (basic == NULL)
                return false;
            field->kind = basic->kind;
            field->width_B = basic->width_B;
            return true;
        }
        path++; // '.'
        at = basic == NULL ? message_nested(text, line.type) : NULL;
    }
    return false;
}

struct visiting {
    struct walk walk;
    size_t elements_max;
    message_visit *visit;
    void *context;
    bool sequence; // its first element, and nothing else
};

static void visit_lines(struct visiting *v, const char *at, const char *prefix, size_t offset_B);

// One element of a line's.
static void visit_element(struct visiting *v, const struct message_line *line, const char *path,
                          size_t offset_B)
{
    const struct message_basic *basic = message_basic(line->type);
    const char *nested = basic != NULL ? NULL : message_nested(v->walk.text, line->type);
    if (basic != NULL)
        v->visit(v->context, path,
                 &(struct message_field){
                     .offset_B = offset_B, .kind = basic->kind, .width_B = basic->width_B});
    else if (nested != NULL && v->walk.depth < MESSAGE_DEPTH_MAX) {
        v->walk.depth++;
        visit_lines(v, nested, path, offset_B);
        v->walk.depth--;
    }
}

static void visit_line(struct visiting *v, const struct message_line *line,
                       const struct message_layout *type, const char *prefix, size_t offset_B)
{
    char path[MESSAGE_PATH_MAX];
    const size_t count = line->shape == MESSAGE_ARRAY ? line->count : 1;
    const char *dot = prefix[0] == '\0' ? "" : ".";
    const bool wanted = (line->shape == MESSAGE_SEQUENCE) == v->sequence;
    if (!wanted || count > v->elements_max)
        return;
    v->sequence = false; // nor is there one within it
    for (size_t i = 0; i < count; i++) {
        const int length =
            line->shape != MESSAGE_ONE
                ? snprintf(path, sizeof path, "%s%s%s[%zu]", prefix, dot, line->name, i)
                : snprintf(path, sizeof path, "%s%s%s", prefix, dot, line->name);
        if (length > 0 && (size_t)length < sizeof path)
            visit_element(v, line, path, offset_B + i * type->size_B);
    }
    v->sequence = line->shape == MESSAGE_SEQUENCE;
}

static void visit_lines(struct visiting *v, const char *at, const char *prefix, size_t offset_B)
{
    struct message_line line;
    struct message_layout type = {.align_B = 1}, layout = {.align_B = 1};
    for (; *at != '\0' && *at != '='; at = message_line_next(at)) {
        if (message_line_is_blank(at))
            continue;
        if (!read_line(&v->walk, at, &line) || !measure_type(&v->walk, at, &line, &type))
            return;
        visit_line(v, &line, &type, prefix, offset_B + layout.size_B);
        if (!add_field(&v->walk, at, &line, &type, &layout))
            return;
    }
}

void message_each(const char *text, size_t elements_max, message_visit *visit, void *context)
{
    struct visiting visiting = {{.text = text}, elements_max, visit, context, false};
    visit_lines(&visiting, text, "", 0);
}

void message_each_of_sequence(const char *text, size_t elements_max, message_visit *visit,
                              void *context)
{
    struct visiting visiting = {{.text = text}, elements_max, visit, context, true};
    visit_lines(&visiting, text, "", 0);
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
