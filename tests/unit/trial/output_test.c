// What processes print, cut into lines; and ports at which somebody waits.
#include "tests/unit/common/unit.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/history/history.h"
#include "harness/trial/supervise/output.h"
#include "harness/trial/supervise/port_open.h"

static char taken[3 * OUTPUT_LINE_MAX]; // lines, each in brackets
static size_t longest;

static void take(void *context, const char *text, size_t length)
{
    (void)context;
    ck_assert_uint_eq(strlen(text), length);
    longest = length > longest ? length : longest;
    strcat(strcat(strcat(taken, "["), text), "]");
}

static int open_pipe(struct output *output)
{
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    ck_assert_int_eq(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    output_open(output, ends[0]);
    taken[0] = '\0';
    longest = 0;
    return ends[1];
}

static void put(int pipe, const char *text, size_t length)
{
    ck_assert_int_eq(write(pipe, text, length), (ssize_t)length);
}

START_TEST(a_line_is_taken_when_its_end_has_come)
{
    struct output output = {.file = -1};
    const int pipe = open_pipe(&output);
    put(pipe, "one\ntw", 6);
    output_read(&output, take, NULL);
    ck_assert_str_eq(taken, "[one]");
    put(pipe, "o\n\nthree", 8);
    output_read(&output, take, NULL);
    ck_assert_str_eq(taken, "[one][two][]");
    ck_assert_str_eq(output.words, "one\ntwo\n\nthree");
    output_close(&output, take, NULL);
    ck_assert_str_eq(taken, "[one][two][][three]");
    ck_assert_uint_eq(output.written_B, 14);
    close(pipe);
    output_free(&output);
}
END_TEST

START_TEST(a_long_line_comes_in_parts_and_a_zero_is_shown)
{
    struct output output = {.file = -1};
    char text[OUTPUT_LINE_MAX + 10];
    const int pipe = open_pipe(&output);
    memset(text, 'x', sizeof text);
    text[sizeof text - 2] = '\0';
    text[sizeof text - 1] = '\n';
    put(pipe, text, sizeof text);
    output_read(&output, take, NULL);
    ck_assert_uint_eq(longest, OUTPUT_LINE_MAX - 1);
    ck_assert_str_eq(strrchr(taken, '['), "[xxxxxxxxx?]");
    ck_assert_uint_eq(strlen(output.words), 253); // up to the zero
    output_close(&output, take, NULL);
    close(pipe);
    output_free(&output);
}
END_TEST

START_TEST(who_listens_is_told_of_every_write)
{
    struct output output = {.file = -1};
    const int pipe = open_pipe(&output);
    output_listen(true);
    (void)output_has_come();
    for (int i = 0; i < 3; i++) {
        ck_assert(!output_has_come());
        put(pipe, "x", 1);
        ck_assert(output_has_come());
    }
    output_listen(false);
    put(pipe, "x", 1);
    ck_assert(!output_has_come());
    output_listen(true);
    ck_assert(output_has_come());
    output_close(&output, take, NULL);
    close(pipe);
    output_free(&output);
}
END_TEST

// A socket of this kind at a port of its own, which is returned.
static unsigned bind_any(int family, int type, int *file)
{
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } address = {.any = {.sa_family = (sa_family_t)family}};
    socklen_t size = family == AF_INET ? sizeof address.four : sizeof address.six;
    *file = socket(family, type | SOCK_CLOEXEC, 0);
    if (*file < 0 || bind(*file, &address.any, size) != 0)
        return 0; // no such network here
    ck_assert_int_eq(getsockname(*file, &address.any, &size), 0);
    return ntohs(family == AF_INET ? address.four.sin_port : address.six.sin6_port);
}

START_TEST(a_port_is_open_while_somebody_waits_at_it)
{
    static const int families[] = {AF_INET, AF_INET6}, types[] = {SOCK_STREAM, SOCK_DGRAM};
    for (int i = 0; i < 4; i++) {
        int file;
        const int type = types[i % 2];
        const unsigned port = bind_any(families[i / 2], type, &file);
        if (port == 0)
            continue;
        ck_assert_int_eq(port_open(port), type == SOCK_DGRAM);
        if (type == SOCK_STREAM)
            ck_assert_int_eq(listen(file, 1), 0);
        ck_assert(port_open(port));
        close(file);
        ck_assert(!port_open(port));
    }
}
END_TEST

UNIT_MAIN("output", a_line_is_taken_when_its_end_has_come,
          a_long_line_comes_in_parts_and_a_zero_is_shown, who_listens_is_told_of_every_write,
          a_port_is_open_while_somebody_waits_at_it)
