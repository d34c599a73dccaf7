// taps: what is sent and printed stands in the history, tap by tap and at its time; what is no
// message is counted.
#include "tests/unit/common/unit.h"

#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "harness/files/target/target.h"
#include "harness/history/schema.h"
#include "harness/trial/taps.h"

static struct target target = {
    .tap_count = 3,
    .tap = {{.channel = "log",
             .from = "stdout:talker",
             .kind = TAP_STDOUT,
             .name = "talker",
             .message = "taps_test.log",
             .fields = "a=(?<a>\\S+)"},
            {.channel = "pole",
             .from = "unix:pole",
             .kind = TAP_UNIX,
             .name = "pole",
             .message = "taps_test.msg"},
            {.channel = "port", .from = "udp:free", .kind = TAP_UDP, .message = "taps_test.msg"}},
};

static struct history *history;
static struct watch *watch;
static struct taps *taps;
static char cell[64], reason[256];
static int sender = -1;

// One that nobody has now.
static uint16_t free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size_B = sizeof address;
    const int udp = socket(AF_INET, SOCK_DGRAM, 0);
    ck_assert_int_eq(bind(udp, (const struct sockaddr *)&address, size_B), 0);
    ck_assert_int_eq(getsockname(udp, (struct sockaddr *)&address, &size_B), 0);
    close(udp);
    return ntohs(address.sin_port);
}

static void start(enum clk_mode mode)
{
    snprintf(target.tap[2].name, sizeof target.tap[2].name, "%u", free_port());
    struct message_mistake mistake;
    ck_assert_int_eq(schema_declare("taps_test.log", "float64 a\n", &mistake), STATUS_OK);
    ck_assert_int_eq(schema_declare("taps_test.msg", "float64 a\nuint32 b\nuint32 c\n", &mistake),
                     STATUS_OK);
    make_folder(cell, sizeof cell);
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_msg(taps_create(cell, &target, mode, history, &taps, reason, sizeof reason) ==
                      STATUS_OK,
                  "%s", reason);
    ck_assert_int_eq(watch_create(&target, history, &watch), STATUS_OK);
    sender = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
}

static void finish(void)
{
    close(sender);
    taps_free(taps);
    watch_free(watch);
    history_free(history);
}

static bool send_bytes(const void *bytes, size_t size_B)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/taps/pole", cell);
    return sendto(sender, bytes, size_B, 0, (const struct sockaddr *)&address, sizeof address) ==
           (ssize_t)size_B;
}

static bool send_number(double a)
{
    const struct {
        double a;
        uint32_t b, c;
    } message = {a, 0, 0};
    return send_bytes(&message, sizeof message);
}

static void print(const char *process, const char *text, int64_t time_ns)
{
    taps_hear(taps, &(struct output_line){.time = instant_ns(time_ns),
                                          .process = process,
                                          .text = text,
                                          .length = strlen(text)});
}

static void record(int64_t time_ns)
{
    ck_assert_int_eq(taps_record(taps, instant_ns(time_ns), watch), STATUS_OK);
}

// Event `index` is this frame: its first number.
static void expect_frame(size_t index, const char *topic, uint64_t number, int64_t time_ns,
                         double first)
{
    const struct event *event = history_event(history, index);
    double value;
    memcpy(&value, event->data, sizeof value);
    ck_assert_str_eq(history_topic_name(history, event->topic), topic);
    ck_assert_uint_eq(event->number, number);
    ck_assert_int_eq(event->time.ns, time_ns);
    ck_assert(value == first);
}

START_TEST(what_is_said_in_a_turn_is_recorded_tap_by_tap_when_it_was_said)
{
    start(CLK_VIRTUAL);
    ck_assert(send_number(7));
    print("talker", "a=1", 10);
    taps_drain(taps, instant_ns(10)); // in the middle of a turn
    ck_assert(send_number(8));
    print("talker", "a=2", 10);
    print("talker", "b=3", 10);
    print("another", "a=4", 10);
    ck_assert_uint_eq(history_length(history), 0);
    record(10);
    ck_assert_uint_eq(history_length(history), 4);
    expect_frame(0, "log", 1, 10, 1);
    expect_frame(1, "log", 2, 10, 2);
    expect_frame(2, "pole", 1, 10, 7);
    expect_frame(3, "pole", 2, 10, 8);
    record(20); // nothing new
    ck_assert_uint_eq(history_length(history), 4);
    finish();
}
END_TEST

