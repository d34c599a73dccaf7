// Sockets of the kernel's interfaces (AF_PACKET): outside a cell, by real or virtual Ethernet.
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ethernet/etherrt_private.h"

struct packet {
    int file;
    uint8_t own[6];
};

static void packet_close(EtherRTSock *sock)
{
    struct packet *packet = sock->medium;
    close(packet->file);
    free(packet);
}

static int packet_send(EtherRTSock *sock, struct eth_frame *frame)
{
    const struct packet *packet = sock->medium;
    memcpy(frame->bytes + 6, packet->own, sizeof packet->own);
    return send(packet->file, frame->bytes, frame->size_B, MSG_DONTWAIT) < 0 ? -1 : 0;
}

static bool packet_receive(EtherRTSock *sock, struct eth_frame *frame)
{
    const struct packet *packet = sock->medium;
    for (unsigned n = 0; n < 64; n++) { // others' frames pass by; who has more comes again
        struct sockaddr_ll from = {0};
        socklen_t from_B = sizeof from;
        const ssize_t got_B = recvfrom(packet->file, frame->bytes, sizeof frame->bytes,
                                       MSG_DONTWAIT, (struct sockaddr *)&from, &from_B);
        if (got_B < 0)
            return false;
        if (got_B < ETH_HEADER_B || from.sll_pkttype == PACKET_OUTGOING ||
            (sock->connected && memcmp(frame->bytes + 6, sock->peer, sizeof sock->peer) != 0))
            continue;
        frame->size_B = (uint16_t)got_B;
        frame->time_ns = frame->taken_ns = clk_now(etherrt_clock()).ns;
        frame->broken = frame->port = 0;
        return true;
    }
    return false;
}

static enum status packet_wait(EtherRTSock *sock, instant until)
{
    const struct packet *packet = sock->medium;
    struct pollfd waited = {.fd = packet->file, .events = POLLIN};
    const int64_t left_ns = until.ns - clk_now(etherrt_clock()).ns;
    const struct timespec at_most = {.tv_sec = left_ns / 1000000000,
                                     .tv_nsec = left_ns % 1000000000};
    const int ready = ppoll(&waited, 1, until.ns == INT64_MAX ? NULL : &at_most, NULL);
    return ready > 0 ? STATUS_OK : ready == 0 || errno == EINTR ? STATUS_TIMEOUT : STATUS_SYSTEM;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the table has it so
static int packet_address(const EtherRTSock *sock, const char *host, uint8_t address[6])
{
    (void)sock, (void)host, (void)address;
    errno = ENOENT;
    return -1;
}

static void packet_connect(EtherRTSock *sock, const uint8_t address[6])
{
    (void)sock, (void)address;
}

static int packet_mode(EtherRTSock *sock, bool relay, int on)
{
    (void)sock, (void)relay, (void)on;
    errno = EOPNOTSUPP;
    return -1;
}

static const struct etherrt_operations packet_operations = {.close = packet_close,
                                                            .send = packet_send,
                                                            .receive = packet_receive,
                                                            .wait = packet_wait,
                                                            .address = packet_address,
                                                            .connect = packet_connect,
                                                            .mode = packet_mode};

int etherrt_bind_packet(EtherRTSock *sock, const char *interface)
{
    struct ifreq request = {0};
    struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_protocol = htons(sock->protocol)};
    if (strlen(interface) >= sizeof request.ifr_name) {
        errno = ENODEV;
        return -1;
    }
    memcpy(request.ifr_name, interface, strlen(interface));
    struct packet *packet = calloc(1, sizeof *packet);
    if (packet == NULL)
        return -1;
    packet->file = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(sock->protocol));
    at.sll_ifindex = (int)if_nametoindex(interface);
    if (packet->file < 0 || at.sll_ifindex == 0 ||
        ioctl(packet->file, SIOCGIFHWADDR, &request) < 0 ||
        bind(packet->file, (const struct sockaddr *)&at, sizeof at) < 0) {
        const int error = at.sll_ifindex == 0 ? ENODEV : errno;
        if (packet->file >= 0)
            close(packet->file);
        free(packet);
        errno = error;
        return -1;
    }
    memcpy(packet->own, request.ifr_hwaddr.sa_data, sizeof packet->own);
    sock->medium = packet;
    sock->operations = &packet_operations;
    return 0;
}
