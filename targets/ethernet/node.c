// A node: takes commands, and answers each cycle's at the first tick after its begin.
#include <stdio.h>

#include "ethernet/etherrt.h"
#include "robot/participant.h"
#include "talk.h"

static int32_t sum_of(const struct command *command)
{
    int32_t sum = 0;
    for (unsigned i = 0; i < sizeof command->value / sizeof command->value[0]; i++)
        sum += command->value[i];
    return sum;
}

int main(int argc, char **argv)
{
    struct clk *clk;
    struct ether_addr pc;
    EtherRTSock *sock = EtherRTSocket(SOCK_DGRAM, ETH_P_RT);
    if (participant_begin(argc, argv) != STATUS_OK)
        return 2;
    if (sock == NULL || EtherRTBind(sock, NETWORK) != 0 || EtherRTAddress(sock, "pc", &pc) != 0 ||
        EtherRTConnect(sock, &pc) != 0) {
        perror("node: " NETWORK);
        return 3;
    }
    if (participant_join(&clk) != STATUS_OK)
        return 3;
    EtherRTClock(clk);
    struct clk_period period = clk_period_start(clk, instant_ns(TICK_NS), duration_ns(TICK_NS));
    for (;;) {
        struct command command;
        struct EtherRTFrom from;
        struct answer answer = {.cycle = -1};
        (void)clk_period_wait(clk, &period);
        while (EtherRTRecvFrom(sock, &command, sizeof command, MSG_DONTWAIT, &from) == 0)
            if (from.length_B == sizeof command)
                answer = (struct answer){.cycle = command.cycle,
                                         .arrived_ns =
                                             (int32_t)(from.time_ns - command.cycle * CYCLE_NS),
                                         .sum = sum_of(&command)};
        if (answer.cycle >= 0)
            (void)EtherRTSend(sock, &answer, sizeof answer, 0); // a lost one shows at the PC
    }
}