START_TEST(what_is_no_message_is_counted_and_the_first_is_worded)
{
    static const char bytes[40];
    start(CLK_VIRTUAL);
    ck_assert(send_bytes(bytes, 15) && send_bytes(bytes, 17) && send_bytes(bytes, 0) &&
              send_bytes(bytes, sizeof bytes));
    print("talker", "a=\033[2J", 5);
    record(10);
    ck_assert_uint_eq(history_length(history), 2);
    for (size_t i = 0; i < 2; i++) {
        const struct tap_event *event = history_event(history, i)->data;
        ck_assert_str_eq(history_topic_name(history, history_event(history, i)->topic), TOPIC_TAP);
        ck_assert_str_eq(event->tap, i == 0 ? "log" : "pole");
        ck_assert_uint_eq(event->messages, i == 0 ? 1 : 4);
        ck_assert_str_eq(event->words,
                         i == 0 ? "no number: a=?[2J" : "15 bytes; a taps_test.msg has 16");
    }
    finish();
}
END_TEST

START_TEST(room_in_a_socket_is_told_and_its_bytes_are_counted)
{
    start(CLK_VIRTUAL);
    unsigned sent = 0;
    while (sent < 1000 && send_number(sent))
        sent++;
    ck_assert(!taps_made_room(taps));
    record(10);
    ck_assert(taps_made_room(taps));
    ck_assert(!taps_made_room(taps));
    ck_assert(send_number(sent));
    record(20);
    ck_assert_uint_eq(history_length(history), sent + 1);
    double used_MB;
    ck_assert_ptr_null(taps_flooded(taps, 1, &used_MB));
    ck_assert_str_eq(taps_flooded(taps, 0.0005, &used_MB), "pole");
    expect_frame(sent, "pole", sent + 1, 20, sent);
    finish();
}
END_TEST

// More than a port's buffer holds: what the kernel has dropped is missing from the numbers.
START_TEST(datagrams_that_a_port_has_lost_are_a_loss)
{
    start(CLK_VIRTUAL);
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)atoi(target.tap[2].name)),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const double message[2] = {1, 0};
    uint64_t lost = 0, frames = 0;
    const int udp = socket(AF_INET, SOCK_DGRAM, 0);
    for (int i = 0; i < 5000; i++)
        ck_assert_int_eq(sendto(udp, message, sizeof message, 0, (const struct sockaddr *)&address,
                                sizeof address),
                         sizeof message);
    record(10);
    ck_assert_int_eq(
        sendto(udp, message, sizeof message, 0, (const struct sockaddr *)&address, sizeof address),
        sizeof message); // it tells how many were lost before it
    record(20);
    close(udp);
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic == history_topic(history, "port"))
            frames++;
        else
            lost += ((const struct loss_event *)event->data)->frames;
    }
    ck_assert_uint_gt(lost, 0);
    ck_assert_uint_eq(frames + lost, 5001);
    ck_assert_uint_eq(history_event(history, history_length(history) - 1)->number, 5001);
    finish();
}
END_TEST

START_TEST(in_real_time_a_datagram_has_the_time_of_its_arrival)
{
    start(CLK_WALL);
    ck_assert(send_number(1));
    record(INT64_C(1000000000000));
    const int64_t age_ns = INT64_C(1000000000000) - history_event(history, 0)->time.ns;
    ck_assert_int_gt(age_ns, 0);
    finish();
}
END_TEST

START_TEST(a_port_that_is_taken_is_told)
{
    struct taps *other = NULL;
    struct history *another;
    start(CLK_VIRTUAL);
    ck_assert_int_eq(history_create(&another), STATUS_OK);
    ck_assert_int_eq(
        taps_create(cell, &target, CLK_VIRTUAL, another, &other, reason, sizeof reason),
        STATUS_SYSTEM);
    ck_assert_ptr_null(other);
    ck_assert_str_eq(reason, "tap pole: unix:pole: Address already in use");
    history_free(another);
    finish();
}
END_TEST

UNIT_MAIN("taps", what_is_said_in_a_turn_is_recorded_tap_by_tap_when_it_was_said,
          what_is_no_message_is_counted_and_the_first_is_worded,
          room_in_a_socket_is_told_and_its_bytes_are_counted,
          datagrams_that_a_port_has_lost_are_a_loss,
          in_real_time_a_datagram_has_the_time_of_its_arrival, a_port_that_is_taken_is_told)
