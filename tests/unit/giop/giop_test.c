// giop: values, messages, fragments, references, segments; and calls over a transport in memory and
// over TCP.
#include "tests/unit/common/unit.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "giop/segment.h"
#include "tests/unit/giop/memory.h"

#include "tests/unit/giop/echo.h"

#define TIMEOUT_NS 1000000

START_TEST(values_have_the_bytes_of_the_standard)
{
    uint8_t bytes[32];
    const uint8_t big[] = {1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 'a', 'b', 0};
    const uint8_t little[] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 'a', 'b', 0};
    for (unsigned i = 0; i < 2; i++) {
        char text[4];
        struct cdr out = cdr_writer(bytes, sizeof bytes, i == 1);
        cdr_put(&out, 1, 1);
        cdr_put(&out, 2, 4); // aligned
        cdr_put_string(&out, "ab");
        ck_assert_uint_eq(out.at, sizeof big);
        ck_assert_mem_eq(bytes, i == 1 ? little : big, sizeof big);
        struct cdr in = cdr_reader(bytes, out.at, i == 1);
        ck_assert_uint_eq(cdr_get(&in, 1), 1);
        ck_assert_uint_eq(cdr_get(&in, 4), 2);
        cdr_get_string(&in, text, sizeof text);
        ck_assert_str_eq(text, "ab");
        ck_assert(!in.bad && cdr_left(&in) == 0);
    }
}
END_TEST

START_TEST(lengths_and_counts_are_not_believed)
{
    const uint8_t huge[] = {0xFF, 0xFF, 0xFF, 0xFF, 'a', 0}, nothing[] = {0, 0, 0, 0};
    const uint8_t within[] = {3, 0, 0, 0, 0, 'a', 0}, open[] = {2, 0, 0, 0, 'a', 'b'};
    const struct {
        const uint8_t *bytes;
        size_t size_B;
    } bad[] = {{huge, sizeof huge}, {nothing, 4}, {within, 7}, {open, 6}, {huge, 3}};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[8];
        struct cdr in = cdr_reader(bad[i].bytes, bad[i].size_B, true);
        cdr_get_string(&in, text, sizeof text);
        ck_assert_msg(in.bad, "text %u", i);
        ck_assert_str_eq(text, "");
    }
    struct cdr in = cdr_reader(huge, sizeof huge, true);
    ck_assert_uint_eq(cdr_get_count(&in, UINT32_MAX, 1), 0);
    ck_assert(in.bad);
    in = cdr_reader(within, sizeof within, true);
    ck_assert_uint_eq(cdr_get_count(&in, 2, 1), 0); // 3: more than the interface allows
    ck_assert(in.bad);
}
END_TEST

static struct giop_request example_request(uint8_t minor, bool little)
{
    return (struct giop_request){.head = {.minor = minor, .little = little},
                                 .id = 7,
                                 .expects_reply = true,
                                 .key = (const uint8_t *)"node",
                                 .key_B = 4,
                                 .operation = "read"};
}

START_TEST(requests_and_replies_are_read_as_they_were_written)
{
    for (unsigned i = 0; i < 6; i++) {
        uint8_t bytes[256];
        struct cdr body;
        struct giop_reply answer;
        size_t status_at;
        const struct giop_request written = example_request((uint8_t)(i / 2), i % 2 == 0);
        struct giop_request read;
        struct cdr out = giop_request_begin(bytes, sizeof bytes, &written);
        cdr_put_double(&out, 1.5);
        size_t size_B = giop_finish(&out);
        ck_assert_int_eq(giop_request_read(bytes, size_B, &read, &body), STATUS_OK);
        ck_assert_uint_eq(read.id, 7);
        ck_assert(read.expects_reply && read.key_B == 4 && memcmp(read.key, "node", 4) == 0);
        ck_assert_str_eq(read.operation, "read");
        ck_assert(cdr_get_double(&body) == 1.5 && !body.bad);
        out = giop_reply_begin(bytes, sizeof bytes, &written, &status_at);
        cdr_put(&out, 99, 4);
        giop_status_put(&out, status_at, GIOP_USER_EXCEPTION);
        size_B = giop_finish(&out);
        ck_assert_int_eq(giop_reply_read(bytes, size_B, &answer, &body), STATUS_OK);
        ck_assert_uint_eq(answer.id, 7);
        ck_assert_uint_eq(answer.status, GIOP_USER_EXCEPTION);
        ck_assert_uint_eq(cdr_get(&body, 4), 99);
        // One byte less, and the head's size is wrong.
        ck_assert_int_eq(giop_reply_read(bytes, size_B - 1, &answer, &body), STATUS_CORRUPT);
    }
}
END_TEST

