#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

static const char *program = "ukemi";

void log_program(const char *name)
{
    const char *slash = strrchr(name, '/');
    program = slash != NULL ? slash + 1 : name;
}

static void __attribute__((format(printf, 2, 0)))
emit(const char *severity, const char *format, va_list arguments)
{
    char line[1024]; // one write per message, so that lines of several processes do not mix
    int used = snprintf(line, sizeof line, "%s: %s", program, severity);
    if (used < 0)
        return;
    size_t length = (size_t)used < sizeof line - 2 ? (size_t)used : sizeof line - 2;
    int more = vsnprintf(line + length, sizeof line - 1 - length, format, arguments);
    if (more > 0)
        length += (size_t)more;
    if (length > sizeof line - 2)
        length = sizeof line - 2;
    line[length] = '\0';
    text_clean(line); // it may quote a file or a target
    line[length++] = '\n';
    ssize_t ignored = write(STDERR_FILENO, line, length);
    (void)ignored;
}

void log_info(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    emit("", format, arguments);
    va_end(arguments);
}

void log_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    emit("error: ", format, arguments);
    va_end(arguments);
}
