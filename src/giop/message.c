#include "giop/message.h"

#include <string.h>

#define FLAG_LITTLE 1u
#define FLAG_MORE 2u
#define SIZE_AT 8u

enum status giop_head_read(const uint8_t bytes[GIOP_HEAD_B], struct giop_head *head)
{
    if (memcmp(bytes, "GIOP", 4) != 0 || bytes[7] > GIOP_FRAGMENT)
        return STATUS_CORRUPT;
    if (bytes[4] != 1 || bytes[5] > 2)
        return STATUS_UNSUPPORTED;
    *head = (struct giop_head){.minor = bytes[5],
                               .little = (bytes[6] & FLAG_LITTLE) != 0,
                               .more = bytes[5] >= 1 && (bytes[6] & FLAG_MORE) != 0,
                               .type = bytes[7]};
    struct cdr size = cdr_reader(bytes + SIZE_AT, 4, head->little);
    head->size_B = (uint32_t)cdr_get(&size, 4);
    return STATUS_OK;
}

// 1.1 differs from 1.0 by three reserved bytes of a request, and by fragments; 1.2 says everything
// in another order.
static bool is_old(const struct giop_head *head)
{
    return head->minor < 2;
}

// ---- writing ------------------------------------------------------------------------------------

struct cdr giop_begin(void *room, size_t room_B, enum giop_type type, uint8_t minor, bool little)
{
    struct cdr message = cdr_writer(room, room_B, little);
    const uint8_t head[GIOP_HEAD_B] = {'G', 'I', 'O', 'P', 1, minor, little, (uint8_t)type};
    cdr_put_bytes(&message, head, sizeof head);
    return message;
}

static void put_octets(struct cdr *message, const uint8_t *bytes, uint32_t count)
{
    cdr_put(message, count, 4);
    cdr_put_bytes(message, bytes, count);
}

static void align_body(struct cdr *message)
{
    message->head_B = message->at;
    cdr_align_put(message, 8);
}

struct cdr giop_request_begin(void *room, size_t room_B, const struct giop_request *request)
{
    const struct giop_head *head = &request->head;
    struct cdr message = giop_begin(room, room_B, GIOP_REQUEST, head->minor, head->little);
    if (is_old(head))
        cdr_put(&message, 0, 4); // contexts
    cdr_put(&message, request->id, 4);
    if (is_old(head)) {
        cdr_put(&message, request->expects_reply, 1);
        if (head->minor == 1)
            cdr_put_bytes(&message, "\0\0", 3);
    } else {
        cdr_put(&message, request->expects_reply ? 3 : 0, 1);
        cdr_put_bytes(&message, "\0\0", 3);
        cdr_put(&message, 0, 2); // addressed by its key
    }
    put_octets(&message, request->key, request->key_B);
    cdr_put_string(&message, request->operation);
    cdr_put(&message, 0, 4); // before 1.2: the principal; 1.2: contexts
    if (!is_old(head))
        align_body(&message);
    return message;
}

struct cdr giop_reply_begin(void *room, size_t room_B, const struct giop_request *to,
                            size_t *status_at)
{
    const struct giop_head *head = &to->head;
    struct cdr message = giop_begin(room, room_B, GIOP_REPLY, head->minor, head->little);
    if (is_old(head))
        cdr_put(&message, 0, 4); // contexts
    cdr_put(&message, to->id, 4);
    *status_at = message.at;
    cdr_put(&message, 0, 4);
    if (!is_old(head)) {
        cdr_put(&message, 0, 4); // contexts
        align_body(&message);
    }
    return message;
}

void giop_status_put(struct cdr *reply, size_t status_at, enum giop_reply_status status)
{
    const size_t end = reply->at;
    reply->at = status_at;
    cdr_put(reply, status, 4);
    reply->at = end;
}

size_t giop_finish(struct cdr *message)
{
    if (message->bad)
        return 0;
    // What aligns a body is there only with a body.
    const bool empty = message->head_B > 0 && message->at == (message->head_B + 7) / 8 * 8;
    const size_t end = empty ? message->head_B : message->at;
    message->at = SIZE_AT;
    cdr_put(message, end - GIOP_HEAD_B, 4);
    message->at = end;
    return end;
}

// ---- reading ------------------------------------------------------------------------------------

static void skip_contexts(struct cdr *message)
{
    uint32_t size_B;
    for (uint32_t count = cdr_get_count(message, GIOP_CONTEXTS_MAX, 8); count > 0; count--) {
        (void)cdr_get(message, 4);
        (void)cdr_see_octets(message, &size_B);
    }
}

// A whole message whose size is what its head says. The reader is behind the head.
static enum status open_message(const uint8_t *message, size_t size_B, struct giop_head *head,
                                struct cdr *reader)
{
    if (size_B < GIOP_HEAD_B)
        return STATUS_CORRUPT;
    const enum status status = giop_head_read(message, head);
    if (status != STATUS_OK || head->size_B != size_B - GIOP_HEAD_B)
        return status != STATUS_OK ? status : STATUS_CORRUPT;
    *reader = cdr_reader(message, size_B, head->little);
    reader->at = GIOP_HEAD_B;
    return STATUS_OK;
}

static void see_key(struct giop_request *request, struct cdr *reader)
{
    if (!is_old(&request->head)) // only an address by its key is understood
        reader->bad |= cdr_get(reader, 2) != 0;
    request->key = cdr_see_octets(reader, &request->key_B);
}

static void find_body(const struct giop_head *head, struct cdr *reader)
{
    if (!is_old(head) && cdr_left(reader) > 0)
        cdr_align_get(reader, 8);
}