// CORBA 3.3 part 2, 9.4.2.1: three reserved octets behind response_expected, a principal at the
// end.
START_TEST(a_request_of_1_1_has_the_bytes_of_the_standard)
{
    static const uint8_t standard[] = {
        'G', 'I', 'O', 'P', 1,   1,   0,   0,   0, 0, 0, 37, 0,
        0,   0,   0,   0,   0,   0,   7,   1,   0, 0, 0, // contexts, id, reply
        0,   0,   0,   4,   'n', 'o', 'd', 'e', 0, 0, 0, 5,  'r',
        'e', 'a', 'd', 0,   0,   0,   0,   0,   0, 0, 0, 5};
    uint8_t bytes[256];
    const struct giop_request request = example_request(1, false);
    struct cdr out = giop_request_begin(bytes, sizeof bytes, &request);
    cdr_put(&out, 5, 1);
    ck_assert_uint_eq(giop_finish(&out), sizeof standard);
    ck_assert_mem_eq(bytes, standard, sizeof standard);
}
END_TEST

// Those of 1.1 have no id behind the head.
static void send_in_pieces(uint8_t minor, size_t head_B)
{
    static uint8_t message[1000], whole[1000], piece[64];
    const struct giop_request request = example_request(minor, true);
    struct giop_assembly assembly = {.bytes = whole, .room_B = sizeof whole};
    struct cdr out = giop_request_begin(message, sizeof message, &request);
    for (unsigned i = 0; i < 100; i++)
        cdr_put(&out, i, 4);
    const size_t size_B = giop_finish(&out), step_B = 64 - head_B;
    size_t done_B = 0, piece_B;
    unsigned pieces = 0;
    enum status status = STATUS_EMPTY;
    while ((piece_B = giop_piece(message, size_B, &done_B, piece, sizeof piece)) > 0) {
        ck_assert_int_eq(status, STATUS_EMPTY);
        ck_assert(done_B == size_B || piece_B % 8 == 0);
        status = giop_assemble(&assembly, piece, piece_B);
        pieces++;
    }
    ck_assert_int_eq(status, STATUS_OK);
    ck_assert_uint_eq(pieces, 1 + (size_B - 64 + step_B - 1) / step_B);
    ck_assert_uint_eq(assembly.size_B, size_B);
    ck_assert_mem_eq(whole, message, size_B);
}

START_TEST(fragments_become_the_message_again)
{
    send_in_pieces(1, 12);
    send_in_pieces(2, 16);
    // A fragment of another version continues nothing.
    static uint8_t message[200], whole[200], piece[64];
    const struct giop_request request = example_request(1, true);
    struct giop_assembly assembly = {.bytes = whole, .room_B = sizeof whole};
    struct cdr out = giop_request_begin(message, sizeof message, &request);
    cdr_put_bytes(&out, (uint8_t[100]){0}, 100);
    const size_t size_B = giop_finish(&out);
    size_t done_B = 0, piece_B = giop_piece(message, size_B, &done_B, piece, sizeof piece);
    ck_assert_int_eq(giop_assemble(&assembly, piece, piece_B), STATUS_EMPTY);
    piece_B = giop_piece(message, size_B, &done_B, piece, sizeof piece);
    piece[5] = 2;
    ck_assert_int_eq(giop_assemble(&assembly, piece, piece_B), STATUS_CORRUPT);
}
END_TEST

