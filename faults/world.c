#include "faults/world.h"

#include <stdio.h>

#include "channel/channel.h"

uint64_t world_mark(const struct fault_asked *asked, bool undone)
{
    return 2 * (uint64_t)asked->tag + 2 + undone;
}

static bool refused(const char *channel, enum status status)
{
    fprintf(stderr, "channel %s: %s; the target's world has no such thing\n", channel,
            status_text(status));
    return false;
}

bool world_look(const struct fault_asked *asked, const char *channel, void *message, size_t size_B,
                bool *told)
{
    struct channel *opened;
    const enum status status = channel_open_in(asked->cell, channel, CHANNEL_READ, &opened);
    if (status != STATUS_OK)
        return refused(channel, status);
    const enum status got = channel_get(opened, message, size_B, CHANNEL_LAST, NULL);
    channel_close(opened);
    *told = got == STATUS_OK || got == STATUS_MISSED;
    return true;
}

bool world_tell(const struct fault_asked *asked, const char *channel, const void *message,
                size_t size_B, instant t)
{
    struct channel *opened;
    enum status status = channel_open_in(asked->cell, channel, CHANNEL_WRITE, &opened);
    if (status == STATUS_OK) {
        status = channel_put(opened, message, size_B, t);
        channel_close(opened);
    }
    return status == STATUS_OK || refused(channel, status);
}
