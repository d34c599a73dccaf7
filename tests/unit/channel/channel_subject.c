// The channels of src/channel, for the kill driver. Sleeping is clk_wait's, in its stand-alone wall
// mode.
#include "channel_subject.h"

#include "channel_cell.h"

static struct clk *wall;

static void make(size_t frame_size_max_B, unsigned slots)
{
    make_channel(frame_size_max_B, slots);
    unsetenv("UKEMI_CELL"); // for clk_join
    require(clk_join(&wall));
}

static void remove_it(void)
{
    clk_leave(wall);
    remove_channel();
}

static void *open_it(enum channel_role role)
{
    struct channel *channel = NULL;
    require(channel_open_in(test_cell, "c", role, &channel));
    return channel;
}

static void close_it(void *end)
{
    channel_close(end);
}

static void *memory(void *end, size_t *size_B)
{
    struct channel *channel = end;
    *size_B = channel->file_size_B;
    return channel->header;
}

static enum status put(void *end, const void *frame, size_t size_B, instant now)
{
    return channel_put(end, frame, size_B, now);
}

static enum status get(void *end, void *buffer, size_t capacity_B, enum channel_which which,
                       struct channel_frame *info)
{
    return channel_get(end, buffer, capacity_B, which, info);
}

static enum status sleep_on(void *end, int64_t timeout_ns)
{
    struct clk_watch watch = channel_watch(end);
    return clk_wait(wall, &watch, 1, instant_add(clk_now(wall), duration_ns(timeout_ns)));
}

const struct subject channel_subject = {
    .name = "src/channel",
    .make = make,
    .remove = remove_it,
    .open = open_it,
    .close = close_it,
    .memory = memory,
    .put = put,
    .get = get,
    .sleep = sleep_on,
    .readers_write = false,
};
