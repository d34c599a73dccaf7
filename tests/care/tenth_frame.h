// A daemon that makes a mistake with a block of memory when it sends its tenth frame. Linked with
// --wrap=channel_put.
#pragma once

#include <stdlib.h>
#include <string.h>

#include "tests/canaries/hubo2/put.h"

// The block has `size` bytes, all 0.
static void mistake(char *volatile *block, size_t size);

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
        mistake(&block, size);
    }
    return __real_channel_put(channel, frame, size_B, now);
}
