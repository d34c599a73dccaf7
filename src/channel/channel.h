// Latest-first shared-memory channels: several writers, several readers, newest frame first, no
// head-of-line blocking, missed frames reported, and no lock that a killed or stopped process could
// hold against others.
//
// Design (owned slots, one-word publish) and invariants I1..I10: doc/reference/channels.md.
// A channel lives in CELL/channels/NAME; the lab creates it before any process starts. Readers map
// it read-only. Frames are plain C structures (or raw bytes); no serialisation. put and get are
// real-time safe: no allocation, no lock that can block, bounded retries.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/time.h"
#include "clock/clock.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CHANNEL_NAME_MAX 32
#define CHANNEL_SLOTS_MAX 64

struct channel; // opaque; one process's view of a channel, used by one thread

enum channel_role { CHANNEL_READ, CHANNEL_WRITE };

// Which frame a get wants.
enum channel_which {
    CHANNEL_NEWEST, // the newest frame, if newer than the last one read here
    CHANNEL_NEXT,   // the oldest unread frame that is still held, in order
    CHANNEL_LAST,   // the newest frame even if it has been read before ("what did they last say?")
};

// What a get says about the frame it delivered.
struct channel_frame {
    uint64_t number; // 1, 2, 3 ...: the channel's frame counter
    // Unread frames skipped since the last get: overwritten, or passed over by NEWEST.
    uint64_t missed;
    instant time; // when it was put, by the writer's clock
    size_t size_B;
};

// ---- lab side ----

// Creates CELL/channels/NAME (in a temporary file, published by rename). `slots` >= writers + 2
// (3..64), 16 is comfortable. All memory is reserved at once. INVALID, SYSTEM.
enum status channel_create(const char *cell, const char *name, size_t frame_size_max_B,
                           unsigned slots) MUST_CHECK;

// Opens a channel of a given cell by folder (the lab's own view).
enum status channel_open_in(const char *cell, const char *name, enum channel_role role,
                            struct channel **channel) MUST_CHECK;

// Stores the coordinator's number for this channel's head word in the channel, before any process
// starts. Needs CHANNEL_WRITE. CLK_WATCH_NONE (as created, and what clk_coordinator_watch gives in
// wall mode): a put wakes sleepers by futex. Any other: the coordinator looks at the head itself,
// and a put makes no system call.
void channel_set_watch(struct channel *channel, uint32_t watch_id);

// The head word, for clk_coordinator_watch. Valid while the channel is open.
const clk_word *channel_head(const struct channel *channel);

// Wakes all sleepers: for whoever reaps a process that could write to this channel.
void channel_kick(struct channel *channel);

// ---- both sides ----

// Opens a channel of the process's own cell ($UKEMI_CELL). A process of another host ($UKEMI_HOST,
// `host:` in target.yaml) has channels of its own: its NAME is the cell's HOST-NAME. NOT_FOUND,
// CORRUPT, DENIED, SYSTEM, NO_MEMORY. A fresh reader has read nothing: NEWEST and LAST deliver the
// newest frame there is, NEXT the oldest still held. Frames published before it was opened do not
// count as missed by its first get.
enum status channel_open(const char *name, enum channel_role role,
                         struct channel **channel) MUST_CHECK;
void channel_close(struct channel *channel);
const char *channel_name(const struct channel *channel);
size_t channel_frame_size_max_B(const struct channel *channel);

// Publishes one frame, stamped `now`. TOO_LARGE; DENIED for a reader; FULL only if every slot
// is held by other live writers.
enum status channel_put(struct channel *channel, const void *frame, size_t size_B,
                        instant now) MUST_CHECK;

// Copies one frame into buffer and describes it in *info (may be NULL).
// OK; MISSED (delivered, and info->missed > 0: not an error for NEWEST readers); EMPTY (nothing
// new, nothing copied); TOO_LARGE (buffer too small; nothing consumed); CORRUPT.
enum status channel_get(struct channel *channel, void *buffer, size_t capacity_B,
                        enum channel_which which, struct channel_frame *info) MUST_CHECK;

// What to hand to clk_wait in order to sleep until something newer than the last frame read here is
// published.
struct clk_watch channel_watch(const struct channel *channel);

#ifdef __cplusplus
}
#endif
