// One bridge's side of the talk: which datagram goes out next, and what a received one does to the
// channels here. It knows no medium and waits for nothing.
//
// Newest first: a push takes a channel's newest frame, and passes over the ones before. A frame of
// which parts have gone is finished first, so that a writer faster than the wire starves nobody.
// No head-of-line blocking: the channels' parts take turns, and what is lost is not waited for. If
// the peer does not say within REPEAT that the newest frame has come, it is pushed again.
#pragma once

#include "bridge.h"
#include "targets/bridge/bridge_frame.h"

#define BRIDGE_WAYS_MAX 16

struct bridge_push {
    struct channel *channel;
    uint8_t *frame; // of the channel's largest size
    uint64_t number, seen;
    int64_t time_ns, repeat_ns;
    size_t size_B;
    unsigned part, parts; // the next to go; part == parts: all have gone
};

struct bridge_pull {
    struct channel *channel;
    uint8_t *frame;
    uint64_t number; // of the frame that is being put together; 0: none
    int64_t time_ns;
    size_t size_B;
    uint32_t epoch, epoch_before; // of the peer; a datagram of its life before is late
    unsigned parts;               // that have come
    uint64_t has[BRIDGE_PARTS_MAX / 64];
    bool answer; // owed: SEEN
};

struct bridge_session {
    struct bridge_push push[BRIDGE_WAYS_MAX];
    struct bridge_pull pull[BRIDGE_WAYS_MAX];
    unsigned push_count, pull_count, turn;
    int64_t heard_ns, answers_ns; // when the peer was heard; when all SEEN go out next
    struct bridge_message message;
};

// Opens a channel to be pushed, or pulled; says on standard error what is wrong. Initialisation
// only. INVALID: too many, or frames larger than BRIDGE_FRAME_MAX_B.
enum status bridge_add(struct bridge_session *session, const char *name, enum channel_role role);
// Goes on from what the bridge said before it was started again; NULL: it is the first time.
void bridge_begin(struct bridge_session *session, const struct bridge_message *before, instant now);
// A datagram came. Real-time safe.
void bridge_take(struct bridge_session *session, const struct bridge_datagram *datagram,
                 size_t length_B, instant now);
// Looks for newer frames and owed answers; once a period, before bridge_next.
void bridge_look(struct bridge_session *session, instant now);
// The next datagram to send, sealed: its length; 0: none. Real-time safe.
size_t bridge_next(struct bridge_session *session, struct bridge_datagram *datagram, instant now);
