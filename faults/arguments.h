// What a fault's program is told by the lab: key=value words of its command line.
#pragma once

struct arguments {
    int count;
    char *const *word; // "key=value"; owned by main
};

// Value of `key`, or `fallback`.
const char *argument_text(const struct arguments *arguments, const char *key, const char *fallback);

// The same as a number, which may be written 0x60; the lab has checked its range.
double argument_number(const struct arguments *arguments, const char *key, double fallback);
