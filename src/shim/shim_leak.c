// What cannot be virtual is said, once each, and ends the trial: never a silent leak.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shim/shim.h"

#define LEAKS_MAX 16
#define WORDS_B 64 // as in struct io_message

static bool said_before(const char *words)
{
    static char said[LEAKS_MAX][WORDS_B];
    static unsigned count;
    for (unsigned i = 0; i < count; i++)
        if (strcmp(said[i], words) == 0)
            return true;
    if (count == LEAKS_MAX)
        return true;
    memcpy(said[count++], words, WORDS_B);
    return false;
}

void shim_leak(const char *format, ...)
{
    char words[WORDS_B] = "", line[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (said_before(words))
        return;
    const int length =
        snprintf(line, sizeof line, "ukemi-shim: %s: not virtual: %s\n", shim.name, words);
    KERNEL(SYS_write, STDERR_FILENO, line, length);
    if (shim.clk != NULL)
        shim_record_words(words);
}
