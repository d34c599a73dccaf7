// A kind of channel as the kill driver (channel_driver.h) sees it, so that the same driver tries
// the channels of src/channel and a lock-based one that it must find wanting (tests/canaries/).
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "channel/channel.h"

struct subject {
    const char *name;
    // Makes the one channel there is, in memory that forked children share; removes it.
    void (*make)(size_t frame_size_max_B, unsigned slots);
    void (*remove)(void);
    // One process's end of it. `memory` is all of the channel's shared memory as mapped there.
    void *(*open)(enum channel_role role);
    void (*close)(void *end);
    void *(*memory)(void *end, size_t *size_B);
    // As channel_put and channel_get.
    enum status (*put)(void *end, const void *frame, size_t size_B, instant now);
    enum status (*get)(void *end, void *buffer, size_t capacity_B, enum channel_which which,
                       struct channel_frame *info);
    // Sleeps until something is unread here (OK), for at most timeout_ns (TIMEOUT).
    enum status (*sleep)(void *end, int64_t timeout_ns);
    bool readers_write; // a get changes shared memory, so that a reader's death may, too
};

extern const struct subject channel_subject; // src/channel
