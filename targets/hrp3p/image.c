// The image processing PC: big datagrams (UDP over IPv4) to the motion PC and to the head's node,
// 30 times a second. They share the wires with the exchange, and must not disturb it.
#include <arpa/inet.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <stdio.h>

#include "ethernet/etherrt.h"
#include "robot/participant.h"
#include "targets/hrp3p/frames.h"

#define ETH_P_INTERNET 0x0800
#define PERIOD_NS 33000000
#define BURST 8
#define SIZE_B 1400
#define PORT 9 // discard (RFC 863)

struct datagram {
    struct iphdr ip;
    struct udphdr udp; // without a checksum of its own
    unsigned char pixels[SIZE_B - sizeof(struct iphdr) - sizeof(struct udphdr)];
};

// Of the header alone (RFC 791): the ones' complement sum of its words, complemented.
static uint16_t checksum(const struct iphdr *ip)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < sizeof *ip / sizeof(uint16_t); i++)
        sum += ((const uint16_t *)(const void *)ip)[i];
    while (sum > UINT16_MAX)
        sum = (sum & UINT16_MAX) + (sum >> 16);
    return (uint16_t)~sum;
}

// 10.0.0.1 is the first host.
static uint32_t internet_address(const struct ether_addr *host)
{
    return htonl(0x0A000001u + host->ether_addr_octet[4]);
}

static void address(struct datagram *datagram, const struct ether_addr *from,
                    const struct ether_addr *to)
{
    datagram->ip = (struct iphdr){.version = 4,
                                  .ihl = sizeof datagram->ip / 4,
                                  .tot_len = htons(SIZE_B),
                                  .ttl = 1,
                                  .protocol = IPPROTO_UDP,
                                  .saddr = internet_address(from),
                                  .daddr = internet_address(to)};
    datagram->ip.check = checksum(&datagram->ip);
    datagram->udp.source = datagram->udp.dest = htons(PORT);
    datagram->udp.len = htons(SIZE_B - sizeof datagram->ip);
}

int main(int argc, char **argv)
{
    static const char *const host[] = {"motion", "n9"};
    static struct datagram datagram[2];
    struct ether_addr own, to[2];
    struct clk *clk;
    EtherRTSock *sock = EtherRTSocket(SOCK_DGRAM, ETH_P_INTERNET);
    if (participant_begin(argc, argv) != STATUS_OK)
        return 2;
    bool good =
        sock != NULL && EtherRTBind(sock, NETWORK) == 0 && EtherRTAddress(sock, "image", &own) == 0;
    for (unsigned i = 0; i < 2 && good; i++) {
        good = EtherRTAddress(sock, host[i], &to[i]) == 0;
        address(&datagram[i], &own, &to[i]);
    }
    if (!good) {
        perror("image: " NETWORK);
        return 3;
    }
    if (participant_join(&clk) != STATUS_OK)
        return 3;
    EtherRTClock(clk);
    struct clk_period period = clk_period_start(clk, instant_ns(PERIOD_NS), duration_ns(PERIOD_NS));
    for (;;) {
        (void)clk_period_wait(clk, &period);
        for (unsigned i = 0; i < BURST; i++)
            (void)EtherRTSendTo(sock, &to[i % 2], &datagram[i % 2], SIZE_B, 0); // nobody waits
    }
}
