#include <stdarg.h>

#include "base/text.h"
#include "walk/generator/walkgen_private.h"

void walk_note(struct walk_trial *trial, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trial->reason, sizeof trial->reason, format, arguments);
    va_end(arguments);
}

enum status walk_refuse(struct walk_trial *trial, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trial->reason, sizeof trial->reason, format, arguments);
    va_end(arguments);
    return STATUS_INVALID;
}
