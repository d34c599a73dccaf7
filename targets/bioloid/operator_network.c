// Operator of scenarios: a peer of the network door that does what a file says; see doc/bioloid.md.
// Lines of the file: TIME_S WORD [TEXT]
//
//   tcp TEXT     sends a line on its connection, which it makes first
//   udp TEXT     sends a datagram
//   expect TEXT  the next line that comes back by either begins so, within half a second
//   close        drops the connection
//   flood TEXT   from now on sends the line many times a period by either, whatever comes back
//   rubbish      the same with bytes drawn by the seed
//   calm         does so no more
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "base/random.h"
#include "robot/participant.h"

#define PERIOD_NS 20000000
#define PATIENCE_NS 500000000
#define TIMES_UDP 100 // more than the door takes
#define TIMES_TCP                                                                                  \
    6 // likewise, and little enough for the kernel to keep it all: what it would
      // refuse depends on its own time
#define LINE_MAX_B 300
#define BACKLOG_B 65536

struct peer {
    int tcp, udp; // -1: not open
    struct sockaddr_in door;
    struct clk *clk;
    struct random_stream random;
    char flood[LINE_MAX_B]; // "": it does not
    bool rubbish;
    char come[BACKLOG_B]; // what has come back and was not looked at
    size_t size;
};

static bool connected(struct peer *peer)
{
    if (peer->tcp >= 0)
        return true;
    peer->tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // An answer that waits for the kernel's acknowledgement waits in real time.
    const int yes = 1;
    return peer->tcp >= 0 &&
           setsockopt(peer->tcp, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) == 0 &&
           connect(peer->tcp, (const struct sockaddr *)&peer->door, sizeof peer->door) == 0;
}

static void read_some(struct peer *peer, int file)
{
    for (ssize_t got; file >= 0 && peer->size + LINE_MAX_B * 4 < sizeof peer->come;
         peer->size += (size_t)got) {
        got = recv(file, peer->come + peer->size, LINE_MAX_B * 4, MSG_DONTWAIT);
        if (got <= 0)
            return;
    }
}

static void read_all(struct peer *peer)
{
    if (peer->size + LINE_MAX_B * 4 >= sizeof peer->come && peer->flood[0] != '\0')
        peer->size = 0; // nobody asks what comes back
    read_some(peer, peer->tcp);
    read_some(peer, peer->udp);
}

static void send_line(struct peer *peer, bool tcp, const char *text)
{
    char line[LINE_MAX_B + 2];
    const size_t size = (size_t)snprintf(line, sizeof line, "%s\n", text);
    if (tcp && connected(peer))
        (void)!send(peer->tcp, line, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    else if (!tcp)
        (void)!send(peer->udp, line, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void flood(struct peer *peer)
{
    char bytes[LINE_MAX_B];
    if (peer->flood[0] == '\0')
        return;
    memcpy(bytes, peer->flood, sizeof bytes);
    for (unsigned i = 0; i < TIMES_UDP; i++) {
        for (size_t b = 0; peer->rubbish && b < sizeof bytes - 1; b++)
            bytes[b] = (char)(random_bits(&peer->random) | 1);
        bytes[sizeof bytes - 1] = '\0';
        send_line(peer, false, bytes);
        if (i < TIMES_TCP)
            send_line(peer, true, bytes);
    }
}

static void wait_period(struct peer *peer, struct clk_period *period)
{
    (void)clk_period_wait(peer->clk, period);
    flood(peer);
    read_all(peer);
}

static bool expect(struct peer *peer, struct clk_period *period, const char *text)
{
    const instant until = instant_add(clk_now(peer->clk), duration_ns(PATIENCE_NS));
    char *end;
    while ((end = memchr(peer->come, '\n', peer->size)) == NULL) {
        if (!instant_before(clk_now(peer->clk), until)) {
            log_error("no answer that begins with %s", text);
            return false;
        }
        wait_period(peer, period);
    }
    *end = '\0';
    const bool good = strncmp(peer->come, text, strlen(text)) == 0;
    if (!good)
        log_error("%s: came instead of %s", peer->come, text);
    peer->size -= (size_t)(end + 1 - peer->come);
    memmove(peer->come, end + 1, peer->size);
    return good;
}

// One line of the file; false: it did not go as that says.
static bool act(struct peer *peer, struct clk_period *period, const char *word, const char *text)
{
    if (strcmp(word, "expect") == 0)
        return expect(peer, period, text);
    if (strcmp(word, "tcp") == 0 || strcmp(word, "udp") == 0)
        send_line(peer, word[0] == 't', text);
    else if (strcmp(word, "close") == 0) {
        close(peer->tcp);
        peer->tcp = -1;
    } else if (strcmp(word, "calm") == 0) {
        peer->flood[0] = '\0';
        peer->size = 0;
    } else if (strcmp(word, "flood") == 0 || strcmp(word, "rubbish") == 0) {
        snprintf(peer->flood, sizeof peer->flood, "%s", text[0] == '\0' ? "-" : text);
        peer->rubbish = word[0] == 'r';
    } else {
        log_error("%s: no such word; use tcp, udp, expect, close, flood, rubbish or calm", word);
        return false;
    }
    return true;
}

static bool run(struct peer *peer, FILE *file)
{
    char line[LINE_MAX_B], word[16];
    double at_s;
    int used;
    struct clk_period period =
        clk_period_start(peer->clk, clk_now(peer->clk), duration_ns(PERIOD_NS));
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (sscanf(line, "%lf %15s %n", &at_s, word, &used) != 2) {
            log_error("%s: not TIME_S WORD [TEXT]", line);
            return false;
        }
        while (instant_to_s(clk_now(peer->clk)) < at_s)
            wait_period(peer, &period);
        if (!act(peer, &period, word, line + used))
            return false;
        read_all(peer);
    }
    return true;
}

static FILE *open_file(const char *name)
{
    static char path[2 * PATH_MAX];
    const char *folder = getenv("UKEMI_TARGET");
    if (folder == NULL || strlen(folder) + strlen(name) > PATH_MAX / 2 || strchr(name, '/') != NULL)
        return NULL;
    snprintf(path, sizeof path, "%s/peers/%.255s", folder, name);
    return fopen(path, "re");
}

int main(int argc, char **argv)
{
    static struct peer peer = {.tcp = -1, .udp = -1};
    log_program("operator_network");
    FILE *file = argc == 3 ? open_file(argv[2]) : NULL;
    if (file == NULL) {
        fputs("usage: operator_network PORT FILE\n"
              "PORT of 127.0.0.1; the file lies in the folder $UKEMI_TARGET/peers.\n",
              stderr);
        return 2;
    }
    const char *seed = getenv("UKEMI_SEED");
    random_start(&peer.random, seed == NULL ? 0 : strtoull(seed, NULL, 10), "peer");
    peer.door = (struct sockaddr_in){.sin_family = AF_INET,
                                     .sin_port = htons((uint16_t)strtoul(argv[1], NULL, 10)),
                                     .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    peer.udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (peer.udp < 0 ||
        connect(peer.udp, (const struct sockaddr *)&peer.door, sizeof peer.door) != 0 ||
        participant_join(&peer.clk) != STATUS_OK)
        return 3;
    const bool good = run(&peer, file);
    (void)fclose(file);
    return good ? 0 : 1;
}
