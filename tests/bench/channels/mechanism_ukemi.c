// Our channels, as a daemon uses them: put by the writer, await (or clk_wait, look and accept) by each reader.
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
#define SPIN_NS 400000 // more than the stage's readers come before their frame

struct end {
    struct clk *clk;
    struct channel *channel;
    struct channel_view view; // of a reader that looks
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

static void create(const char *name, size_t size_max_B)
{
    const unsigned slots = size_max_B > LARGE_B ? SLOTS_OF_LARGE : SLOTS;
    require(channel_create(WORLD_FOLDER, name, size_max_B, slots), "channel_create");
}

static void *open_end(const char *name, enum channel_role role)
{
    struct end *end = bench_new(sizeof *end);
    require(clk_join(&end->clk), "clk_join");
    require(channel_open_in(WORLD_FOLDER, name, role, &end->channel), name);
    return end;
}

static void ukemi_send(void *writer, const void *frame, size_t size_B)
{
    struct end *end = writer;
    const struct frame_header *header = frame;
    require(channel_put(end->channel, frame, size_B, instant_ns(header->sent_ns)), "channel_put");
}

static void ukemi_ready(void *writer, const void *frame, size_t size_B)
{
    struct end *end = writer;
    channel_ready_put(end->channel, frame, size_B);
}

static instant deadline_of(const struct end *end)
{
    return instant_add(clk_now(end->clk), duration_ns(WAIT_NS));
}

static const void *ukemi_receive(void *reader, size_t *size_B)
{
    struct end *end = reader;
    struct channel_frame info;
    enum status status;
    do
        status = channel_await(end->channel, end->clk, deadline_of(end), end->frame,
                               sizeof end->frame, CHANNEL_NEWEST, &info);
    while (status == STATUS_TIMEOUT || status == STATUS_EMPTY);
    if (status != STATUS_MISSED)
        require(status, "channel_await");
    *size_B = info.size_B;
    return end->frame;
}

// ---- blocked readers ----

static void blocked_prepare(unsigned readers, size_t size_max_B)
{
    (void)readers;
    create("bench", size_max_B);
}

static void *blocked_open_writer(unsigned readers)
{
    (void)readers;
    return open_end("bench", CHANNEL_WRITE);
}

static void *blocked_open_reader(unsigned reader)
{
    (void)reader;
    return open_end("bench", CHANNEL_READ);
}

const struct mechanism mechanism_ukemi = {.name = "ukemi",
                                          .kind = MECHANISM_OURS,
                                          .prepare = blocked_prepare,
                                          .open_writer = blocked_open_writer,
                                          .open_reader = blocked_open_reader,
                                          .ready = ukemi_ready,
                                          .send = ukemi_send,
                                          .receive = ukemi_receive};

// ---- a reader that spins a while before it blocks ----

static void spin_prepare(unsigned readers, size_t size_max_B)
{
    (void)readers;
    create("bench-spin", size_max_B);
}

static void *spin_open_writer(unsigned readers)
{
    (void)readers;
    return open_end("bench-spin", CHANNEL_WRITE);
}

static void *spin_open_reader(unsigned reader)
{
    (void)reader;
    struct end *end = open_end("bench-spin", CHANNEL_READ);
    require(clk_spin(end->clk, duration_ns(SPIN_NS)), "clk_spin");
    return end;
}

const struct mechanism mechanism_ukemi_spin = {.name = "ukemi-spin",
                                               .kind = MECHANISM_OURS,
                                               .spins = true,
                                               .ready = ukemi_ready,
                                               .prepare = spin_prepare,
                                               .open_writer = spin_open_writer,
                                               .open_reader = spin_open_reader,
                                               .send = ukemi_send,
                                               .receive = ukemi_receive};

// ---- a blocked reader that looks at the frame where it lies ----

static void wait_for_frame(struct end *end)
{
    const struct clk_watch watch = channel_watch(end->channel);
    const enum status waited = clk_wait(end->clk, &watch, 1, deadline_of(end));
    if (waited != STATUS_TIMEOUT)
        require(waited, "clk_wait");
}

static void look_prepare(unsigned readers, size_t size_max_B)
{
    (void)readers;
    create("bench-look", size_max_B);
}

static void *look_open_writer(unsigned readers)
{
    (void)readers;
    return open_end("bench-look", CHANNEL_WRITE);
}

static void *look_open_reader(unsigned reader)
{
    (void)reader;
    return open_end("bench-look", CHANNEL_READ);
}

static const void *look_receive(void *reader, size_t *size_B)
{
    struct end *end = reader;
    enum status status;
    while ((status = channel_look(end->channel, CHANNEL_NEWEST, &end->view)) == STATUS_EMPTY)
        wait_for_frame(end);
    if (status != STATUS_MISSED)
        require(status, "channel_look");
    *size_B = end->view.info.size_B;
    return end->view.frame;
}

static bool look_done(void *reader)
{
    struct end *end = reader;
    return channel_accept(end->channel, &end->view);
}

const struct mechanism mechanism_ukemi_look = {.name = "ukemi-look",
                                               .kind = MECHANISM_OURS,
                                               .prepare = look_prepare,
                                               .open_writer = look_open_writer,
                                               .open_reader = look_open_reader,
                                               .ready = ukemi_ready,
                                               .send = ukemi_send,
                                               .receive = look_receive,
                                               .done = look_done};
