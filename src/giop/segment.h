// ERIOP's segments: what a frame carries of a message, behind a head of 12 bytes, big-endian:
// version, flags, connection u16, message u32, index u16, count u16. A connection is the server's
// channel, and a number that the client chose. Pure; no allocation; real-time safe.
#pragma once

#include "base/status.h"
#include "giop/cdr.h"

#define SEGMENT_HEAD_B 12u
#define SEGMENT_DATA_B 1480u // with its head within a frame that has a tag of HSR, too

enum segment_flag { SEGMENT_FIRST = 1, SEGMENT_LAST = 2, SEGMENT_TO_CLIENT = 4 };

struct segment {
    uint8_t flags;
    uint16_t connection;
    uint32_t message;
    uint16_t index, count;
    const uint8_t *data; // in the frame
    size_t data_B;       // frames below 46 bytes may be padded: then with the padding
};

// Writes the head; the data are the caller's to copy behind it.
void segment_put(uint8_t head[SEGMENT_HEAD_B], const struct segment *segment);
// CORRUPT: a version, flag, index or count that cannot be; more than `segments_max`.
enum status segment_read(const uint8_t *frame, size_t size_B, unsigned segments_max,
                         struct segment *segment) MUST_CHECK;

// A message that comes in segments. They come in order, or it is lost.
struct segment_assembly {
    uint8_t *bytes; // the caller's
    size_t room_B, size_B;
    uint32_t message; // that is being assembled, or was last
    bool any;         // one has begun
    uint16_t next;    // index; 0: none is open
    uint64_t torn;    // messages that lost a segment
};

// OK: whole. EMPTY: more is to come. MISSED: not what comes next; it is dropped. TOO_LARGE.
enum status segment_assemble(struct segment_assembly *assembly,
                             const struct segment *segment) MUST_CHECK;
