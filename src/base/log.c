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

// `begin` is cut off if it is too long for the line.
static void __attribute__((format(printf, 2, 0)))
emit(const char *begin, const char *format, va_list arguments)
{
    char line[1024]; // one write per message, so that lines of several processes do not mix
    size_t length = strnlen(begin, sizeof line - 2);
    memcpy(line, begin, length);
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

static void __attribute__((format(printf, 2, 0)))
emit_named(const char *severity, const char *format, va_list arguments)
{
    char begin[256];
    snprintf(begin, sizeof begin, "%s: %s", program, severity);
    emit(begin, format, arguments);
}

void log_at_list(const char *file, unsigned line, const char *format, va_list arguments)
{
    char begin[512];
    snprintf(begin, sizeof begin, "%s:%u: ", file, line);
    emit(begin, format, arguments);
}

void log_at(const char *file, unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_at_list(file, line, format, arguments);
    va_end(arguments);
}

void log_info(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    emit_named("", format, arguments);
    va_end(arguments);
}

void log_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    emit_named("error: ", format, arguments);
    va_end(arguments);
}
