// The request broker: objects of this program that others call, and calls of others' objects, over
// one transport. Stubs and skeletons made by src/giop/ukemi_c.py use it.
//
// Nothing is sent again, and nothing waits without a deadline: what is lost is GIOP_TIMEOUT.
// Nothing is allocated after giop_orb_create; all of it belongs to one thread.
#pragma once

#include "giop/transport.h"

#define GIOP_OBJECTS_MAX 32u // of an orb

// What became of a call.
#define GIOP_OUTCOMES(X)                                                                           \
    X(DONE, "done")                                                                                \
    X(TIMEOUT, "no reply came before the deadline")                                                \
    X(RAISED, "the object raised an exception of its interface")                                   \
    X(SYSTEM, "the object's broker raised a system exception")                                     \
    X(MALFORMED, "the reply is not what the interface says")                                       \
    X(LOST, "the connection is gone")                                                              \
    X(UNSENT, "the request is too large, or the queue is full")
enum giop_outcome {
#define GIOP_OUTCOME_ENUM(name, text) GIOP_##name,
    GIOP_OUTCOMES(GIOP_OUTCOME_ENUM)
#undef GIOP_OUTCOME_ENUM
};
const char *giop_outcome_text(enum giop_outcome outcome); // static storage

struct giop_counts {
    uint64_t requests, replies; // taken
    uint64_t unknown;           // requests for objects or operations that are not there
    uint64_t malformed;         // messages or arguments
    uint64_t late;              // replies that nobody waits for any more
};

struct giop_orb;

// Who calls, for a servant that minds.
struct giop_call {
    struct giop_request request;
    const struct giop_transport *transport;
    unsigned connection;
};

// A skeleton: reads the arguments, has the operation done, writes results or an exception. Who does
// not know the operation returns giop_raise(results, GIOP_BAD_OPERATION).
typedef enum giop_reply_status (*giop_skeleton)(void *servant, const struct giop_call *call,
                                                struct cdr *arguments, struct cdr *results);

enum giop_system {
    GIOP_UNKNOWN,
    GIOP_BAD_OPERATION,
    GIOP_MARSHAL,
    GIOP_OBJECT_NOT_EXIST,
    GIOP_COMM_FAILURE,
    GIOP_TIMED_OUT,
    GIOP_NO_RESOURCES,
    GIOP_NO_IMPLEMENT
};
// Writes a system exception in place of results.
enum giop_reply_status giop_raise(struct cdr *results, enum giop_system exception);

// The orb frees the transport, also if it cannot be made. fragment_B: longer messages of version
// 1.1 and 1.2 are sent in pieces of so many bytes, a multiple of 8; 0: in one. NO_MEMORY.
enum status giop_orb_create(struct giop_transport *transport, size_t message_max_B,
                            size_t fragment_B, struct giop_orb **orb) MUST_CHECK;
void giop_orb_free(struct giop_orb *orb);
const struct giop_counts *giop_orb_counts(const struct giop_orb *orb);
struct giop_transport *giop_orb_transport(struct giop_orb *orb);

// An object, from now on callable by `key`, which is text and must stay valid, as `type`
// ("IDL:Module/Interface:1.0"). FULL.
enum status giop_orb_serve(struct giop_orb *orb, const char *key, const char *type,
                           giop_skeleton skeleton, void *servant) MUST_CHECK;
// Its reference. NOT_FOUND, TOO_LARGE.
enum status giop_orb_reference(const struct giop_orb *orb, const char *key,
                               char text[IOR_TEXT_MAX]) MUST_CHECK;

// Takes up to `most` messages that come until then; requests are answered. Returns how many.
unsigned giop_orb_work(struct giop_orb *orb, unsigned most, int64_t until_ns);

// ---- calls --------------------------------------------------------------------------------------

// Another's object. One call of it at a time may be under way.
struct giop_object {
    struct giop_orb *orb;
    struct ior_profile at; // with its key
    unsigned connection;
    int64_t timeout_ns;                 // of calls that wait by themselves
    uint8_t minor;                      // version of requests: 0 to 2
    bool big;                           // -endian requests
    char exception[GIOP_OPERATION_MAX]; // what the last call raised: "IDL:..."
};

// OK or as the transport's connect.
enum status giop_object_open(struct giop_object *object, struct giop_orb *orb,
                             const struct ior_profile *at, int64_t timeout_ns) MUST_CHECK;
void giop_object_close(struct giop_object *object);

// What stubs consist of. Begin: where to write the arguments. Send. Await: `results` is where the
// reply's body begins; RAISED: behind the exception's name, which is in object->exception.
struct cdr *giop_call_begin(struct giop_object *object, const char *operation, bool expects_reply);
enum giop_outcome giop_call_send(struct giop_object *object);
enum giop_outcome giop_call_await(struct giop_object *object, int64_t until_ns,
                                  struct cdr *results);
// Until when a call waits that is begun now.
int64_t giop_call_deadline_ns(const struct giop_object *object);
