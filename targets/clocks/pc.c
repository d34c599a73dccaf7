// The PC: all nodes' reference, and who says what their times are worth, since it goes by the
// trial's time. The nodes are its arguments, by hop.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "clocks.h"
#include "ethernet/ptp.h"
#include "robot/participant.h"
#include "talk.h"

#define NODES (sizeof((struct clocks_message *)0)->error_us / sizeof(double))
#define SETTLED_NS 20000000000 // from then on errors count
#define NS_PER_US 1e3
#define NS_PER_S 1e9

struct pc {
    struct ptp_host ptp;
    EtherRTSock *sock;
    struct ether_addr node[NODES];
    int64_t reported_ns[NODES];
    double squares_us2[NODES];
    uint64_t settled[NODES];
    struct clocks_message message;
};

static void judge(struct pc *pc, unsigned i, const struct report *report)
{
    struct clocks_message *message = &pc->message;
    const double error_us = (double)(report->made_ns - report->true_ns) / NS_PER_US;
    message->error_us[i] = error_us;
    pc->reported_ns[i] = report->true_ns;
    if (report->true_ns < SETTLED_NS)
        return;
    pc->squares_us2[i] += error_us * error_us;
    message->rms_us[i] = sqrt(pc->squares_us2[i] / (double)++pc->settled[i]);
    message->worst_us[i] = fmax(message->worst_us[i], fabs(error_us));
}

static void hear(struct pc *pc)
{
    struct report report;
    struct EtherRTFrom from;
    while (EtherRTRecvFrom(pc->sock, &report, sizeof report, MSG_DONTWAIT, &from) == 0)
        for (unsigned i = 0; i < NODES; i++)
            if (from.length_B == sizeof report &&
                memcmp(&pc->node[i], &from.source, sizeof from.source) == 0)
                judge(pc, i, &report);
}

static void tell(struct pc *pc, struct channel *out, instant now)
{
    pc->message.time_ns = now.ns;
    for (unsigned i = 0; i < NODES; i++)
        pc->message.age_s[i] = (double)(now.ns - pc->reported_ns[i]) / NS_PER_S;
    if (channel_put(out, &pc->message, sizeof pc->message, now) != STATUS_OK)
        log_error("cannot publish");
}

static int open_all(struct pc *pc, int argc, char **argv)
{
    pc->sock = EtherRTSocket(SOCK_DGRAM, ETH_P_RT);
    if (argc != 1 + (int)NODES) {
        log_error("usage: pc NODE... (%zu)", NODES);
        return 2;
    }
    if (pc->sock == NULL || EtherRTBind(pc->sock, NETWORK) != 0 ||
        ptp_open(&pc->ptp, NETWORK, "pc", NULL) != 0) {
        perror("pc: " NETWORK);
        return 3;
    }
    for (unsigned i = 0; i < NODES; i++)
        if (EtherRTAddress(pc->sock, argv[1 + i], &pc->node[i]) != 0) {
            log_error("%s: not a host of %s; name hosts of target.yaml", argv[1 + i], NETWORK);
            return 2;
        }
    return 0;
}

int main(int argc, char **argv)
{
    static struct pc pc;
    struct channel *out;
    struct clk *clk;
    log_program(argv[0]);
    const int code = open_all(&pc, argc, argv);
    if (code != 0)
        return code;
    if (participant_channel("clocks", CHANNEL_WRITE, sizeof pc.message, &out) != STATUS_OK ||
        participant_join(&clk) != STATUS_OK)
        return 3;
    EtherRTClock(clk);
    struct clk_period period = clk_period_start(clk, instant_ns(TICK_NS), duration_ns(TICK_NS));
    for (unsigned tick = 1;; tick++) {
        (void)clk_period_wait(clk, &period);
        const instant now = clk_now(clk);
        ptp_poll(&pc.ptp, now.ns);
        hear(&pc);
        if (tick % (REPORT_NS / TICK_NS) == 0)
            tell(&pc, out, now);
    }
}
