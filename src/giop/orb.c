#include <stdlib.h>
#include <string.h>

#include "giop/orb_private.h"

const char *giop_outcome_text(enum giop_outcome outcome)
{
    static const char *const text[] = {
#define GIOP_OUTCOME_TEXT(name, text) text,
        GIOP_OUTCOMES(GIOP_OUTCOME_TEXT)
#undef GIOP_OUTCOME_TEXT
    };
    return outcome < sizeof text / sizeof text[0] ? text[outcome] : "unknown";
}

void giop_orb_free(struct giop_orb *orb)
{
    for (unsigned i = 0; i < orb->transport->connection_count; i++)
        free(orb->connection[i].whole.bytes);
    orb->transport->operations->free(orb->transport);
    free(orb->out);
    free(orb->piece);
    free(orb);
}

enum status giop_orb_create(struct giop_transport *transport, size_t message_max_B,
                            size_t fragment_B, struct giop_orb **made)
{
    const unsigned connections = transport->connection_count;
    struct giop_orb *orb = calloc(1, sizeof *orb + connections * sizeof *orb->connection);
    if (orb == NULL) {
        transport->operations->free(transport);
        return STATUS_NO_MEMORY;
    }
    orb->transport = transport;
    orb->message_max_B = message_max_B;
    orb->fragment_B = fragment_B;
    orb->out = malloc(message_max_B);
    orb->piece = malloc(fragment_B + 1);
    bool good = orb->out != NULL && orb->piece != NULL;
    for (unsigned i = 0; i < connections; i++) {
        orb->connection[i].whole =
            (struct giop_assembly){malloc(message_max_B), message_max_B, 0, false};
        good &= orb->connection[i].whole.bytes != NULL;
    }
    if (!good) {
        giop_orb_free(orb);
        return STATUS_NO_MEMORY;
    }
    *made = orb;
    return STATUS_OK;
}

const struct giop_counts *giop_orb_counts(const struct giop_orb *orb)
{
    return &orb->counts;
}

struct giop_transport *giop_orb_transport(struct giop_orb *orb)
{
    return orb->transport;
}

enum status giop_orb_serve(struct giop_orb *orb, const char *key, const char *type,
                           giop_skeleton skeleton, void *servant)
{
    if (orb->object_count == GIOP_OBJECTS_MAX || strlen(key) > IOR_KEY_MAX_B)
        return STATUS_FULL;
    orb->object[orb->object_count++] = (struct orb_object){key, type, skeleton, servant};
    return STATUS_OK;
}

enum status giop_orb_reference(const struct giop_orb *orb, const char *key, char text[IOR_TEXT_MAX])
{
    struct ior ior = {.profile_count = 1};
    for (unsigned i = 0; i < orb->object_count; i++)
        if (strcmp(orb->object[i].key, key) == 0 && strlen(orb->object[i].type) < sizeof ior.type) {
            memcpy(ior.type, orb->object[i].type, strlen(orb->object[i].type));
            orb->transport->operations->profile(orb->transport, &ior.profile[0]);
            ior.profile[0].key_B = (uint32_t)strlen(key);
            memcpy(ior.profile[0].key, key, ior.profile[0].key_B);
            return ior_text(&ior, text);
        }
    return STATUS_NOT_FOUND;
}

enum status orb_send(struct giop_orb *orb, unsigned connection, size_t size_B, int64_t until_ns)
{
    const struct giop_transport_operations *operations = orb->transport->operations;
    const bool pieces = orb->fragment_B > 0 && orb->out[5] > 0;
    size_t done_B = 0, piece_B;
    enum status status = STATUS_OK;
    if (!pieces || size_B <= orb->fragment_B)
        return operations->send(orb->transport, connection, orb->out, size_B, until_ns);
    while (status == STATUS_OK &&
           (piece_B = giop_piece(orb->out, size_B, &done_B, orb->piece, orb->fragment_B)) > 0)
        status = operations->send(orb->transport, connection, orb->piece, piece_B, until_ns);
    return status;
}

// ---- what comes ---------------------------------------------------------------------------------

static void lose(struct giop_orb *orb, unsigned connection)
{
    struct orb_connection *lost = &orb->connection[connection];
    lost->whole.open = false;
    if (lost->awaited != NOTHING)
        lost->awaited = THE_END;
}

// A connection that cannot go on as it is.
static void cut_off(struct giop_orb *orb, unsigned connection)
{
    orb->connection[connection].whole.open = false;
    if (!orb->transport->operations->close(orb->transport, connection, false))
        lose(orb, connection);
}

static void take_reply(struct giop_orb *orb, struct orb_connection *connection)
{
    struct giop_reply reply;
    struct cdr body;
    const bool sound = giop_reply_read(connection->whole.bytes, connection->whole.size_B, &reply,
                                       &body) == STATUS_OK;
    orb->counts.malformed += !sound;
    if (sound && connection->awaited == A_REPLY && connection->id == reply.id) {
        connection->awaited = A_REPLY_CAME;
        orb->counts.replies++;
    } else {
        orb->counts.late += sound;
    }
}

static void say_error(struct giop_orb *orb, unsigned connection)
{
    struct cdr message = giop_begin(orb->out, orb->message_max_B, GIOP_ERROR, 0, true);
    const struct giop_transport_operations *operations = orb->transport->operations;
    (void)operations->send(orb->transport, connection, orb->out, giop_finish(&message),
                           operations->now_ns(orb->transport)); // it is closed all the same
    cut_off(orb, connection);
    orb->counts.malformed++;
}

static void take_whole(struct giop_orb *orb, unsigned connection)
{
    struct giop_assembly *whole = &orb->connection[connection].whole;
    switch (whole->bytes[7]) {
    case GIOP_REQUEST:
    case GIOP_LOCATE_REQUEST:
        if (!orb_answer(orb, connection, whole->bytes, whole->size_B))
            say_error(orb, connection);
        break;
    case GIOP_REPLY:
        take_reply(orb, &orb->connection[connection]);
        break;
    case GIOP_CANCEL: // what was asked has been done
        break;
    case GIOP_CLOSE:
    case GIOP_ERROR:
        cut_off(orb, connection);
        break;
    default:
        say_error(orb, connection);
    }
}

unsigned giop_orb_work(struct giop_orb *orb, unsigned most, int64_t until_ns)
{
    const uint8_t *bytes;
    size_t size_B;
    unsigned connection;
    for (unsigned n = 0; n < most; n++) {
        const enum status status = orb->transport->operations->receive(
            orb->transport, until_ns, &connection, &bytes, &size_B);
        if (status == STATUS_TIMEOUT)
            return n;
        struct orb_connection *from = &orb->connection[connection];
        if (status != STATUS_OK) {
            (status == STATUS_DEAD ? lose : say_error)(orb, connection);
            continue;
        }
        if (from->awaited == A_REPLY_CAME) { // its place is taken until it is looked at
            orb->counts.late++;
            continue;
        }
        const enum status whole = giop_assemble(&from->whole, bytes, size_B);
        if (whole == STATUS_OK)
            take_whole(orb, connection);
        else if (whole != STATUS_EMPTY)
            say_error(orb, connection);
    }
    return most;
}
