// The image processing PC: big frames of ordinary traffic to the motion PC and to the head's node,
// 30 times a second. They share the wires with the exchange, and must not disturb it.
#include <stdio.h>

#include "ethernet/etherrt.h"
#include "robot/participant.h"
#include "targets/hrp3p/frames.h"

#define ETH_P_ORDINARY 0x0800 // as of IP
#define PERIOD_NS 33000000
#define BURST 8
#define SIZE_B 1400

int main(int argc, char **argv)
{
    static const char *const host[] = {"motion", "n9"};
    static const unsigned char pixels[SIZE_B];
    struct ether_addr to[2];
    struct clk *clk;
    EtherRTSock *sock = EtherRTSocket(SOCK_DGRAM, ETH_P_ORDINARY);
    if (participant_begin(argc, argv) != STATUS_OK)
        return 2;
    bool good = sock != NULL && EtherRTBind(sock, NETWORK) == 0;
    for (unsigned i = 0; i < 2 && good; i++)
        good = EtherRTAddress(sock, host[i], &to[i]) == 0;
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
            (void)EtherRTSendTo(sock, &to[i % 2], pixels, sizeof pixels, 0); // nobody waits for it
    }
}
