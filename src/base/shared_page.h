// A page that processes of a cell share: the file CELL/FOLDER/NAME of one size, mapped as memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct shared_page {
    const char *cell, *folder, *name;
    size_t size_B;
    bool (*is_sound)(const void *memory); // is this such a page?
};

// Makes the page, which begins with `head_B` bytes at `head` and is 0 otherwise; a page with this
// name is replaced. Nobody ever opens one that is half made. INVALID: its path is too long; SYSTEM.
// Not real-time.
enum status shared_page_create(const struct shared_page *page, const void *head,
                               size_t head_B) MUST_CHECK;
// Maps it; `populate`: touches all of it now. The caller unmaps (munmap). NOT_FOUND; CORRUPT: it
// has another size or is not sound; SYSTEM. Not real-time.
enum status shared_page_map(const struct shared_page *page, bool populate,
                            void **memory) MUST_CHECK;
// Memory of this size that is 0, and this process's alone, to be unmapped as a page. NO_MEMORY.
enum status shared_page_anonymous(size_t size_B, void **memory) MUST_CHECK;
