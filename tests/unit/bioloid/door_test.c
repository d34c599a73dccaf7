// The network door's lines, and what peers get of its time.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "targets/bioloid/door_line.h"
#include "targets/bioloid/door_peers.h"

static struct door_request request;
static const char *why;

START_TEST(each_line_is_taken_as_it_says)
{
    ck_assert_int_eq(door_parse("joints 1=-90 19=45 in=2.5\r", &request, &why), STATUS_OK);
    ck_assert_uint_eq(request.servos, 1u << 1 | 1u << 19);
    ck_assert_double_eq_tol(request.angle_rad[1], -1.5707963, 1e-6);
    ck_assert_double_eq(request.duration_s, 2.5);
    ck_assert_int_eq(door_parse("play get up from front 3", &request, &why), STATUS_OK);
    ck_assert_str_eq(request.name, "get up from front");
    ck_assert_uint_eq(request.repeat, 3);
    ck_assert_int_eq(door_parse("stream 20", &request, &why), STATUS_OK);
    ck_assert_double_eq(request.rate_hz, 20);
    ck_assert_int_eq(door_parse("script off", &request, &why), STATUS_OK);
    ck_assert_str_eq(request.name, "");
}
END_TEST

START_TEST(what_is_wrong_is_refused_with_what_to_write)
{
    static const char *const wrong[][2] = {
        {"", "line of words"},
        {"dance", "no such word"},
        {"hello you", "takes nothing"},
        {"joints", "no servo"},
        {"joints 0=1", "no such servo"},
        {"joints 26=1", "no such servo"},
        {"joints 1=nan", "an angle"},
        {"joints 1=151", "an angle"},
        {"joints 1", "N=DEGREES"},
        {"joints 1=0 in=0", "0.02 to 60"},
        {"joints 1=0 1=0", "twice"},
        {"stream 51", "rate"},
        {"play", "movement"},
        {"script ../x", "not a name"},
        {"script", "file"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_int_eq(door_parse(wrong[i][0], &request, &why), STATUS_INVALID);
        ck_assert_msg(strstr(why, wrong[i][1]) != NULL, "%s: %s", wrong[i][0], why);
    }
}
END_TEST

// ---- peers --------------------------------------------------------------------------------------

static struct door_peers peers;
static unsigned heard, bad;

static void hear(void *context, struct door_peer *peer, const char *line)
{
    (void)context;
    heard++;
    bad += door_parse(line, &request, &why) != STATUS_OK;
    door_say(&peers, peer, "ok\n");
}

static int connected(unsigned port, int type)
{
    const struct sockaddr_in door = {.sin_family = AF_INET,
                                     .sin_port = htons((uint16_t)port),
                                     .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int file = socket(AF_INET, type, 0);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(connect(file, (const struct sockaddr *)&door, sizeof door), 0);
    return file;
}

// A port that is free.
static unsigned listening(void)
{
    for (unsigned port = 20000; port < 30000; port++)
        if (door_listen(&peers, port) == STATUS_OK)
            return port;
    ck_abort_msg("no port is free");
    return 0;
}

static void take(void)
{
    heard = bad = 0;
    door_take(&peers, hear, NULL);
}

START_TEST(nobody_gets_more_than_his_share)
{
    const unsigned port = listening();
    const int tcp = connected(port, SOCK_STREAM), udp = connected(port, SOCK_DGRAM);
    for (int i = 0; i < 40; i++) {
        ck_assert_int_eq(send(tcp, "get\n", 4, 0), 4);
        ck_assert_int_eq(send(udp, "get", 3, 0), 3);
    }
    take();
    ck_assert_uint_eq(heard, DOOR_LINES_MAX + DOOR_DATAGRAMS_MAX);
    ck_assert_uint_eq(peers.lost, 40 - DOOR_DATAGRAMS_MAX);
    for (int i = 1; i < 10; i++) {
        take();
        ck_assert_uint_eq(heard, DOOR_LINES_MAX);
    }
    take();
    ck_assert_uint_eq(heard, 0);
}
END_TEST

START_TEST(a_line_in_pieces_is_one_and_one_too_long_is_refused_once)
{
    const int tcp = connected(listening(), SOCK_STREAM);
    char rubbish[3 * DOOR_LINE_MAX];
    take();
    ck_assert_int_eq(send(tcp, "he", 2, 0), 2);
    take();
    ck_assert_uint_eq(heard, 0);
    ck_assert_int_eq(send(tcp, "llo\n", 4, 0), 4);
    take();
    ck_assert(heard == 1 && bad == 0);
    memset(rubbish, 'x', sizeof rubbish);
    ck_assert_int_eq(send(tcp, rubbish, sizeof rubbish, 0), sizeof rubbish);
    take();
    ck_assert(heard == 1 && bad == 1);
    ck_assert_int_eq(send(tcp, "x\nhello\n", 8, 0), 8);
    take();
    ck_assert(heard == 1 && bad == 0);
}
END_TEST

START_TEST(who_goes_or_is_one_too_many_leaves_no_place_taken)
{
    const unsigned port = listening();
    int tcp[DOOR_PEERS_MAX + 1];
    char full[64] = "";
    for (unsigned i = 0; i <= DOOR_PEERS_MAX; i++)
        tcp[i] = connected(port, SOCK_STREAM);
    take();
    take();
    ck_assert_uint_eq(door_count(&peers), DOOR_PEERS_MAX);
    ck_assert_uint_eq(peers.turned_away, 1);
    ck_assert_int_gt(recv(tcp[DOOR_PEERS_MAX], full, sizeof full - 1, 0), 0);
    ck_assert_int_eq(strncmp(full, "error no place", 14), 0);
    for (unsigned i = 0; i < DOOR_PEERS_MAX; i++)
        close(tcp[i]);
    take();
    ck_assert_uint_eq(door_count(&peers), 0);
}
END_TEST

START_TEST(a_stream_by_datagrams_ends_unless_it_is_asked_for_again)
{
    struct door_peer peer = {.file = -1, .address = {.sin_family = AF_INET, .sin_port = 1}};
    unsigned lines = 0;
    (void)listening();
    ck_assert_int_eq(door_stream(&peers, &peer, 10, 0), STATUS_OK);
    ck_assert_int_eq(door_stream(&peers, &peer, 10, 0), STATUS_OK); // the same one
    ck_assert_uint_eq(door_count(&peers), 1);
    for (int64_t t = 0; t < 20000000000; t += 20000000)
        for (unsigned i = 0; i < DOOR_PEERS_MAX; i++)
            lines += door_is_due(&peers, &peers.peer[i], t);
    ck_assert_uint_ge(lines, 50);
    ck_assert_uint_le(lines, 52);
    ck_assert_uint_eq(door_count(&peers), 0);
}
END_TEST

UNIT_MAIN("door", each_line_is_taken_as_it_says, what_is_wrong_is_refused_with_what_to_write,
          nobody_gets_more_than_his_share, a_line_in_pieces_is_one_and_one_too_long_is_refused_once,
          who_goes_or_is_one_too_many_leaves_no_place_taken,
          a_stream_by_datagrams_ends_unless_it_is_asked_for_again)
