#include "faults/arguments.h"

#include <stdlib.h>
#include <string.h>

const char *argument_text(const struct arguments *arguments, const char *key, const char *fallback)
{
    const size_t length = strlen(key);
    for (int i = 0; i < arguments->count; i++)
        if (strncmp(arguments->word[i], key, length) == 0 && arguments->word[i][length] == '=')
            return arguments->word[i] + length + 1;
    return fallback;
}

double argument_number(const struct arguments *arguments, const char *key, double fallback)
{
    const char *value = argument_text(arguments, key, NULL);
    return value == NULL ? fallback : strtod(value, NULL);
}
