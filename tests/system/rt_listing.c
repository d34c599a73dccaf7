// The listing of "Distributed Control System of Humanoid Robots based on Real-time Ethernet",
// section V, with its misprints fixed: it compiles as it stands, and runs by any network.
//
//   rt_listing send|receive INTERFACE ADDRESS [COUNT]
#include <net/ethernet.h>
#include <netinet/ether.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ethernet/etherrt.h"

static int LOOP_COUNT = 100;
static char buf[ETH_DATA_LEN];
static int received;

static void periodic_send(unsigned long period, int len, char *name, struct ether_addr *addr)
{
    EtherRTSock *sock;
    int i;
    sock = EtherRTSocket(SOCK_DGRAM, ETH_P_RT);
    EtherRTBind(sock, name);
    EtherRTConnect(sock, addr);
    art_enter(ART_PRIO_MAX, ART_TASK_PERIODIC, period);
    for (i = 0; i < LOOP_COUNT; ++i) {
        art_wait();
        EtherRTSend(sock, buf, (size_t)len, 0);
    }
    art_exit();
    EtherRTClose(sock);
}

static void periodic_recv(unsigned long period, char *name, struct ether_addr *addr)
{
    EtherRTSock *sock;
    int i;
    sock = EtherRTSocket(SOCK_DGRAM, ETH_P_RT);
    EtherRTBind(sock, name);
    EtherRTConnect(sock, addr);
    art_enter(ART_PRIO_MAX, ART_TASK_PERIODIC, period);
    do {
        art_wait();
    } while (EtherRTRecv(sock, buf, ETH_DATA_LEN, MSG_DONTWAIT) == -1);
    for (i = 0; i < LOOP_COUNT - 1; ++i) {
        art_wait();
        received += EtherRTRecv(sock, buf, ETH_DATA_LEN, 0) == 0; // the paper does not look
    }
    art_exit();
    EtherRTClose(sock);
}

int main(int argc, char **argv)
{
    struct ether_addr address;
    if (argc < 4 || ether_aton_r(argv[3], &address) == NULL)
        return 2;
    if (argc > 4)
        LOOP_COUNT = atoi(argv[4]);
    if (strcmp(argv[1], "send") == 0)
        periodic_send(1000, 276, argv[2], &address);
    else
        periodic_recv(1000, argv[2], &address);
    printf("%d of %d\n", received + 1, LOOP_COUNT);
    return strcmp(argv[1], "send") == 0 || received == LOOP_COUNT - 1 ? 0 : 1;
}
