// The man in the middle of a channel: passes on what its writer puts, and tampers with it as the
// channel's page says (src/channel/tamper.h). The lab starts one for each channel that a fault of
// the scenario strikes; no other trial has it.
//
//   interposer FOLDER CHANNEL      FOLDER: where the writer's side of the channel lies
//
// It takes part in the clock before all others but the simulated world: a frame that nothing
// tampers with reaches its readers at the instant at which it was put.
#include <stdatomic.h>
#include <stdlib.h>

#include "base/log.h"
#include "channel/channel.h"
#include "faults/tampering.h"

struct sides {
    struct channel *in, *out;
    struct tamper_page *page;
    struct clk *clk;
    struct tampering_work *work;
    unsigned char *frame;
    size_t frame_max_B;
    uint64_t seen; // of the page's changes
};

static void put(void *context, const void *frame, size_t size_B)
{
    struct sides *sides = context;
    if (channel_put(sides->out, frame, size_B, clk_now(sides->clk)) != STATUS_OK)
        log_error("channel %s: a frame cannot be passed on", channel_name(sides->out));
}

static enum status open_all(const char *folder, const char *name, struct sides *sides)
{
    const char *cell = getenv("UKEMI_CELL");
    enum status status =
        cell == NULL ? STATUS_NOT_FOUND : channel_open_in(folder, name, CHANNEL_READ, &sides->in);
    if (status == STATUS_OK)
        status = channel_open_in(cell, name, CHANNEL_WRITE, &sides->out);
    if (status == STATUS_OK)
        status = tamper_open(cell, name, &sides->page);
    if (status != STATUS_OK)
        return status;
    sides->frame_max_B = channel_frame_size_max_B(sides->in);
    sides->frame = malloc(sides->frame_max_B);
    return sides->frame == NULL
               ? STATUS_NO_MEMORY
               : tampering_begin(sides->page, sides->frame_max_B, put, sides, &sides->work);
}

static enum status join(struct sides *sides)
{
    const char *priority = getenv("UKEMI_PRIORITY");
    if (priority == NULL || clk_realtime((int)strtol(priority, NULL, 10)) != STATUS_OK)
        log_info("no real-time scheduling here: going on at normal priority");
    return clk_join(&sides->clk);
}

// All that the writer has put and that is still held.
static enum status take_frames(struct sides *sides)
{
    for (int i = 0; i < CHANNEL_SLOTS_MAX; i++) {
        struct channel_frame info;
        const enum status got =
            channel_get(sides->in, sides->frame, sides->frame_max_B, CHANNEL_NEXT, &info);
        if (got == STATUS_EMPTY)
            return STATUS_OK;
        if (got == STATUS_MISSED)
            log_error("channel %s: %llu frames overwritten before they were passed on",
                      channel_name(sides->in), (unsigned long long)info.missed);
        else if (got != STATUS_OK)
            return got;
        tampering_take(sides->work, sides->frame, info.size_B, clk_now(sides->clk));
    }
    return STATUS_OK;
}

// Until the lab ends it, or something is wrong.
static enum status pass_on(struct sides *sides)
{
    for (;;) {
        sides->seen = atomic_load(tamper_changes(sides->page));
        tampering_obey(sides->work, clk_now(sides->clk));
        const enum status status = take_frames(sides);
        if (status != STATUS_OK)
            return status;
        tampering_pass(sides->work, clk_now(sides->clk));
        const struct clk_watch watches[] = {channel_watch(sides->in),
                                            tamper_watch(sides->page, sides->seen)};
        const enum status waited = clk_wait(sides->clk, watches, 2, tampering_due(sides->work));
        if (waited != STATUS_OK && waited != STATUS_TIMEOUT)
            return waited;
    }
}

int main(int argc, char **argv)
{
    struct sides sides = {.in = NULL};
    log_program(argv[0]);
    if (argc != 3) {
        log_error("usage: interposer FOLDER CHANNEL; the lab starts it");
        return 2;
    }
    enum status status = open_all(argv[1], argv[2], &sides);
    if (status == STATUS_OK)
        status = join(&sides);
    if (status == STATUS_OK)
        status = pass_on(&sides);
    log_error("channel %s: %s", argv[2], status_text(status));
    return 3;
}