START_TEST(fragments_of_nothing_or_of_another_request_are_refused)
{
    static uint8_t message[200], whole[200], piece[64];
    const struct giop_request request = example_request(2, true);
    struct giop_assembly assembly = {.bytes = whole, .room_B = sizeof whole};
    struct cdr out = giop_request_begin(message, sizeof message, &request);
    cdr_put_bytes(&out, (uint8_t[100]){0}, 100);
    const size_t size_B = giop_finish(&out);
    size_t done_B = 0;
    size_t piece_B = giop_piece(message, size_B, &done_B, piece, sizeof piece);
    ck_assert_int_eq(giop_assemble(&assembly, piece, piece_B), STATUS_EMPTY);
    piece_B = giop_piece(message, size_B, &done_B, piece, sizeof piece);
    piece[GIOP_HEAD_B] ^= 1; // the id
    ck_assert_int_eq(giop_assemble(&assembly, piece, piece_B), STATUS_CORRUPT);
    assembly.open = false;
    ck_assert_int_eq(giop_assemble(&assembly, piece, piece_B), STATUS_CORRUPT);
    assembly = (struct giop_assembly){.bytes = whole, .room_B = 40};
    done_B = 0;
    piece_B = giop_piece(message, size_B, &done_B, piece, sizeof piece);
    ck_assert_int_eq(giop_assemble(&assembly, piece, piece_B), STATUS_TOO_LARGE);
}
END_TEST

START_TEST(references_are_read_as_they_were_written)
{
    char text[IOR_TEXT_MAX], again[IOR_TEXT_MAX];
    struct ior ior = {.type = "IDL:Hrp3p/Node:1.0",
                      .profile = {{.tag = IOR_TAG_IIOP,
                                   .minor = 2,
                                   .host = "127.0.0.1",
                                   .port = 2809,
                                   .key = "n7",
                                   .key_B = 2},
                                  {.tag = IOR_TAG_ERIOP,
                                   .minor = 2,
                                   .address = {2, 0x45, 0, 0, 0, 7},
                                   .channel = 3,
                                   .key = "n7",
                                   .key_B = 2}},
                      .profile_count = 2};
    struct ior read;
    ck_assert_int_eq(ior_text(&ior, text), STATUS_OK);
    ck_assert_int_eq(ior_read(text, &read), STATUS_OK);
    ck_assert_str_eq(read.type, ior.type);
    ck_assert_uint_eq(read.profile_count, 2);
    ck_assert_str_eq(ior_find(&read, IOR_TAG_IIOP)->host, "127.0.0.1");
    ck_assert_uint_eq(ior_find(&read, IOR_TAG_IIOP)->port, 2809);
    ck_assert_mem_eq(ior_find(&read, IOR_TAG_ERIOP)->address, ior.profile[1].address, 6);
    ck_assert_int_eq(ior_text(&read, again), STATUS_OK);
    ck_assert_str_eq(text, again);
    text[strlen(text) - 2] = '\0';
    ck_assert_int_eq(ior_read(text, &read), STATUS_INVALID);
    ck_assert_int_eq(ior_read("IOR:0g", &read), STATUS_INVALID);
    ck_assert_int_eq(ior_read("corbaloc::x/y", &read), STATUS_INVALID);
}
END_TEST

static enum status add(struct segment_assembly *assembly, uint32_t message, unsigned index,
                       unsigned count)
{
    static uint8_t frame[SEGMENT_HEAD_B + SEGMENT_DATA_B];
    struct segment segment = {.flags = (uint8_t)((index == 0 ? SEGMENT_FIRST : 0) |
                                                 (index + 1 == count ? SEGMENT_LAST : 0)),
                              .message = message,
                              .index = (uint16_t)index,
                              .count = (uint16_t)count};
    segment_put(frame, &segment);
    ck_assert_int_eq(segment_read(frame, sizeof frame, 4, &segment), STATUS_OK);
    return segment_assemble(assembly, &segment);
}

START_TEST(segments_become_messages_and_holes_lose_them)
{
    static uint8_t bytes[4 * SEGMENT_DATA_B];
    struct segment_assembly in = {.bytes = bytes, .room_B = sizeof bytes};
    const uint32_t last = UINT32_MAX; // numbers wrap
    ck_assert_int_eq(add(&in, last - 1, 0, 2), STATUS_EMPTY);
    ck_assert_int_eq(add(&in, last - 1, 0, 2), STATUS_MISSED); // a copy
    ck_assert_int_eq(add(&in, last - 1, 1, 2), STATUS_OK);
    ck_assert_uint_eq(in.size_B, 2 * SEGMENT_DATA_B);
    ck_assert_int_eq(add(&in, last - 1, 1, 2), STATUS_MISSED);
    ck_assert_int_eq(add(&in, last, 0, 3), STATUS_EMPTY);
    ck_assert_int_eq(add(&in, last, 2, 3), STATUS_MISSED); // after a hole
    ck_assert_int_eq(add(&in, 0, 0, 1), STATUS_OK);        // the newer one
    ck_assert_int_eq(add(&in, last, 0, 1), STATUS_MISSED);
    ck_assert_uint_eq(in.torn, 1);
    in.room_B = SEGMENT_DATA_B;
    ck_assert_int_eq(add(&in, 1, 0, 2), STATUS_EMPTY);
    ck_assert_int_eq(add(&in, 1, 1, 2), STATUS_TOO_LARGE);
}
END_TEST

