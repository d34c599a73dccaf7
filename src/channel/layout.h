// Private to src/channel: the layout of a channel file. doc/reference/channels.md argues why it
// holds.
//
// header | slots | frames, each frame_stride_B long. Writers map all of it, readers all of it
// read-only.
#pragma once

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "channel/channel.h"
#include "channel/owner.h"

#define CHANNEL_MAGIC 0x6c656e6e61686375U // "uchannel"
#define CHANNEL_VERSION 4
#define CHANNEL_FOLDER "channels"

// A frame's place: its number in the upper 56 bits and its slot in the lower 8, in one word that is
// published by one compare-and-swap. 0: no frame. Its low 32 bits (24 bits of the number, and the
// slot) differ from one frame to the next, so they serve as a futex word.
typedef uint64_t channel_place;

static inline channel_place place_of(uint64_t number, unsigned slot)
{
    return number << 8 | slot;
}
static inline uint64_t place_number(channel_place place)
{
    return place >> 8;
}
static inline unsigned place_slot(channel_place place)
{
    return (unsigned)(place & 0xff);
}

// One cache line, all that is said of a frame: a get needs this one and the frame's own.
struct channel_slot {
    alignas(64) channel_owner owner; // of writers only
    _Atomic uint64_t number;         // of the frame in it; 0 while it is being written
    _Atomic channel_place previous;  // where the frame before it is
    _Atomic int64_t time_ns;         // when it was put
    _Atomic uint64_t size_B;
};
_Static_assert(sizeof(struct channel_slot) == 64, "one cache line");

struct channel_header {
    uint64_t magic;
    uint32_t version;
    uint32_t slot_count;
    uint64_t frame_size_max_B;
    uint64_t frame_stride_B;
    uint64_t file_size_B;
    alignas(64) _Atomic channel_place head; // the newest frame
    _Atomic uint32_t watch_id; // the coordinator's number for the head; CLK_WATCH_NONE: sleepers
                               // need a futex wake
    struct channel_slot slot[];
};

// gcc takes a function that only prefetches for one without effect, and leaves its calls out.
#define KEEP_PREFETCHES __asm__ volatile("")

static inline size_t round_up_64(size_t size_B)
{
    return (size_B + 63) & ~(size_t)63;
}

static inline size_t layout_stride_B(size_t frame_size_max_B)
{
    return round_up_64(frame_size_max_B);
}

static inline size_t layout_payload_B(unsigned slots)
{
    return sizeof(struct channel_header) + slots * sizeof(struct channel_slot);
}

static inline size_t layout_file_B(size_t frame_size_max_B, unsigned slots)
{
    return layout_payload_B(slots) + slots * layout_stride_B(frame_size_max_B);
}

// What each put and get needs lies in one cache line.
struct channel {
    alignas(64) struct channel_header *header; // mapped; read-only for readers
    unsigned char *payload;
    channel_place last;  // where the last frame read here was; 0: none read yet
    unsigned slot_count; // checked copies: nobody can change them under our feet
    enum channel_role role;
    size_t frame_size_max_B;
    size_t frame_stride_B;
    channel_place put_last; // where the last frame put here is; 0: none yet
    unsigned in_turn; // frames put here one after the other up to that, each in the slot after the
                      // one before
    uint64_t number_at_open; // frames up to here were published before this reader came: not missed
    size_t file_size_B;
    char name[CHANNEL_NAME_MAX];
};

// Begins a cache line.
static inline unsigned char *channel_payload(const struct channel *channel, unsigned slot)
{
    return channel->payload + slot * channel->frame_stride_B;
}
