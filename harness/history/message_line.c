#include "harness/history/message_line_private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct message_basic basics[] = {
    {"float64", "double", 'f', 8},  {"float32", "float", 'f', 4},   {"int64", "int64_t", 'i', 8},
    {"uint64", "uint64_t", 'u', 8}, {"int32", "int32_t", 'i', 4},   {"uint32", "uint32_t", 'u', 4},
    {"int16", "int16_t", 'i', 2},   {"uint16", "uint16_t", 'u', 2}, {"int8", "int8_t", 'i', 1},
    {"uint8", "uint8_t", 'u', 1},   {"bool", "uint8_t", 'u', 1},    {"byte", "uint8_t", 'u', 1},
    {"char", "char", 'u', 1}};

const char *message_line_next(const char *at)
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

bool message_word(const char **at, char word[MESSAGE_NAME_MAX_B])
{
    const size_t length = name_length(*at);
    if (length == 0 || length >= MESSAGE_NAME_MAX_B)
        return false;
    snprintf(word, MESSAGE_NAME_MAX_B, "%.*s", (int)length, *at);
    *at = skip_blanks(*at + length);
    return true;
}

// "[3]", "[]", "[<=3]" or nothing.
static bool read_shape(const char **at, struct message_line *line)
{
    line->shape = MESSAGE_ONE;
    if (**at != '[')
        return true;
    const char *inner = *at + 1;
    const bool bounded = strncmp(inner, "<=", 2) == 0;
    char *end;
    inner += bounded ? 2 : 0;
    const bool number = isdigit((unsigned char)*inner);
    line->count = strtoul(inner, &end, 10);
    line->shape = number && !bounded ? MESSAGE_ARRAY : MESSAGE_SEQUENCE;
    if (*end != ']' || (number && (line->count == 0 || line->count > MESSAGE_ELEMENTS_MAX)) ||
        (bounded && !number))
        return false;
    *at = skip_blanks(end + 1);
    return true;
}

// Nothing but a comment, a constant or a blank.
bool message_line_is_blank(const char *at)
{
    at = skip_blanks(at);
    if (*at == '\0' || *at == '\n' || *at == '#')
        return true;
    const size_t length = strcspn(at, "=#\n");
    return at[length] == '=' && strncmp(at + length - 1, "<=", 2) != 0 && at[0] != '=';
}

bool message_line_read(const char *at, struct message_line *line, char *words, size_t size)
{
    *line = (struct message_line){0};
    at = skip_blanks(at);
    if (!message_word(&at, line->type) || !read_shape(&at, line) ||
        !message_word(&at, line->name)) {
        snprintf(words, size, "this is not a field; write TYPE NAME or TYPE[COUNT] NAME");
        return false;
    }
    line->rest = at;
    if (*at == '\0' || *at == '\n' || *at == '#')
        return true;
    snprintf(words, size, "'%.20s' after the field's name; a field has no default value", at);
    return false;
}

const char *message_nested(const char *text, const char *type)
{
    const char *slash = strrchr(type, '/');
    const char *own = slash == NULL ? type : slash + 1;
    for (const char *at = message_line_next(text); *at != '\0'; at = message_line_next(at)) {
        char name[MESSAGE_NAME_MAX_B];
        const char *rest = at + 4;
        if (strncmp(at, "MSG:", 4) != 0)
            continue;
        rest = skip_blanks(rest);
        if (!message_word(&rest, name))
            continue;
        slash = strrchr(name, '/');
        if (strcmp(slash == NULL ? name : slash + 1, own) == 0)
            return message_line_next(at);
    }
    return NULL;
}

const struct message_basic *message_basic(const char *type)
{
    for (size_t i = 0; i < sizeof basics / sizeof basics[0]; i++)
        if (strcmp(basics[i].name, type) == 0)
            return &basics[i];
    return NULL;
}
