// Programs that talk over sockets and know nothing of the lab.
//
//   talk ping|pong OWN OTHER      datagrams over these UNIX sockets, 100 rounds a second
//   talk server|client PORT       TCP: an epoll server that echoes; a client that asks, every 20 ms
//   talk watch                    says when real time and monotonic time no longer go together
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS_MAX 16

// ---- datagrams

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    return address;
}

static int bound(const char *path)
{
    const struct sockaddr_un address = address_of(path);
    const int datagrams = socket(AF_UNIX, SOCK_DGRAM, 0);
    unlink(path);
    if (datagrams >= 0 && bind(datagrams, (const struct sockaddr *)&address, sizeof address) == 0)
        return datagrams;
    perror(path);
    exit(1);
}

static void ping(int datagrams, const struct sockaddr_un *other)
{
    char bytes[64] = "ping";
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (;;) {
        next.tv_nsec += 10000000;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        if (sendto(datagrams, bytes, sizeof bytes, 0, (const struct sockaddr *)other,
                   sizeof *other) < 0)
            continue;
        struct pollfd one = {.fd = datagrams, .events = POLLIN};
        if (poll(&one, 1, 1000) == 1)
            (void)!recv(datagrams, bytes, sizeof bytes, 0);
    }
}

static void pong(int datagrams, const struct sockaddr_un *other)
{
    char bytes[64];
    for (;;) {
        const ssize_t got = recv(datagrams, bytes, sizeof bytes, 0);
        if (got > 0)
            (void)!sendto(datagrams, bytes, (size_t)got, 0, (const struct sockaddr *)other,
                          sizeof *other);
    }
}

// ---- TCP

static struct sockaddr_in port_of(const char *text)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)atoi(text)),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static void watch(int set, int descriptor)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    if (epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) != 0)
        exit(1);
}

static void echo(int connection)
{
    char bytes[4096];
    const ssize_t got = read(connection, bytes, sizeof bytes);
    if (got <= 0)
        close(connection);
    else if (write(connection, bytes, (size_t)got) != got)
        exit(1);
}

static void serve(const struct sockaddr_in *port)
{
    const int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0), set = epoll_create1(0);
    struct epoll_event event[CLIENTS_MAX];
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (const struct sockaddr *)port, sizeof *port) != 0 ||
        listen(listener, CLIENTS_MAX) != 0) {
        perror("listen");
        exit(1);
    }
    watch(set, listener);
    for (;;) {
        const int ready = epoll_wait(set, event, CLIENTS_MAX, -1);
        for (int i = 0; i < ready; i++)
            if (event[i].data.fd == listener)
                watch(set, accept(listener, NULL, NULL));
            else
                echo(event[i].data.fd);
    }
}

// Until the connection is lost.
static void ask(int connection)
{
    const struct itimerspec often = {.it_value = {.tv_nsec = 20000000},
                                     .it_interval = {.tv_nsec = 20000000}};
    const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    uint64_t ticks;
    char question[1000], answer[sizeof question];
    if (timer < 0 || timerfd_settime(timer, 0, &often, NULL) != 0)
        exit(1);
    for (unsigned n = 0; read(timer, &ticks, sizeof ticks) == sizeof ticks; n++) {
        memset(question, (int)n, sizeof question);
        if (send(connection, question, sizeof question, MSG_NOSIGNAL) != sizeof question ||
            recv(connection, answer, sizeof answer, MSG_WAITALL) != sizeof answer)
            break;
        if (memcmp(question, answer, sizeof answer) != 0)
            exit(2);
    }
    printf("connection lost\n");
    close(timer);
}

static void ask_again(const struct sockaddr_in *port)
{
    for (;;) {
        const int connection = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(connection, (const struct sockaddr *)port, sizeof *port) == 0)
            ask(connection);
        close(connection);
        usleep(100000);
    }
}

// ---- clocks

static double seconds_of(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void watch_clocks(void)
{
    double apart_s = seconds_of(CLOCK_REALTIME) - seconds_of(CLOCK_MONOTONIC);
    for (;;) {
        const double now_s = seconds_of(CLOCK_REALTIME) - seconds_of(CLOCK_MONOTONIC);
        if (now_s - apart_s > 0.01 || apart_s - now_s > 0.01)
            printf("stepped by %+.3f s\n", now_s - apart_s);
        fflush(stdout);
        apart_s = now_s;
        usleep(10000);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "watch") == 0)
        watch_clocks();
    if (argc < 3)
        return 2;
    if (argc == 3) {
        const struct sockaddr_in port = port_of(argv[2]);
        if (strcmp(argv[1], "server") == 0)
            serve(&port);
        ask_again(&port);
    }
    const struct sockaddr_un other = address_of(argv[3]);
    if (strcmp(argv[1], "pong") == 0)
        pong(bound(argv[2]), &other);
    ping(bound(argv[2]), &other);
}
