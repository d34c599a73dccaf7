// channel-bridge: pushes channels of this host to another, and pulls channels of that one.
//
//   channel_bridge NETWORK:PEER|udp:PORT:ADDRESS:PORT [push=CHANNEL ...] [pull=CHANNEL ...]
//
// Over real-time Ethernet the peer is a host of the network; over UDP it is bound to the first port
// and talks to the second. Every PERIOD it takes what came, and sends at most BURST datagrams.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/log.h"
#include "ethernet/etherrt.h"
#include "robot/participant.h"
#include "targets/bridge/bridge_session.h"

#define PERIOD_NS 5000000
#define BURST 32     // datagrams a period: 4 ms of a 100 Mbit/s wire
#define TAKE_MAX 256 // ... that are taken: a flood must not keep us from sending

struct medium { // one of the two
    EtherRTSock *ether;
    int udp;
};

static int open_ether(struct medium *medium, const char *network, const char *peer)
{
    struct ether_addr address;
    medium->ether = EtherRTSocket(SOCK_DGRAM, ETH_P_RT);
    if (medium->ether == NULL || EtherRTBind(medium->ether, network) != 0 ||
        EtherRTAddress(medium->ether, peer, &address) != 0 ||
        EtherRTConnect(medium->ether, &address) != 0) {
        log_error("%s:%s: %s; name a network of target.yaml that has this process and the peer "
                  "among its hosts",
                  network, peer, strerror(errno));
        return 2;
    }
    return 0;
}

static int open_udp(struct medium *medium, const char *words)
{
    unsigned own, other;
    char text[64], rest;
    struct sockaddr_in here = {.sin_family = AF_INET}, peer = {.sin_family = AF_INET};
    if (sscanf(words, "%u:%63[0-9.]:%u%c", &own, text, &other, &rest) != 3 || own == 0 ||
        own > UINT16_MAX || other == 0 || other > UINT16_MAX ||
        inet_pton(AF_INET, text, &peer.sin_addr) != 1) {
        log_error("udp:%s: not udp:PORT:ADDRESS:PORT; give an address like 127.0.0.1 and ports "
                  "from 1 to 65535",
                  words);
        return 2;
    }
    here.sin_port = htons((uint16_t)own);
    peer.sin_port = htons((uint16_t)other);
    medium->udp = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (medium->udp < 0 || bind(medium->udp, (struct sockaddr *)&here, sizeof here) != 0 ||
        connect(medium->udp, (struct sockaddr *)&peer, sizeof peer) != 0) {
        log_error("udp:%s: %s; choose another port or address", words, strerror(errno));
        return 3;
    }
    return 0;
}

static int open_medium(struct medium *medium, const char *text)
{
    char network[32];
    const size_t length = strcspn(text, ":");
    if (length == 0 || length >= sizeof network || text[length] == '\0') {
        log_error("%s: no peer; give NETWORK:HOST or udp:PORT:ADDRESS:PORT", text);
        return 2;
    }
    memcpy(network, text, length);
    network[length] = '\0';
    if (strcmp(network, "udp") == 0)
        return open_udp(medium, text + length + 1);
    return open_ether(medium, network, text + length + 1);
}

static int add_channels(struct bridge_session *session, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const bool push = strncmp(argv[i], "push=", 5) == 0;
        if (!push && strncmp(argv[i], "pull=", 5) != 0) {
            log_error("%s: neither push=CHANNEL nor pull=CHANNEL", argv[i]);
            return 2;
        }
        if (bridge_add(session, argv[i] + 5, push ? CHANNEL_READ : CHANNEL_WRITE) != STATUS_OK)
            return 2;
    }
    return 0;
}

// The length of what came, which may be more than there is room for; 0: nothing.
static size_t receive(struct medium *medium, struct bridge_datagram *datagram)
{
    struct EtherRTFrom from;
    if (medium->ether != NULL)
        return EtherRTRecvFrom(medium->ether, datagram, sizeof *datagram, MSG_DONTWAIT, &from) == 0
                   ? from.length_B
                   : 0;
    // An error is one of the last send's (nobody is there): it is taken by reading it.
    const ssize_t got = recv(medium->udp, datagram, sizeof *datagram, MSG_TRUNC);
    return got > 0 ? (size_t)got : 0;
}

// What cannot be sent is as good as lost on the way: it is repeated.
static void transmit(struct medium *medium, const struct bridge_datagram *datagram, size_t length_B)
{
    if (medium->ether != NULL)
        (void)EtherRTSend(medium->ether, datagram, length_B, 0);
    else if (send(medium->udp, datagram, length_B, MSG_NOSIGNAL) < 0)
        errno = 0;
}

static void run_period(struct bridge_session *session, struct medium *medium, instant now)
{
    static struct bridge_datagram datagram;
    size_t length_B;
    for (unsigned i = 0; i < TAKE_MAX && (length_B = receive(medium, &datagram)) > 0; i++)
        bridge_take(session, &datagram, length_B, now);
    bridge_look(session, now);
    for (unsigned i = 0; i < BURST && (length_B = bridge_next(session, &datagram, now)) > 0; i++)
        transmit(medium, &datagram, length_B);
}

int main(int argc, char **argv)
{
    static struct bridge_session session;
    static struct bridge_message before;
    struct medium medium = {.udp = -1};
    struct channel *out, *last;
    struct clk *clk;
    log_program(argv[0]);
    if (argc < 2) {
        log_error("give NETWORK:HOST or udp:PORT:ADDRESS:PORT, then push=CHANNEL and pull=CHANNEL");
        return 2;
    }
    int code = open_medium(&medium, argv[1]);
    if (code == 0)
        code = add_channels(&session, argc - 2, argv + 2);
    if (code != 0)
        return code;
    if (participant_channel("bridge", CHANNEL_WRITE, sizeof before, &out) != STATUS_OK ||
        participant_channel("bridge", CHANNEL_READ, sizeof before, &last) != STATUS_OK)
        return 2;
    struct channel_frame frame;
    const bool known =
        channel_get(last, &before, sizeof before, CHANNEL_LAST, &frame) != STATUS_EMPTY &&
        frame.size_B == sizeof before;
    if (participant_join(&clk) != STATUS_OK)
        return 3;
    EtherRTClock(clk);
    bridge_begin(&session, known ? &before : NULL, clk_now(clk));
    struct clk_period period = clk_period_start(clk, instant_ns(0), duration_ns(PERIOD_NS));
    for (;;) {
        (void)clk_period_wait(clk, &period);
        run_period(&session, &medium, clk_now(clk));
        session.message.time_ns = clk_now(clk).ns;
        // A full channel costs this one; the next says as much.
        if (channel_put(out, &session.message, sizeof session.message, clk_now(clk)) != STATUS_OK)
            continue;
    }
}
