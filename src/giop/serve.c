// The broker's other half: requests of others, done and answered.
#include <stdio.h>
#include <string.h>

#include "giop/orb_private.h"

#define ANSWER_NS INT64_C(1000000000) // who takes no answer for so long is cut off

enum giop_reply_status giop_raise(struct cdr *results, enum giop_system exception)
{
    static const char *const name[] = {
        [GIOP_UNKNOWN] = "UNKNOWN",           [GIOP_BAD_OPERATION] = "BAD_OPERATION",
        [GIOP_MARSHAL] = "MARSHAL",           [GIOP_OBJECT_NOT_EXIST] = "OBJECT_NOT_EXIST",
        [GIOP_COMM_FAILURE] = "COMM_FAILURE", [GIOP_TIMED_OUT] = "TIMEOUT",
        [GIOP_NO_RESOURCES] = "NO_RESOURCES", [GIOP_NO_IMPLEMENT] = "NO_IMPLEMENT"};
    char id[64];
    snprintf(id, sizeof id, "IDL:omg.org/CORBA/%s:1.0", name[exception]);
    cdr_put_string(results, id);
    cdr_put(results, 0, 4);                                   // minor code
    cdr_put(results, exception == GIOP_TIMED_OUT ? 2 : 1, 4); // completed: maybe, or no
    return GIOP_SYSTEM_EXCEPTION;
}

static const struct orb_object *find(const struct giop_orb *orb, const struct giop_request *request)
{
    for (unsigned i = 0; i < orb->object_count; i++) {
        const struct orb_object *object = &orb->object[i];
        if (strlen(object->key) == request->key_B &&
            memcmp(object->key, request->key, request->key_B) == 0)
            return object;
    }
    return NULL;
}

// What every object can do.
static enum giop_reply_status do_common(const struct orb_object *object,
                                        const struct giop_call *call, struct cdr *arguments,
                                        struct cdr *results)
{
    if (strcmp(call->request.operation, "_non_existent") == 0) {
        cdr_put(results, false, 1);
        return GIOP_NO_EXCEPTION;
    }
    if (strcmp(call->request.operation, "_is_a") != 0)
        return object->skeleton(object->servant, call, arguments, results);
    const char *type = cdr_see_string(arguments, 128);
    cdr_put(results,
            strcmp(type, object->type) == 0 || strcmp(type, "IDL:omg.org/CORBA/Object:1.0") == 0,
            1);
    return arguments->bad ? giop_raise(results, GIOP_MARSHAL) : GIOP_NO_EXCEPTION;
}

static enum giop_reply_status perform(struct giop_orb *orb, const struct giop_call *call,
                                      struct cdr *arguments, struct cdr *results)
{
    const struct orb_object *object = find(orb, &call->request);
    const size_t begin = results->at;
    enum giop_reply_status status = object == NULL ? giop_raise(results, GIOP_OBJECT_NOT_EXIST)
                                                   : do_common(object, call, arguments, results);
    orb->counts.unknown += object == NULL;
    if (arguments->bad) {
        orb->counts.malformed++;
        results->at = begin;
        status = giop_raise(results, GIOP_MARSHAL);
    }
    if (results->bad) { // there was no room for the results
        results->bad = false;
        results->at = begin;
        status = giop_raise(results, GIOP_NO_RESOURCES);
    }
    return status;
}

static void answer_locate(struct giop_orb *orb, unsigned connection,
                          const struct giop_request *request)
{
    const struct giop_head *head = &request->head;
    struct cdr reply =
        giop_begin(orb->out, orb->message_max_B, GIOP_LOCATE_REPLY, head->minor, head->little);
    cdr_put(&reply, request->id, 4);
    cdr_put(&reply, find(orb, request) != NULL, 4); // UNKNOWN_OBJECT, OBJECT_HERE
    (void)orb_send(orb, connection, giop_finish(&reply),
                   orb->transport->operations->now_ns(orb->transport) + ANSWER_NS);
}

bool orb_answer(struct giop_orb *orb, unsigned connection, const uint8_t *message, size_t size_B)
{
    struct giop_call call = {.transport = orb->transport, .connection = connection};
    struct cdr arguments;
    size_t status_at;
    if (giop_request_read(message, size_B, &call.request, &arguments) != STATUS_OK)
        return false;
    orb->counts.requests++;
    if (call.request.head.type == GIOP_LOCATE_REQUEST) {
        answer_locate(orb, connection, &call.request);
        return true;
    }
    struct cdr reply = giop_reply_begin(orb->out, orb->message_max_B, &call.request, &status_at);
    const enum giop_reply_status status = perform(orb, &call, &arguments, &reply);
    giop_status_put(&reply, status_at, status);
    const size_t reply_B = giop_finish(&reply);
    // One that is not sent is the caller's TIMEOUT.
    if (call.request.expects_reply && reply_B > 0)
        (void)orb_send(orb, connection, reply_B,
                       orb->transport->operations->now_ns(orb->transport) + ANSWER_NS);
    return true;
}
