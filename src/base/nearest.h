// The name that a mistyped word is nearest to: "did you mean ...?". By the least number of letters
// to write, leave out, replace, or swap with their neighbour. Real-time safe.
#pragma once

#include <stddef.h>

#define NEAREST_LENGTH_MAX 64 // longer words and names are near to none
#define NEAREST_HINT_MAX 96

struct nearest {
    const char *word; // the caller's; the rest is 0 before the first try
    const char *name; // the nearest so far, not copied; NULL: none is near enough to be meant
    unsigned distance;
};

// How many letters make one of the other; UINT_MAX: one of them is too long.
unsigned nearest_distance(const char *one, const char *other);

// Takes the name if it is nearer than all before. A third of the word may be wrong, and one letter
// of a short one.
void nearest_try(struct nearest *nearest, const char *name);

// " (did you mean NAME?)", or "" if there is none; for the middle of a message. Returns `hint`.
const char *nearest_hint(const struct nearest *nearest, char hint[NEAREST_HINT_MAX]);