START_TEST(segments_that_cannot_be_are_refused)
{
    uint8_t frame[SEGMENT_HEAD_B + 4];
    const struct segment bad[] = {
        {.flags = SEGMENT_FIRST | SEGMENT_LAST, .index = 0, .count = 0},
        {.flags = SEGMENT_FIRST | SEGMENT_LAST, .index = 1, .count = 1},
        {.flags = SEGMENT_LAST, .index = 0, .count = 1},
        {.flags = SEGMENT_FIRST, .index = 0, .count = 2}, // too short for one that is not the last
        {.flags = SEGMENT_FIRST | SEGMENT_LAST | 8, .index = 0, .count = 1},
        {.flags = SEGMENT_LAST, .index = 4, .count = 5}};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct segment segment;
        segment_put(frame, &bad[i]);
        ck_assert_msg(segment_read(frame, sizeof frame, 4, &segment) == STATUS_CORRUPT, "%u", i);
    }
}
END_TEST

// ---- calls --------------------------------------------------------------------------------------

static struct stage {
    struct memory_end end[2]; // client, server
    struct giop_orb *orb[2];
    struct giop_object object;
    struct echo echo;
    int64_t now_ns;
} stage;

static void set_up(size_t fragment_B)
{
    const struct ior_profile at = {.tag = IOR_TAG_ERIOP, .minor = 2, .key = "echo", .key_B = 4};
    memory_pair(stage.end, &stage.now_ns);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(
            giop_orb_create(&stage.end[i].base, MEMORY_MAX_B, fragment_B, &stage.orb[i]),
            STATUS_OK);
    echo_init(&stage.echo);
    ck_assert_int_eq(giop_orb_serve(stage.orb[1], "echo", EXAMPLE_ECHO_TYPE, example_echo_skeleton,
                                    &stage.echo.servant),
                     STATUS_OK);
    ck_assert_int_eq(giop_object_open(&stage.object, stage.orb[0], &at, TIMEOUT_NS), STATUS_OK);
}

static void tear_down(void)
{
    giop_orb_free(stage.orb[0]);
    giop_orb_free(stage.orb[1]);
}

static void serve(void)
{
    (void)giop_orb_work(stage.orb[1], 100, stage.now_ns);
}

static int64_t soon(void)
{
    return stage.now_ns + TIMEOUT_NS;
}

START_TEST(every_type_comes_back_in_both_byte_orders_and_versions)
{
    for (unsigned i = 0; i < 12; i++) {
        set_up(i / 6 == 1 ? 64 : 0);
        stage.object.minor = (uint8_t)(i % 3);
        stage.object.big = i / 3 % 2 == 1;
        const struct example_everything sent = echo_everything();
        struct example_everything back;
        ck_assert_int_eq(example_echo_all_send(&stage.object, &sent), GIOP_DONE);
        serve();
        ck_assert_int_eq(example_echo_all_await(&stage.object, soon(), &back), GIOP_DONE);
        ck_assert(echo_same(&sent, &back));
        tear_down();
    }
}
END_TEST

static enum giop_outcome divide(int32_t number, int32_t by, int32_t *result, int32_t *rest,
                                struct example_echo_raised *raised)
{
    ck_assert_int_eq(example_echo_divide_send(&stage.object, number, by), GIOP_DONE);
    serve();
    return example_echo_divide_await(&stage.object, soon(), result, rest, raised);
}

