// Texts: copies between arrays whose lengths have been checked where the text came in, plurals, and
// texts of strangers on a terminal.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"

// Copies `from` into the `size_B` bytes at `to`. A text that does not fit is a bug of ours, and
// stops the program before it harms anything. Real-time safe.
static inline void text_copy(char *to, size_t size_B, const char *from)
{
    size_t length = strlen(from);
    invariant(length < size_B);
    memcpy(to, from, length + 1);
}

// What a regular noun has behind it when there are so many: "s", or "" for one. Not to be freed.
static inline const char *text_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

// Adds to a text in `size_B` bytes, as far as it fits.
void text_add(char *text, size_t size_B, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Prints text that a stranger may have chosen, such as the last words of a target: only what shows
// itself comes through. What speaks to a terminal (control characters, also those above 0x7F),
// hides or reorders text, or is not UTF-8 becomes '?'; a newline becomes `newline`, so that no
// line can pass for one of ours, and one at the end is left out. Errors are the stream's. Not
// real-time.
void text_print(FILE *out, const char *text, const char *newline);

// The same in place; a newline becomes a space. Real-time safe.
void text_clean(char *text);
