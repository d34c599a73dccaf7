#include "model/arithmetic.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 32

struct reading {
    const struct arithmetic *arithmetic;
    const char *at;
    unsigned depth;
    const char *why; // NULL: all is well so far
};

static double read_sum(struct reading *reading);

static double refuse(struct reading *reading, const char *why)
{
    if (reading->why == NULL)
        reading->why = why;
    return 0;
}

static bool is_name(char c, bool first)
{
    return c == '_' || isalpha((unsigned char)c) || (!first && isdigit((unsigned char)c));
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (is_name(text[length], length == 0))
        length++;
    return length;
}

static const double *find(const struct arithmetic *arithmetic, const char *name, size_t length)
{
    for (size_t i = 0; i < arithmetic->count; i++)
        if (strlen(arithmetic->constant[i].name) == length &&
            memcmp(arithmetic->constant[i].name, name, length) == 0)
            return &arithmetic->constant[i].value;
    return NULL;
}

static void skip_blanks(struct reading *reading)
{
    reading->at += strspn(reading->at, " \t\r\n");
}

static double read_constant(struct reading *reading)
{
    const size_t length = name_length(reading->at);
    const double *value = find(reading->arithmetic, reading->at, length);
    reading->at += length;
    return value != NULL ? *value
                         : refuse(reading, "names no constant; add it to <defines>, or correct it");
}

static double read_number(struct reading *reading)
{
    char *end;
    const bool decimal = isdigit((unsigned char)*reading->at) || *reading->at == '.';
    if (!decimal || (reading->at[0] == '0' && (reading->at[1] | 32) == 'x'))
        return refuse(reading, "is not a number; write for example 0.05 or width / 2");
    const double value = strtod(reading->at, &end);
    if (end == reading->at)
        return refuse(reading, "is not a number; write for example 0.05 or width / 2");
    reading->at = end;
    return value;
}

static double read_parentheses(struct reading *reading) // NOLINT(misc-no-recursion)
{
    reading->at++;
    const double value = read_sum(reading);
    if (*reading->at != ')')
        return refuse(reading, "lacks a closing parenthesis; add it");
    reading->at++;
    return value;
}

static double read_factor(struct reading *reading) // NOLINT(misc-no-recursion)
{
    bool negative = false;
    for (skip_blanks(reading); *reading->at == '-' || *reading->at == '+'; skip_blanks(reading))
        negative ^= *reading->at++ == '-';
    const double value = *reading->at == '('           ? read_parentheses(reading)
                         : is_name(*reading->at, true) ? read_constant(reading)
                                                       : read_number(reading);
    skip_blanks(reading);
    return negative ? -value : value;
}

static double read_product(struct reading *reading) // NOLINT(misc-no-recursion)
{
    double value = read_factor(reading);
    while (reading->why == NULL && (*reading->at == '*' || *reading->at == '/')) {
        const bool divide = *reading->at++ == '/';
        const double factor = read_factor(reading);
        if (divide && factor == 0)
            return refuse(reading, "divides by 0; correct it");
        value = divide ? value / factor : value * factor;
    }
    return value;
}

// Bounded by DEPTH_MAX: the only way back here is a parenthesis.
static double read_sum(struct reading *reading) // NOLINT(misc-no-recursion)
{
    if (++reading->depth > DEPTH_MAX)
        return refuse(reading, "has more than 32 parentheses within each other; use constants");
    double value = read_product(reading);
    while (reading->why == NULL && (*reading->at == '+' || *reading->at == '-')) {
        const double sign = *reading->at++ == '-' ? -1 : 1;
        value += sign * read_product(reading);
    }
    reading->depth--;
    return value;
}

bool arithmetic_define(struct arithmetic *arithmetic, const char *name, double value,
                       const char **why)
{
    const size_t length = name_length(name);
    *why = "is not a name; use letters, digits and _";
    if (length == 0 || name[length] != '\0')
        return false;
    *why = "is too long a name; use at most 31 letters";
    if (length >= ARITHMETIC_NAME_MAX)
        return false;
    *why = "is defined twice; remove one";
    if (find(arithmetic, name, length) != NULL)
        return false;
    *why = "is one constant too many; use at most 128";
    if (arithmetic->count == ARITHMETIC_CONSTANTS_MAX)
        return false;
    memcpy(arithmetic->constant[arithmetic->count].name, name, length + 1);
    arithmetic->constant[arithmetic->count++].value = value;
    return true;
}

bool arithmetic_value(const struct arithmetic *arithmetic, const char *text, double *value,
                      const char **why)
{
    struct reading reading = {arithmetic, text, 0, NULL};
    const double found = read_sum(&reading);
    if (reading.why == NULL && *reading.at != '\0')
        (void)refuse(&reading, "is followed by something else; remove that");
    if (reading.why == NULL && !isfinite(found))
        (void)refuse(&reading, "is too large; use a finite number");
    *why = reading.why;
    if (reading.why == NULL)
        *value = found;
    return reading.why == NULL;
}