START_TEST(exceptions_come_with_what_they_say)
{
    struct example_echo_raised raised;
    int32_t result = 0, rest = 0;
    set_up(0);
    ck_assert_int_eq(divide(17, 5, &result, &rest, &raised), GIOP_DONE);
    ck_assert(result == 3 && rest == 2 && raised.which == EXAMPLE_ECHO_RAISED_NOTHING);
    ck_assert_int_eq(divide(17, 0, &result, &rest, &raised), GIOP_RAISED);
    ck_assert_int_eq(raised.which, EXAMPLE_ECHO_RAISED_REFUSED);
    ck_assert_str_eq(raised.refused.why, "by zero");
    ck_assert_int_eq(raised.refused.code, 17);
    ck_assert_int_eq(divide(17, -1, &result, &rest, &raised), GIOP_RAISED);
    ck_assert_int_eq(raised.which, EXAMPLE_ECHO_RAISED_OTHER);
    tear_down();
}
END_TEST

static void call_unknown(const char *operation, const char *key, const char *exception)
{
    struct cdr results;
    memcpy(stage.object.at.key, key, strlen(key));
    stage.object.at.key_B = (uint32_t)strlen(key);
    (void)giop_call_begin(&stage.object, operation, true);
    ck_assert_int_eq(giop_call_send(&stage.object), GIOP_DONE);
    serve();
    ck_assert_int_eq(giop_call_await(&stage.object, soon(), &results), GIOP_SYSTEM);
    ck_assert_str_eq(stage.object.exception, exception);
}

START_TEST(what_is_not_there_raises_system_exceptions)
{
    set_up(0);
    call_unknown("sing", "echo", "IDL:omg.org/CORBA/BAD_OPERATION:1.0");
    call_unknown("all", "ego", "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0");
    call_unknown("all", "echo", "IDL:omg.org/CORBA/MARSHAL:1.0"); // no arguments
    stage.echo.servant.get_noted = NULL;
    call_unknown("_get_noted", "echo", "IDL:omg.org/CORBA/NO_IMPLEMENT:1.0");
    ck_assert_uint_eq(giop_orb_counts(stage.orb[1])->unknown, 1);
    tear_down();
}
END_TEST

START_TEST(a_lost_request_or_reply_is_a_timeout_and_a_late_reply_nobodys)
{
    int32_t noted = 0;
    for (unsigned end = 0; end < 2; end++) {
        set_up(0);
        stage.end[end].to_lose = 1;
        const int64_t until_ns = soon();
        ck_assert_int_eq(example_echo_get_noted_send(&stage.object), GIOP_DONE);
        serve();
        ck_assert_int_eq(example_echo_get_noted_await(&stage.object, until_ns, &noted),
                         GIOP_TIMEOUT);
        ck_assert_int_eq(stage.now_ns, until_ns); // neither earlier nor later
        // The next one is answered.
        ck_assert_int_eq(example_echo_note(&stage.object, 42), GIOP_DONE);
        ck_assert_int_eq(example_echo_get_noted_send(&stage.object), GIOP_DONE);
        serve();
        ck_assert_int_eq(example_echo_get_noted_await(&stage.object, soon(), &noted), GIOP_DONE);
        ck_assert_int_eq(noted, 42);
        tear_down();
    }
    set_up(0);
    ck_assert_int_eq(example_echo_get_noted_send(&stage.object), GIOP_DONE);
    ck_assert_int_eq(example_echo_get_noted_await(&stage.object, soon(), &noted), GIOP_TIMEOUT);
    ck_assert_int_eq(example_echo_note(&stage.object, 43), GIOP_DONE);
    ck_assert_int_eq(example_echo_get_noted_send(&stage.object), GIOP_DONE);
    serve(); // answers both: with 0, and with 43
    ck_assert_int_eq(example_echo_get_noted_await(&stage.object, soon(), &noted), GIOP_DONE);
    ck_assert_int_eq(noted, 43);
    ck_assert_uint_eq(giop_orb_counts(stage.orb[0])->late, 1);
    tear_down();
}
END_TEST

START_TEST(a_reply_behind_others_is_found_by_who_looks_after_the_deadline)
{
    int32_t noted = 0;
    set_up(0);
    for (unsigned n = 0; n < 3; n++) { // two calls are given up
        ck_assert_int_eq(example_echo_note(&stage.object, 40 + (int32_t)n), GIOP_DONE);
        ck_assert_int_eq(example_echo_get_noted_send(&stage.object), GIOP_DONE);
    }
    const int64_t until_ns = soon();
    serve();
    stage.now_ns = until_ns + 1;
    ck_assert_int_eq(example_echo_get_noted_await(&stage.object, until_ns, &noted), GIOP_DONE);
    ck_assert_int_eq(noted, 42);
    ck_assert_uint_eq(giop_orb_counts(stage.orb[0])->late, 2);
    tear_down();
}
END_TEST

