// What a fault's program is told by the lab: key=value words of its command line.
#pragma once

struct arguments {
    int count;
    char *const *word; // "key=value"; owned by main
};

// Value of `key`, or NULL if the lab did not say it: this kind of fault has no such parameter. All
// defaults are in faults/*.yaml.
const char *argument_find(const struct arguments *arguments, const char *key);

// The value of one that this kind has. Without it the program says so, and ends with 2.
const char *argument_text(const struct arguments *arguments, const char *key);

// The same as a number, which may be written 0x60; the lab has checked its range.
double argument_number(const struct arguments *arguments, const char *key);
