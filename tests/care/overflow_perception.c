// Canary of a sanitizer build: the Perception daemon, except that it reads beyond a block of
// memory: the address sanitizer must end it, and the trial must FAIL.
#include "tenth_frame.h"

static void mistake(char *volatile *block, size_t size)
{
    if ((*block)[size] != 0) // NOLINT(clang-analyzer-*): what the canary is for
        abort();
    free(*block);
}
