// Texts: copies between arrays whose lengths have been checked where the text came in, and plurals.
#pragma once

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Copies `from` into the `size_B` bytes at `to`. A text that does not fit is a bug of ours, and stops
// the program before it harms anything. Real-time safe.
static inline void text_copy(char *to, size_t size_B, const char *from)
{
    size_t length = strlen(from);
    assert(length < size_B);
    memcpy(to, from, length + 1);
}

// What a regular noun has behind it when there are so many: "s", or "" for one. Not to be freed.
static inline const char *text_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}
