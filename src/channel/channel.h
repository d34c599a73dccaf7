// Latest-first shared-memory channels: several writers, several readers, newest frame first, no
// head-of-line blocking, missed frames reported, and no lock that a killed or stopped process could
// hold against others.
//
// Design (owned slots, one-word publish) and invariants I1..I10: doc/channels.md.
// A channel lives in CELL/channels/NAME; the lab creates it before any process starts. Readers map
// it read-only. Frames are plain C structures (or raw bytes); no serialisation. put, get, look and accept are
// real-time safe: no allocation, no lock that can block, bounded retries.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/time.h"
#include "clock/clock.h"

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
    uint64_t
        missed; // unread frames skipped since the last get (overwritten, or passed over by NEWEST)
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
const _Atomic uint64_t *channel_head(const struct channel *channel);

// Wakes all sleepers: for whoever reaps a process that could write to this channel.
void channel_kick(struct channel *channel);

// ---- both sides ----

// Opens a channel of the process's own cell ($UKEMI_CELL). NOT_FOUND, CORRUPT, DENIED, SYSTEM,
// NO_MEMORY. A fresh reader has read nothing: NEWEST and LAST deliver the newest frame there is,
// NEXT the oldest still held. Frames published before it was opened do not count as missed by its
// first get.
enum status channel_open(const char *name, enum channel_role role,
                         struct channel **channel) MUST_CHECK;
void channel_close(struct channel *channel);
const char *channel_name(const struct channel *channel);
size_t channel_frame_size_max_B(const struct channel *channel);

// Publishes one frame, stamped `now`. TOO_LARGE; DENIED for a reader; FULL only if every slot
// is held by other live writers.
enum status channel_put(struct channel *channel, const void *frame, size_t size_B,
                        instant now) MUST_CHECK;

// Does now what the next put has to do first, and rehearses the rest: finds and owns a slot, fills it from `frame`, and
// has the memory and the code at hand that the put will need. For a writer that knows it will put soon and wants that
// to be quick. `frame` is where it will put from: what is there now does not matter, but must be initialised; NULL if
// size_B is 0. The oldest frame held is given up now; nothing is published. A put to another channel by the same thread
// undoes it. Takes as long as some puts. Real-time safe; never needed.
void channel_ready_put(struct channel *channel, const void *frame, size_t size_B);

// Copies one frame into buffer and describes it in *info (may be NULL).
// OK; MISSED (delivered, and info->missed > 0: not an error for NEWEST readers); EMPTY (nothing
// new, nothing copied); TOO_LARGE (buffer too small; nothing consumed); CORRUPT.
enum status channel_get(struct channel *channel, void *buffer, size_t capacity_B,
                        enum channel_which which, struct channel_frame *info) MUST_CHECK;

// Waits for something to get, and gets it: channel_get, and if that is EMPTY clk_wait and channel_get once more. Returns what
// channel_get does; TIMEOUT: nothing came before the deadline; SYSTEM, INVALID as clk_wait. If the clock's waits spin (clk_spin), it
// first rehearses both, so that memory and code are at hand when the frame comes. Unless it returns OK or MISSED, what is in the
// buffer and *info is indeterminate. Real-time safe.
enum status channel_await(struct channel *channel, struct clk *clk, instant deadline, void *buffer,
                          size_t capacity_B, enum channel_which which,
                          struct channel_frame *info) MUST_CHECK;

// A frame where it lies, for a reader that would copy much to use little or to use it once. Look, use, accept:
//
//     if (channel_look(channel, CHANNEL_NEWEST, &view) is OK or MISSED) {
//         sum = sum_of(view.frame, view.info.size_B);
//         if (channel_accept(channel, &view))
//             use sum; else forget it
//     }
//
// The bytes may change while they are looked at, for a writer never waits. With S slots and W writers that takes at least S - W
// puts since the newest frame was looked for (of an older one, NEXT, fewer), so it happens only to a reader that is stopped,
// preempted or slow. Until the view is accepted, what is computed of it may be nonsense:
//
//  - No pointer, size, index or number of turns out of the frame may be relied on, nothing be done that cannot be undone,
//    and no assertion made. Whoever must, copies that word out (by a volatile read: a compiler may otherwise fetch it twice),
//    and checks the copy against limits of its own. `size_B` in the view is such a copy, and checked.
//  - For C this is a data race, as in every sequence lock: the bytes come as they are, or of two frames, but a word that is
//    read may be read again with another result. ThreadSanitizer reports such readers; hide only them from it, as get.c does.
//
// The pointer itself stays readable until the channel is closed, whatever the writers do.
struct channel_view {
    const void *frame; // size_B bytes, aligned to 64; this process may not write them
    struct channel_frame info;
    uint64_t place, after; // for channel_accept
};

// Says where the frame lies that channel_get would copy; nothing is consumed yet. OK, MISSED, EMPTY, CORRUPT as channel_get. Writes nothing
// that is shared; bounded as channel_get, real-time safe.
enum status channel_look(struct channel *channel, enum channel_which which,
                         struct channel_view *view) MUST_CHECK;

// After the last byte has been used: whether all that was read since the look was that frame. True: the frame is consumed, as by a get
// (asking again consumes no more). False: it was overwritten, or something else was read here since the look; nothing is consumed.
// Look again, if there is time: what comes then counts the lost frame as missed. A view that is not accepted at all was not
// read. Real-time safe.
bool channel_accept(struct channel *channel, const struct channel_view *view) MUST_CHECK;

// What to hand to clk_wait in order to sleep until something newer than the last frame read here is
// published.
struct clk_watch channel_watch(const struct channel *channel);