// Whether a reply is expected; the reserved bytes behind that are skipped.
static bool read_wish(const struct giop_head *head, struct cdr *reader)
{
    uint8_t flags[3];
    const bool wish = is_old(head) ? cdr_get_boolean(reader) : (cdr_get(reader, 1) & 1) != 0;
    if (head->minor > 0)
        cdr_get_bytes(reader, flags, sizeof flags);
    return wish;
}

enum status giop_request_read(const uint8_t *message, size_t size_B, struct giop_request *request,
                              struct cdr *body)
{
    struct cdr reader;
    *request = (struct giop_request){.operation = ""};
    const enum status status = open_message(message, size_B, &request->head, &reader);
    if (status != STATUS_OK)
        return status;
    const bool locate = request->head.type == GIOP_LOCATE_REQUEST, old = is_old(&request->head);
    if (old && !locate)
        skip_contexts(&reader);
    request->id = (uint32_t)cdr_get(&reader, 4);
    request->expects_reply = true;
    if (!locate)
        request->expects_reply = read_wish(&request->head, &reader);
    see_key(request, &reader);
    if (!locate) {
        uint32_t principal_B;
        request->operation = cdr_see_string(&reader, GIOP_OPERATION_MAX);
        if (old)
            (void)cdr_see_octets(&reader, &principal_B);
        else
            skip_contexts(&reader);
        find_body(&request->head, &reader);
    }
    *body = reader;
    return reader.bad ? STATUS_CORRUPT : STATUS_OK;
}

enum status giop_reply_read(const uint8_t *message, size_t size_B, struct giop_reply *reply,
                            struct cdr *body)
{
    struct giop_head head;
    struct cdr reader;
    const enum status status = open_message(message, size_B, &head, &reader);
    if (status != STATUS_OK)
        return status;
    if (is_old(&head))
        skip_contexts(&reader);
    reply->id = (uint32_t)cdr_get(&reader, 4);
    reply->status = (uint32_t)cdr_get(&reader, 4);
    if (!is_old(&head))
        skip_contexts(&reader);
    find_body(&head, &reader);
    *body = reader;
    return reader.bad ? STATUS_CORRUPT : STATUS_OK;
}

// ---- fragments ----------------------------------------------------------------------------------

// The size of what is assembled becomes that of its head, and no more is to come.
static void close_assembly(struct giop_assembly *assembly)
{
    struct cdr message = cdr_writer(assembly->bytes, assembly->size_B, assembly->bytes[6] & 1);
    message.at = assembly->size_B;
    (void)giop_finish(&message);
    assembly->bytes[6] &= (uint8_t)~FLAG_MORE;
    assembly->open = false;
}

static enum status append(struct giop_assembly *assembly, const uint8_t *bytes, size_t size_B,
                          bool more)
{
    if (size_B > assembly->room_B - assembly->size_B)
        return STATUS_TOO_LARGE;
    memcpy(assembly->bytes + assembly->size_B, bytes, size_B);
    assembly->size_B += size_B;
    assembly->open = more;
    if (more)
        return STATUS_EMPTY;
    close_assembly(assembly);
    return STATUS_OK;
}

// The head of a fragment: in 1.2 the request's id follows.
static size_t fragment_head_B(const struct giop_head *head)
{
    return is_old(head) ? GIOP_HEAD_B : GIOP_HEAD_B + 4;
}

// A fragment is of the version and byte order of its message, and continues the message of its id,
// which stands behind the head in both; in 1.1, which has no ids there, the one that is open.
static bool continues(const struct giop_assembly *assembly, const struct giop_head *head,
                      const uint8_t *message, size_t size_B)
{
    const size_t head_B = fragment_head_B(head);
    return assembly->open && head->minor == assembly->bytes[5] && size_B >= head_B &&
           head->little == (assembly->bytes[6] & FLAG_LITTLE) &&
           memcmp(assembly->bytes + GIOP_HEAD_B, message + GIOP_HEAD_B, head_B - GIOP_HEAD_B) == 0;
}

enum status giop_assemble(struct giop_assembly *assembly, const uint8_t *message, size_t size_B)
{
    struct giop_head head;
    struct cdr reader;
    const enum status status = open_message(message, size_B, &head, &reader);
    if (status != STATUS_OK)
        return status;
    const size_t head_B = fragment_head_B(&head);
    if (head.type == GIOP_FRAGMENT)
        return continues(assembly, &head, message, size_B)
                   ? append(assembly, message + head_B, size_B - head_B, head.more)
                   : STATUS_CORRUPT;
    if (assembly->open || (head.more && size_B < head_B))
        return STATUS_CORRUPT;
    assembly->size_B = 0;
    return append(assembly, message, size_B, head.more);
}

size_t giop_piece(const uint8_t *message, size_t size_B, size_t *done_B, uint8_t *piece,
                  size_t piece_B)
{
    const struct giop_head head = {.minor = message[5]};
    const size_t head_B = *done_B == 0 ? 0 : fragment_head_B(&head), left_B = size_B - *done_B;
    if (left_B == 0)
        return 0;
    const size_t taken_B = left_B < piece_B - head_B ? left_B : piece_B - head_B;
    if (head_B > 0) { // magic, version, flags; and the id
        memcpy(piece, message, head_B);
        piece[7] = GIOP_FRAGMENT;
    }
    memcpy(piece + head_B, message + *done_B, taken_B);
    *done_B += taken_B;
    piece[6] = (uint8_t)((piece[6] & FLAG_LITTLE) | (*done_B < size_B ? FLAG_MORE : 0));
    struct cdr sized = cdr_writer(piece, piece_B, piece[6] & FLAG_LITTLE);
    sized.at = head_B + taken_B;
    return giop_finish(&sized);
}
