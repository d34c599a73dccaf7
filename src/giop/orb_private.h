// The broker's parts. Private to src/giop.
#pragma once

#include "giop/orb.h"

enum awaited { NOTHING, A_REPLY, A_REPLY_CAME, THE_END };

struct orb_connection {
    struct giop_assembly whole; // the message that came last
    enum awaited awaited;
    uint32_t id; // of the request whose reply is awaited
};

struct orb_object {
    const char *key, *type;
    giop_skeleton skeleton;
    void *servant;
};

struct giop_orb {
    struct giop_transport *transport;
    size_t message_max_B, fragment_B;
    uint8_t *out, *piece;
    struct cdr request; // being written
    bool expects_reply;
    uint32_t id; // of the last request
    struct giop_counts counts;
    struct orb_object object[GIOP_OBJECTS_MAX];
    unsigned object_count;
    struct orb_connection connection[];
};

// A whole message, in fragments if it is long. As the transport's send.
enum status orb_send(struct giop_orb *orb, unsigned connection, size_t size_B, int64_t until_ns);
// A request has come: does it, and answers. False: it is not sound.
bool orb_answer(struct giop_orb *orb, unsigned connection, const uint8_t *message, size_t size_B);
