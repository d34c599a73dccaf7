// The object of tests/unit/giop/example.idl on loopback, and a caller that asks it everything:
// opposite another broker (omniorb_peer.cc). Every message is also written to MESSAGES, as
// text2pcap reads it. The server ends when 4711 was noted and is read, at the latest after a
// minute.
//
//   giop_peer serve MESSAGES             prints its reference
//   giop_peer call MESSAGES REFERENCE [0|2] [big]   version 1.0 or 1.2, byte order; exit 1: an
//   answer is wrong
#include <stdlib.h>
#include <string.h>

#include "tests/unit/giop/echo.h"

#define ROOM_B 200000
#define FRAGMENT_B 8192
#define PACKET_B 1440 // a multiple of 16
#define END 4711
#define MINUTE_NS INT64_C(60000000000)

static FILE *messages;
static struct giop_transport_operations noting;
static const struct giop_transport_operations *iiop;

// In packets as TCP has them.
static void note(char direction, const uint8_t *bytes, size_t size_B)
{
    for (size_t i = 0; i < size_B; i += 16) {
        if (i % PACKET_B == 0)
            fprintf(messages, "%c\n", direction);
        fprintf(messages, "%06zx", i % PACKET_B);
        for (size_t k = i; k < i + 16 && k < size_B; k++)
            fprintf(messages, " %02x", bytes[k]);
        fputc('\n', messages);
    }
}

static enum status send_noting(struct giop_transport *transport, unsigned connection,
                               const uint8_t *bytes, size_t size_B, int64_t until_ns)
{
    note('O', bytes, size_B);
    return iiop->send(transport, connection, bytes, size_B, until_ns);
}

static enum status receive_noting(struct giop_transport *transport, int64_t until_ns,
                                  unsigned *connection, const uint8_t **bytes, size_t *size_B)
{
    const enum status status = iiop->receive(transport, until_ns, connection, bytes, size_B);
    if (status == STATUS_OK)
        note('I', *bytes, *size_B);
    return status;
}

static struct giop_orb *open_orb(const char *host)
{
    struct giop_transport *transport;
    struct giop_orb *orb;
    if (iiop_create(host, 0, 4, ROOM_B, &transport) != STATUS_OK)
        exit(3);
    iiop = transport->operations;
    noting = *iiop;
    noting.send = send_noting;
    noting.receive = receive_noting;
    transport->operations = &noting;
    if (giop_orb_create(transport, ROOM_B, FRAGMENT_B, &orb) != STATUS_OK)
        exit(3);
    return orb;
}

static bool ended;

static void get_noted(void *self, const struct giop_call *call, int32_t *result)
{
    echo_get_noted(self, call, result);
    ended |= *result == END;
}

static int serve(void)
{
    struct giop_orb *orb = open_orb("127.0.0.1");
    static struct echo echo;
    char text[IOR_TEXT_MAX];
    echo_init(&echo);
    echo.servant.get_noted = get_noted;
    if (giop_orb_serve(orb, "echo", EXAMPLE_ECHO_TYPE, example_echo_skeleton, &echo.servant) !=
            STATUS_OK ||
        giop_orb_reference(orb, "echo", text) != STATUS_OK)
        return 3;
    puts(text);
    fflush(stdout);
    const int64_t end_ns = noting.now_ns(NULL) + MINUTE_NS;
    while (!ended && noting.now_ns(NULL) < end_ns)
        (void)giop_orb_work(orb, 1, end_ns);
    const struct giop_counts *counts = giop_orb_counts(orb);
    fprintf(stderr, "%lu requests, %lu malformed\n", counts->requests, counts->malformed);
    giop_orb_free(orb);
    return ended ? 0 : 1;
}

static int wrong; // answers

static void expect(const char *what, bool right, enum giop_outcome outcome)
{
    printf("%s: %s%s\n", what, giop_outcome_text(outcome), right ? "" : " -- WRONG");
    wrong += !right;
}

static void call_values(struct giop_object *object)
{
    static struct example_bytes sent, back;
    const struct example_everything all = echo_everything();
    struct example_everything again;
    enum giop_outcome outcome = example_echo_all(object, &all, &again);
    expect("all types", outcome == GIOP_DONE && echo_same(&all, &again), outcome);
    // Version 1.0 knows no fragments.
    sent.count = object->minor >= 1 ? 100000 : 5000;
    for (unsigned i = 0; i < sent.count; i++)
        sent.item[i] = (uint8_t)(i * i >> 3);
    outcome = example_echo_pass(object, &sent, &back);
    expect("many bytes",
           outcome == GIOP_DONE && back.count == sent.count &&
               memcmp(sent.item, back.item, sent.count) == 0,
           outcome);
}

static void call_exceptions(struct giop_object *object)
{
    struct example_echo_raised raised;
    struct cdr results;
    int32_t result = 0, rest = 0;
    enum giop_outcome outcome = example_echo_divide(object, 17, 5, &result, &rest, &raised);
    expect("17 by 5", outcome == GIOP_DONE && result == 3 && rest == 2, outcome);
    outcome = example_echo_divide(object, 17, 0, &result, &rest, &raised);
    expect("17 by 0",
           outcome == GIOP_RAISED && raised.which == EXAMPLE_ECHO_RAISED_REFUSED &&
               strcmp(raised.refused.why, "by zero") == 0 && raised.refused.code == 17,
           outcome);
    outcome = example_echo_divide(object, 17, -1, &result, &rest, &raised);
    expect("17 by -1", outcome == GIOP_RAISED && raised.which == EXAMPLE_ECHO_RAISED_OTHER,
           outcome);
    (void)giop_call_begin(object, "sing", true);
    (void)giop_call_send(object);
    outcome = giop_call_await(object, giop_call_deadline_ns(object), &results);
    expect("an unknown operation",
           outcome == GIOP_SYSTEM && strstr(object->exception, "BAD_OPERATION") != NULL, outcome);
}

static void call_attributes(struct giop_object *object)
{
    char label[32] = "";
    int32_t noted = 0;
    enum giop_outcome outcome = example_echo_set_label(object, "a label");
    expect("a label set", outcome == GIOP_DONE, outcome);
    outcome = example_echo_get_label(object, label);
    expect("the label", outcome == GIOP_DONE && strcmp(label, "a label") == 0, outcome);
    (void)example_echo_note(object, END);
    outcome = example_echo_get_noted(object, &noted);
    expect("what was noted", outcome == GIOP_DONE && noted == END, outcome);
}

static int call(const char *reference, const char *minor, bool big)
{
    struct ior ior;
    struct giop_object object;
    struct giop_orb *orb = open_orb(NULL);
    if (ior_read(reference, &ior) != STATUS_OK || ior_find(&ior, IOR_TAG_IIOP) == NULL ||
        giop_object_open(&object, orb, ior_find(&ior, IOR_TAG_IIOP), MINUTE_NS / 2) != STATUS_OK)
        return 3;
    object.minor = (uint8_t)(minor[0] - '0');
    object.big = big;
    call_values(&object);
    call_exceptions(&object);
    call_attributes(&object);
    giop_object_close(&object);
    giop_orb_free(orb);
    return wrong > 0;
}

int main(int argc, char **argv)
{
    if (argc < 3 || (messages = fopen(argv[2], "w")) == NULL)
        return 2;
    const int code =
        strcmp(argv[1], "serve") == 0 ? serve() : call(argv[3], argc > 4 ? argv[4] : "2", argc > 5);
    return fclose(messages) == 0 ? code : 3;
}
