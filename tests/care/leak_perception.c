// Canary of a sanitizer build: the Perception daemon, except that it loses a block of memory when it sends its tenth frame: the leak watch must end it,
// and the trial must FAIL. Linked with the real daemon and --wrap=channel_put.
#include <stdlib.h>
#include <string.h>

#include "channel/channel.h"

enum status __real_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now);
enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now);

enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now)
{
    static unsigned puts;
    static volatile size_t size = 64;
    if (++puts == 10) {
        char *volatile block = malloc(size);
        if (block == NULL)
            abort();
        memset(block, 0, size);
        // cppcheck-suppress memleak
        block = NULL; // NOLINT(clang-analyzer-*): what the canary is for
    }
    return __real_channel_put(channel, frame, size_B, now);
}
