// What two channel bridges say to one another: datagrams of at most 1,472 bytes, little-endian. A
// frame of a channel travels in parts of BRIDGE_PART_B.
//
// A datagram is hostile until bridge_frame_sound has looked at it: then its lengths agree, its name
// ends, and its part lies within its frame. Whether the frame is wanted is the session's to say.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "channel/channel.h"

#define BRIDGE_PART_B 1400
#define BRIDGE_PARTS_MAX 768
#define BRIDGE_FRAME_MAX_B ((size_t)BRIDGE_PART_B * BRIDGE_PARTS_MAX)

enum bridge_kind {
    BRIDGE_PART = 1, // of a channel's frame
    BRIDGE_SEEN = 2, // the number of the newest frame that came whole; 0: none yet
};

struct bridge_head {
    uint32_t magic;
    uint8_t version;
    uint8_t kind;
    uint16_t part_B; // that follow
    uint32_t sum;    // of all bytes, this word taken as 0
    uint32_t epoch;  // which life of the sending bridge; of SEEN: of the bridge that pushes
    char channel[CHANNEL_NAME_MAX];
    uint64_t number; // of the frame in the channel it was read from
    int64_t time_ns; // when it was put there
    uint32_t size_B; // of the frame
    uint32_t offset_B;
} __attribute__((packed));

#define BRIDGE_DATAGRAM_MAX_B (sizeof(struct bridge_head) + BRIDGE_PART_B)

struct bridge_datagram {
    struct bridge_head head;
    uint8_t part[BRIDGE_PART_B];
} __attribute__((packed));

// Parts of a frame; one at least.
unsigned bridge_parts(size_t size_B);
// Completes magic, version and sum of a datagram whose other words are the caller's. Returns its
// length.
size_t bridge_frame_seal(struct bridge_datagram *datagram);
// Whether `length_B` received bytes are a whole, unharmed datagram. `datagram` has room for
// BRIDGE_DATAGRAM_MAX_B; length_B may be more (a medium says how long it was).
bool bridge_frame_sound(const struct bridge_datagram *datagram, size_t length_B);
