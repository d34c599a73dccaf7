#include "harness/history/message_line_private.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

static bool is_constant(const char *at)
{
    const size_t length = strcspn(at, "=#\n");
    return at[length] == '=' && length > 0 && at[length - 1] != '<';
}

bool message_line_is_blank(const char *at)
{
    at = skip_blanks(at);
    return *at == '\0' || *at == '\n' || *at == '#' || is_constant(at);
}

static bool holds_whole(const struct message_basic *basic, const char *value, const char *end)
{
    const unsigned bits = 8 * basic->width_B;
    char *behind;
    errno = 0;
    if (basic->kind == 'u') {
        const unsigned long long number = strtoull(value, &behind, 0);
        return behind == end && errno == 0 && *value != '-' && (bits == 64 || number >> bits == 0);
    }
    const long long number = strtoll(value, &behind, 0);
    const long long most = (long long)(UINT64_MAX >> (65 - bits));
    return behind == end && errno == 0 && number <= most && number >= -most - 1;
}

int message_truth(const struct message_constant *constant)
{
    static const char *const words[] = {"false", "true"};
    for (int i = 0; i < 2; i++)
        if (constant->length == strlen(words[i]) &&
            strncasecmp(constant->value, words[i], constant->length) == 0)
            return i;
    return -1;
}

static bool holds(const struct message_basic *basic, const struct message_constant *constant)
{
    const char *end = constant->value + constant->length;
    char *behind;
    if (constant->length == 0)
        return false;
    if (strcmp(basic->name, "bool") == 0 && message_truth(constant) >= 0)
        return true;
    if (basic->kind != 'f')
        return holds_whole(basic, constant->value, end);
    return isfinite(strtod(constant->value, &behind)) && behind == end;
}

bool message_line_constant(const char *at, struct message_constant *constant, char *words,
                           size_t size)
{
    *words = '\0';
    at = skip_blanks(at);
    if (*at == '#' || !is_constant(at))
        return false;
    if (!message_word(&at, constant->type) || !message_word(&at, constant->name) || *at != '=') {
        snprintf(words, size, "this is not a constant; write TYPE NAME=VALUE");
        return false;
    }
    constant->value = skip_blanks(at + 1);
    constant->length = strcspn(constant->value, "#\n");
    while (constant->length > 0 && strchr(" \t\r", constant->value[constant->length - 1]) != NULL)
        constant->length--;
    const struct message_basic *basic = message_basic(constant->type);
    if (basic != NULL && holds(basic, constant))
        return true;
    if (strcmp(constant->type, "string") != 0 && strcmp(constant->type, "wstring") != 0)
        snprintf(words, size, "'%.*s' is no value of a constant of type '%.20s'; correct it",
                 constant->length < 20 ? (int)constant->length : 20, constant->value,
                 constant->type);
    return false;
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
    if (strchr(line->name, '/') != NULL || isdigit((unsigned char)line->name[0])) {
        snprintf(words, size,
                 "'%.20s' is no name of a field; use letters, digits and _, and begin "
                 "with a letter",
                 line->name);
        return false;
    }
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
        const char *rest = at + strlen(MESSAGE_TYPE);
        if (strncmp(at, MESSAGE_TYPE, strlen(MESSAGE_TYPE)) != 0)
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
