// What the machine itself failed at in this process: it gave no memory, no descriptor, no process,
// or a device failed. Whoever sees that notes it, so that nothing that was read or run meanwhile is
// blamed on the input or on the target.
//
// Kept for the process and its forks. Not real-time; one thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Notes an errno if it means such a failure; returns whether it does. The first one is kept.
bool trouble_note(int error);
// What failed, "out of memory" for example; NULL: nothing did. Static storage.
const char *trouble_words(void);
// In a fork that begins anew.
void trouble_forget(void);

// malloc, realloc and strdup for libraries, some of which take a lack of memory for bad input.
void *trouble_malloc(size_t size);
void *trouble_realloc(void *old, size_t size);
char *trouble_strdup(const char *text);
