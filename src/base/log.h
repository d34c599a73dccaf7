// Messages for people, on standard error. Never call these from a real-time path.
#pragma once

// Sets the program name that prefixes every message. `name` must stay valid (argv[0] does).
void log_program(const char *name);

// "program: message\n" on standard error, as one write.
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

// "program: error: message\n" on standard error, as one write.
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
