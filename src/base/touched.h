// Zeroed memory whose pages are there at once: none is missing at the first use, in a real-time
// loop. NULL: there is none. To be freed with free. Not real-time.
#pragma once

#include <stdlib.h>

#define TOUCHED_PAGE_B 4096

static inline void *touched_alloc(size_t count, size_t size_B)
{
    volatile char *memory = calloc(count, size_B);
    for (size_t i = 0; memory != NULL && i < count * size_B; i += TOUCHED_PAGE_B)
        memory[i] = 0;
    return (void *)memory;
}
