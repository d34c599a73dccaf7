// Waiting for a frame and copying it, in one call: so that it can be rehearsed as a whole.
#include "channel/channel.h"
#include "channel/layout.h"

#define REHEARSALS 3 // the processor foresees a branch when it has taken it some times

// What comes when there is nothing to get. Never inlined: a rehearsal must run the very instructions that the wait will.
__attribute__((noinline, noclone)) static enum status
wait_and_get(struct channel *channel, struct clk *clk, struct clk_watch watch, instant deadline,
             void *buffer, size_t capacity_B, enum channel_which which, struct channel_frame *info)
{
    const enum status waited = clk_wait(clk, &watch, 1, deadline);
    return waited == STATUS_OK ? channel_get(channel, buffer, capacity_B, which, info) : waited;
}

// Has the last frame once more, after waits that are over at once, and does not count it as read.
static void rehearse(struct channel *channel, struct clk *clk, struct clk_watch watch, void *buffer,
                     size_t capacity_B, struct channel_frame *info)
{
    const channel_place last = channel->last;
    watch.seen = last + 1; // no place of a frame
    for (int i = 0; i < REHEARSALS; i++) {
        const enum status ignored = wait_and_get(channel, clk, watch, instant_ns(0), buffer,
                                                 capacity_B, CHANNEL_LAST, info);
        (void)ignored;
        channel->last = last;
    }
}

enum status channel_await(struct channel *channel, struct clk *clk, instant deadline, void *buffer,
                          size_t capacity_B, enum channel_which which, struct channel_frame *info)
{
    const enum status status = channel_get(channel, buffer, capacity_B, which, info);
    if (status != STATUS_EMPTY)
        return status;
    const struct clk_watch watch = channel_watch(channel);
    if (clk_spins(clk))
        rehearse(channel, clk, watch, buffer, capacity_B, info);
    return wait_and_get(channel, clk, watch, deadline, buffer, capacity_B, which, info);
}
