// Messages for people, on standard error. Never call these from a real-time path. What they quote
// of files and targets reaches the terminal without control characters.
#pragma once

#include <stdarg.h>

// Sets the program name that prefixes every message. `name` must stay valid (argv[0] does).
void log_program(const char *name);

// "program: message\n" on standard error, as one write.
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

// "program: error: message\n" on standard error, as one write.
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

// "file:line: message\n", of what is wrong in a file, as one write.
void log_at(const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void log_at_list(const char *file, unsigned line, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
