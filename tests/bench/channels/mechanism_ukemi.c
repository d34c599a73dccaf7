// Our channels, as a daemon uses them: put by the writer, get and clk_wait by each reader.
#include <errno.h>

#include "channel/channel.h"
#include "clock/clock.h"
#include "tests/bench/channels/frame.h"
#include "tests/bench/channels/mechanism.h"

// As the channels of targets/hubo2 have.
#define SLOTS 16
#define SLOTS_OF_LARGE 4
#define LARGE_B 4096

#define WAIT_NS 1000000000

struct end {
    struct clk *clk;
    struct channel *channel;
    unsigned char frame[FRAME_SIZE_MAX_B];
};

static void require(enum status status, const char *what)
{
    if (status == STATUS_OK)
        return;
    if (status != STATUS_SYSTEM)
        errno = 0;
    bench_fail("%s: %s", what, status_text(status));
}

static void prepare(unsigned readers, size_t size_max_B)
{
    (void)readers;
    const unsigned slots = size_max_B > LARGE_B ? SLOTS_OF_LARGE : SLOTS;
    require(channel_create(WORLD_FOLDER, "bench", size_max_B, slots), "channel_create");
}

static void *open_end(enum channel_role role)
{
    struct end *end = bench_new(sizeof *end);
    require(clk_join(&end->clk), "clk_join");
    require(channel_open_in(WORLD_FOLDER, "bench", role, &end->channel), "channel_open_in");
    return end;
}

static void *open_writer(unsigned readers)
{
    (void)readers;
    return open_end(CHANNEL_WRITE);
}

static void *open_reader(unsigned reader)
{
    (void)reader;
    return open_end(CHANNEL_READ);
}

static void send_frame(void *writer, const void *frame, size_t size_B)
{
    struct end *end = writer;
    const struct frame_header *header = frame;
    require(channel_put(end->channel, frame, size_B, instant_ns(header->sent_ns)), "channel_put");
}

static void wait_for_frame(struct end *end)
{
    const struct clk_watch watch = channel_watch(end->channel);
    const instant deadline = instant_add(clk_now(end->clk), duration_ns(WAIT_NS));
    const enum status waited = clk_wait(end->clk, &watch, 1, deadline);
    if (waited != STATUS_TIMEOUT)
        require(waited, "clk_wait");
}

static const void *receive(void *reader, size_t *size_B)
{
    struct end *end = reader;
    struct channel_frame info;
    enum status status;
    while ((status = channel_get(end->channel, end->frame, sizeof end->frame, CHANNEL_NEWEST,
                                 &info)) == STATUS_EMPTY)
        wait_for_frame(end);
    if (status != STATUS_MISSED)
        require(status, "channel_get");
    *size_B = info.size_B;
    return end->frame;
}

const struct mechanism mechanism_ukemi = {.name = "ukemi",
                                          .kind = MECHANISM_OURS,
                                          .prepare = prepare,
                                          .open_writer = open_writer,
                                          .open_reader = open_reader,
                                          .send = send_frame,
                                          .receive = receive};
