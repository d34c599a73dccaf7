#include "faults/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *argument_find(const struct arguments *arguments, const char *key)
{
    const size_t length = strlen(key);
    for (int i = 0; i < arguments->count; i++)
        if (strncmp(arguments->word[i], key, length) == 0 && arguments->word[i][length] == '=')
            return arguments->word[i] + length + 1;
    return NULL;
}

const char *argument_text(const struct arguments *arguments, const char *key)
{
    const char *value = argument_find(arguments, key);
    if (value != NULL)
        return value;
    fprintf(stderr, "%s: missing; give it as %s=VALUE\n", key, key);
    exit(2);
}

double argument_number(const struct arguments *arguments, const char *key)
{
    return strtod(argument_text(arguments, key), NULL);
}
