// Canary of a sanitizer build: the Perception daemon, except that it loses a block of memory: the
// leak watch must end it, and the trial must FAIL.
#include "tenth_frame.h"

static void mistake(char *volatile *block, size_t size)
{
    (void)size;
    // cppcheck-suppress memleak
    *block = NULL; // NOLINT(clang-analyzer-*): what the canary is for
}
