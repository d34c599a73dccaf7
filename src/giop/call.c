// Calls of others' objects.
#include <string.h>

#include "giop/orb_private.h"

#define BEHIND_MAX 64 // messages that are taken after the deadline

enum status giop_object_open(struct giop_object *object, struct giop_orb *orb,
                             const struct ior_profile *at, int64_t timeout_ns)
{
    *object =
        (struct giop_object){.orb = orb, .at = *at, .timeout_ns = timeout_ns, .minor = at->minor};
    const enum status status = orb->transport->operations->connect(
        orb->transport, at, giop_call_deadline_ns(object), &object->connection);
    if (status == STATUS_OK) {
        orb->connection[object->connection].awaited = NOTHING;
        orb->connection[object->connection].whole.open = false;
    }
    return status;
}

void giop_object_close(struct giop_object *object)
{
    object->orb->connection[object->connection].awaited = NOTHING;
    object->orb->transport->operations->close(object->orb->transport, object->connection, true);
}

int64_t giop_call_deadline_ns(const struct giop_object *object)
{
    const struct giop_transport *transport = object->orb->transport;
    return transport->operations->now_ns(transport) + object->timeout_ns;
}

struct cdr *giop_call_begin(struct giop_object *object, const char *operation, bool expects_reply)
{
    struct giop_orb *orb = object->orb;
    const struct giop_request request = {.head = {.minor = object->minor, .little = !object->big},
                                         .id = ++orb->id,
                                         .expects_reply = expects_reply,
                                         .key = object->at.key,
                                         .key_B = object->at.key_B,
                                         .operation = operation};
    orb->request = giop_request_begin(orb->out, orb->message_max_B, &request);
    orb->expects_reply = expects_reply;
    return &orb->request;
}

enum giop_outcome giop_call_send(struct giop_object *object)
{
    struct giop_orb *orb = object->orb;
    struct orb_connection *connection = &orb->connection[object->connection];
    const size_t size_B = giop_finish(&orb->request);
    if (connection->awaited == THE_END)
        return GIOP_LOST;
    if (size_B == 0)
        return GIOP_UNSENT;
    if (orb->expects_reply) { // an earlier call that was given up is forgotten
        connection->awaited = A_REPLY;
        connection->id = orb->id;
    }
    const enum status status =
        orb_send(orb, object->connection, size_B, giop_call_deadline_ns(object));
    if (status == STATUS_OK)
        return GIOP_DONE;
    connection->awaited = status == STATUS_DEAD || status == STATUS_TIMEOUT ? THE_END : NOTHING;
    return status == STATUS_DEAD      ? GIOP_LOST
           : status == STATUS_TIMEOUT ? GIOP_TIMEOUT
                                      : GIOP_UNSENT;
}

// What a reply that has come says.
static enum giop_outcome read_reply(struct giop_object *object,
                                    const struct orb_connection *connection, struct cdr *results)
{
    struct giop_reply reply;
    if (giop_reply_read(connection->whole.bytes, connection->whole.size_B, &reply, results) !=
        STATUS_OK)
        return GIOP_MALFORMED;
    if (reply.status == GIOP_NO_EXCEPTION)
        return GIOP_DONE;
    if (reply.status != GIOP_USER_EXCEPTION && reply.status != GIOP_SYSTEM_EXCEPTION)
        return GIOP_MALFORMED; // references that move are not followed
    cdr_get_string(results, object->exception, sizeof object->exception);
    return results->bad                          ? GIOP_MALFORMED
           : reply.status == GIOP_USER_EXCEPTION ? GIOP_RAISED
                                                 : GIOP_SYSTEM;
}

enum giop_outcome giop_call_await(struct giop_object *object, int64_t until_ns, struct cdr *results)
{
    struct giop_orb *orb = object->orb;
    struct orb_connection *connection = &orb->connection[object->connection];
    *results = cdr_reader(NULL, 0, true);
    // Who looks after the deadline still finds what had come before it, in whatever order; the
    // count ends a flood.
    for (unsigned behind = 0; connection->awaited == A_REPLY && behind < BEHIND_MAX;) {
        behind += orb->transport->operations->now_ns(orb->transport) > until_ns;
        if (giop_orb_work(orb, 1, until_ns) == 0)
            break;
    }
    const enum awaited came = connection->awaited;
    if (came == THE_END) // stays: the connection is not coming back
        return GIOP_LOST;
    connection->awaited = NOTHING;
    return came == A_REPLY_CAME ? read_reply(object, connection, results) : GIOP_TIMEOUT;
}
