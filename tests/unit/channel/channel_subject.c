// The channels of src/channel, for the kill driver. Sleeping is clk_wait's, in its stand-alone wall
// mode.
#include "channel_subject.h"

#include "channel_cell.h"

#define SPIN_NS 1000 // single-stepped, the first look at the clock ends it

static struct clk *wall, *spinning;

static void make(size_t frame_size_max_B, unsigned slots)
{
    make_channel(frame_size_max_B, slots);
    unsetenv("UKEMI_CELL"); // for clk_join
    require(clk_join(&wall));
    require(clk_join(&spinning));
    require(clk_spin(spinning, duration_ns(SPIN_NS)));
}

static void remove_it(void)
{
    clk_leave(wall);
    clk_leave(spinning);
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

static enum status look(void *end, void *buffer, size_t capacity_B, enum channel_which which,
                        struct channel_frame *info)
{
    return look_and_copy(end, buffer, capacity_B, which, info);
}

static instant after(const struct clk *clk, int64_t timeout_ns)
{
    return instant_add(clk_now(clk), duration_ns(timeout_ns));
}

static enum status sleep_on(void *end, int64_t timeout_ns)
{
    struct clk_watch watch = channel_watch(end);
    return clk_wait(wall, &watch, 1, after(wall, timeout_ns));
}

static enum status await(void *end, void *buffer, size_t capacity_B, enum channel_which which,
                         int64_t timeout_ns, struct channel_frame *info)
{
    return channel_await(end, wall, after(wall, timeout_ns), buffer, capacity_B, which, info);
}

static enum status await_spinning(void *end, void *buffer, size_t capacity_B,
                                  enum channel_which which, int64_t timeout_ns,
                                  struct channel_frame *info)
{
    return channel_await(end, spinning, after(spinning, timeout_ns), buffer, capacity_B, which,
                         info);
}

#define SUBJECT(name_, get_, await_)                                                               \
    {                                                                                              \
        .name = (name_), .make = make, .remove = remove_it, .open = open_it, .close = close_it,    \
        .memory = memory, .put = put, .get = (get_), .sleep = sleep_on, .await = (await_),         \
        .readers_write = false,                                                                    \
    }

const struct subject channel_subject = SUBJECT("src/channel", get, await);
const struct subject channel_look_subject = SUBJECT("src/channel looked at", look, await);
const struct subject channel_spin_subject = SUBJECT("src/channel spun on", get, await_spinning);