static void spoil(uint8_t *bytes, size_t size_B)
{
    bytes[size_B - 1] = 0xFF;
    bytes[size_B - 4] = 0xFF;
}

START_TEST(a_reply_that_the_interface_does_not_allow_is_malformed)
{
    char label[32];
    set_up(0);
    ck_assert_int_eq(example_echo_get_label_send(&stage.object), GIOP_DONE);
    stage.end[1].change = spoil; // of an empty text: count 1, and the zero
    serve();
    ck_assert_int_eq(example_echo_get_label_await(&stage.object, soon(), label), GIOP_MALFORMED);
    tear_down();
}
END_TEST

START_TEST(large_sequences_cross_tcp_in_fragments)
{
    static struct example_bytes sent, back;
    struct giop_transport *transport[2];
    struct giop_orb *client, *server;
    struct giop_object object;
    struct echo echo;
    char text[IOR_TEXT_MAX];
    struct ior ior;
    echo_init(&echo);
    ck_assert_int_eq(iiop_create(NULL, 0, 2, 200000, &transport[0]), STATUS_OK);
    ck_assert_int_eq(iiop_create("127.0.0.1", 0, 2, 200000, &transport[1]), STATUS_OK);
    ck_assert_int_eq(giop_orb_create(transport[0], 200000, 8192, &client), STATUS_OK);
    ck_assert_int_eq(giop_orb_create(transport[1], 200000, 8192, &server), STATUS_OK);
    ck_assert_int_eq(
        giop_orb_serve(server, "echo", EXAMPLE_ECHO_TYPE, example_echo_skeleton, &echo.servant),
        STATUS_OK);
    ck_assert_int_eq(giop_orb_reference(server, "echo", text), STATUS_OK);
    ck_assert_int_eq(ior_read(text, &ior), STATUS_OK);
    ck_assert_int_eq(giop_object_open(&object, client, &ior.profile[0], INT64_C(10000000000)),
                     STATUS_OK);
    sent.count = 100000;
    for (unsigned i = 0; i < sent.count; i++)
        sent.item[i] = (uint8_t)(i * i >> 3);
    ck_assert_int_eq(example_echo_pass_send(&object, &sent), GIOP_DONE);
    for (unsigned n = 0; n < 20 && giop_orb_counts(server)->requests == 0; n++)
        (void)giop_orb_work(server, 1, giop_call_deadline_ns(&object));
    ck_assert_int_eq(example_echo_pass_await(&object, giop_call_deadline_ns(&object), &back),
                     GIOP_DONE);
    ck_assert_uint_eq(back.count, sent.count);
    ck_assert_mem_eq(back.item, sent.item, sent.count);
    giop_orb_free(server); // closes
    int32_t noted;
    ck_assert_int_eq(example_echo_get_noted(&object, &noted), GIOP_LOST);
    giop_orb_free(client);
}
END_TEST

static void spoil_flags(uint8_t *bytes, size_t size_B)
{
    (void)size_B;
    bytes[6] |= 2; // more is to come
}

static void spoil_type(uint8_t *bytes, size_t size_B)
{
    (void)size_B;
    bytes[7] = GIOP_ERROR;
}

START_TEST(over_frames_a_spoilt_message_costs_its_call_and_no_other)
{
    void (*const change[])(uint8_t *, size_t) = {spoil_flags, spoil_type};
    for (unsigned i = 0; i < 4; i++) {
        int32_t noted = 0;
        set_up(0);
        stage.end[i / 2].change = change[i % 2];
        ck_assert_int_eq(example_echo_get_noted_send(&stage.object), GIOP_DONE);
        serve();
        ck_assert_int_eq(example_echo_get_noted_await(&stage.object, soon(), &noted), GIOP_TIMEOUT);
        stage.end[i / 2].change = NULL;
        enum giop_outcome outcome = GIOP_TIMEOUT;
        for (unsigned n = 0; n < 2 && outcome != GIOP_DONE; n++) { // one may end the open one
            ck_assert_int_eq(example_echo_get_noted_send(&stage.object), GIOP_DONE);
            serve();
            outcome = example_echo_get_noted_await(&stage.object, soon(), &noted);
        }
        ck_assert_int_eq(outcome, GIOP_DONE);
        tear_down();
    }
}
END_TEST

