// Copies of texts between arrays whose lengths have been checked where the text came in.
#pragma once

#include <assert.h>
#include <stddef.h>
#include <string.h>

// Copies `from` into the `size_B` bytes at `to`. A text that does not fit is a bug of ours, and stops
// the program before it harms anything. Real-time safe.
static inline void text_copy(char *to, size_t size_B, const char *from)
{
    size_t length = strlen(from);
    assert(length < size_B);
    memcpy(to, from, length + 1);
}
