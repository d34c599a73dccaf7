// GIOP's messages (CORBA 3.3 part 2, 9.4), versions 1.0 to 1.2: their heads, and how fragments
// become one. Every length and count is looked at. Pure; no allocation; real-time safe.
#pragma once

#include "base/status.h"
#include "giop/cdr.h"

#define GIOP_HEAD_B 12u
#define GIOP_OPERATION_MAX 64 // of an operation's name, its zero included
#define GIOP_CONTEXTS_MAX 16u // of a message; they are skipped

enum giop_type {
    GIOP_REQUEST,
    GIOP_REPLY,
    GIOP_CANCEL,
    GIOP_LOCATE_REQUEST,
    GIOP_LOCATE_REPLY,
    GIOP_CLOSE,
    GIOP_ERROR,
    GIOP_FRAGMENT
};

enum giop_reply_status { // as it is sent
    GIOP_NO_EXCEPTION,
    GIOP_USER_EXCEPTION,
    GIOP_SYSTEM_EXCEPTION,
    GIOP_LOCATION_FORWARD
};

struct giop_head {
    uint8_t minor; // of the version 1.minor
    bool little, more;
    enum giop_type type;
    uint32_t size_B; // of what follows the head
};

struct giop_request {
    struct giop_head head;
    uint32_t id;
    bool expects_reply;
    const uint8_t *key; // in the message
    uint32_t key_B;
    const char *operation; // in the message; a LocateRequest has none
};

struct giop_reply {
    uint32_t id;
    uint32_t status; // enum giop_reply_status, or another
};

// A message's first 12 bytes. CORRUPT: no GIOP. UNSUPPORTED: a version that we do not speak.
enum status giop_head_read(const uint8_t bytes[GIOP_HEAD_B], struct giop_head *head) MUST_CHECK;

// A message of any type in `room`; the writer is behind the head.
struct cdr giop_begin(void *room, size_t room_B, enum giop_type type, uint8_t minor, bool little);
// The same up to where the body begins: the arguments, or the results. `status_at`: where
// giop_reply_status_put writes.
struct cdr giop_request_begin(void *room, size_t room_B, const struct giop_request *request);
struct cdr giop_reply_begin(void *room, size_t room_B, const struct giop_request *to,
                            size_t *status_at);
void giop_status_put(struct cdr *reply, size_t status_at, enum giop_reply_status status);
// Writes the size. Returns the whole message's, 0: it had no room.
size_t giop_finish(struct cdr *message);

// A whole message: reads its head of requests (LocateRequests, too) or replies; `body` is where the
// arguments or results begin. CORRUPT.
enum status giop_request_read(const uint8_t *message, size_t size_B, struct giop_request *request,
                              struct cdr *body) MUST_CHECK;
enum status giop_reply_read(const uint8_t *message, size_t size_B, struct giop_reply *reply,
                            struct cdr *body) MUST_CHECK;

// Messages that come in fragments: one at a time on a connection.
struct giop_assembly {
    uint8_t *bytes; // the caller's
    size_t room_B;
    size_t size_B; // of the message so far
    bool open;     // more fragments are to come
};

// Takes what a transport received: one head and what it counts. OK: `bytes` holds a whole message.
// EMPTY: more is to come. CORRUPT, UNSUPPORTED, TOO_LARGE: the connection cannot go on.
enum status giop_assemble(struct giop_assembly *assembly, const uint8_t *message,
                          size_t size_B) MUST_CHECK;
// The other way: the size of the next piece of a whole message of version 1.1 or 1.2, from `done_B`
// on, of at most `piece_B` bytes (a multiple of 8); writes it to `piece`. 0: there is no more.
size_t giop_piece(const uint8_t *message, size_t size_B, size_t *done_B, uint8_t *piece,
                  size_t piece_B);