START_TEST(who_asks_where_an_object_is_is_told)
{
    const char *const key[] = {"echo", "ego"};
    for (unsigned i = 0; i < 4; i++) {
        uint8_t bytes[64];
        const uint8_t minor = i & 1 ? 2 : (uint8_t)(i / 2 % 2);
        set_up(0);
        struct cdr out = giop_begin(bytes, sizeof bytes, GIOP_LOCATE_REQUEST, minor, true);
        cdr_put(&out, 5, 4);
        if (minor == 2)
            cdr_put(&out, 0, 2);
        cdr_put(&out, strlen(key[i / 2]), 4);
        cdr_put_bytes(&out, key[i / 2], strlen(key[i / 2]));
        ck_assert_int_eq(memory_send(&stage.end[0].base, 0, bytes, giop_finish(&out), 0),
                         STATUS_OK);
        serve();
        ck_assert_uint_eq(stage.end[0].count, 1);
        const uint8_t *reply = stage.end[0].queue[0];
        ck_assert_uint_eq(reply[7], GIOP_LOCATE_REPLY);
        ck_assert_uint_eq(reply[16], i < 2); // OBJECT_HERE, or UNKNOWN_OBJECT
        tear_down();
    }
}
END_TEST

static int connect_to(uint16_t port)
{
    const struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert(fd >= 0 && connect(fd, (const struct sockaddr *)&at, sizeof at) == 0);
    return fd;
}

START_TEST(strangers_on_tcp_are_told_and_cut_off)
{
    static const char *const said[] = {"GET / HTTP/1.1\r\n\r\n", "GIOP\1\1\0\0\0\0\0\0",
                                       "GIOP\1\2\1\0\377\377\377\177"};
    struct giop_transport *transport;
    struct giop_orb *server;
    struct ior_profile at;
    ck_assert_int_eq(iiop_create("127.0.0.1", 0, 1, 1000, &transport), STATUS_OK);
    ck_assert_int_eq(giop_orb_create(transport, 1000, 0, &server), STATUS_OK);
    transport->operations->profile(transport, &at);
    for (unsigned i = 0; i < 3; i++) { // there is room for one: each is gone before the next
        uint8_t told[64];
        const int fd = connect_to(at.port);
        ck_assert_int_eq(write(fd, said[i], 12), 12);
        (void)giop_orb_work(server, 1, transport->operations->now_ns(transport) + 10000000000);
        ck_assert_int_eq(recv(fd, told, sizeof told, MSG_WAITALL), GIOP_HEAD_B); // and the end
        ck_assert_uint_eq(told[7], GIOP_ERROR);
        ck_assert_uint_eq(giop_orb_counts(server)->malformed, i + 1);
        close(fd);
    }
    giop_orb_free(server);
}
END_TEST

UNIT_MAIN("giop", values_have_the_bytes_of_the_standard, lengths_and_counts_are_not_believed,
          requests_and_replies_are_read_as_they_were_written, fragments_become_the_message_again,
          a_request_of_1_1_has_the_bytes_of_the_standard,
          fragments_of_nothing_or_of_another_request_are_refused,
          references_are_read_as_they_were_written, segments_become_messages_and_holes_lose_them,
          segments_that_cannot_be_are_refused,
          every_type_comes_back_in_both_byte_orders_and_versions,
          exceptions_come_with_what_they_say, what_is_not_there_raises_system_exceptions,
          a_lost_request_or_reply_is_a_timeout_and_a_late_reply_nobodys,
          a_reply_behind_others_is_found_by_who_looks_after_the_deadline,
          a_reply_that_the_interface_does_not_allow_is_malformed,
          large_sequences_cross_tcp_in_fragments, who_asks_where_an_object_is_is_told,
          over_frames_a_spoilt_message_costs_its_call_and_no_other,
          strangers_on_tcp_are_told_and_cut_off)
