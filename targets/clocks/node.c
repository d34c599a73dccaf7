// A node that makes its own time of its reference's: node NAME REFERENCE [offset | once]
// It corrects its rate, too; or with each measurement its offset alone; or that of the first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "ethernet/ptp.h"
#include "node.h"
#include "robot/participant.h"
#include "talk.h"

#define PPB 1e9

struct node {
    struct ptp_host ptp;
    EtherRTSock *sock;
    struct ether_addr pc;
    struct channel *out;
    struct clk *clk;
};

static bool read_kind(const char *word, enum servo_kind *kind)
{
    *kind = strcmp(word, "once") == 0 ? SERVO_ONCE : SERVO_OFFSET;
    return *kind == SERVO_ONCE || strcmp(word, "offset") == 0;
}

static int open_all(struct node *node, const char *name, const char *reference)
{
    node->sock = EtherRTSocket(SOCK_DGRAM, ETH_P_RT);
    if (node->sock == NULL || EtherRTBind(node->sock, NETWORK) != 0 ||
        EtherRTAddress(node->sock, "pc", &node->pc) != 0 ||
        ptp_open(&node->ptp, NETWORK, name, reference) != 0) {
        perror("node: " NETWORK);
        return 3;
    }
    return participant_channel(name, CHANNEL_WRITE, sizeof(struct node_message), &node->out) ==
                   STATUS_OK
               ? 0
               : 3;
}

static void tell(struct node *node)
{
    const struct ptp_host *ptp = &node->ptp;
    struct report report;
    report.true_ns = clk_true_now(node->clk).ns;
    const instant now = instant_ns(clk_local_ns(node->clk, report.true_ns)); // at the same instant
    report.made_ns = ptp_time_ns(ptp, now.ns);
    const struct node_message message = {.time_ns = now.ns,
                                         .made_ns = report.made_ns,
                                         .offset_ns = ptp->offset_ns,
                                         .delay_ns = ptp->delay_ns,
                                         .rate_ppb = ptp->servo.rate * PPB,
                                         .exchanges = ptp->exchanges,
                                         .lost = ptp->lost};
    (void)EtherRTSendTo(node->sock, &node->pc, &report, sizeof report, 0); // its age shows a loss
    if (channel_put(node->out, &message, sizeof message, now) != STATUS_OK)
        log_error("cannot publish");
}

int main(int argc, char **argv)
{
    static struct node node;
    log_program(argv[0]);
    enum servo_kind kind = SERVO_RATE;
    if (argc < 3 || argc > 4 || (argc == 4 && !read_kind(argv[3], &kind))) {
        log_error("usage: node NAME REFERENCE [offset | once]");
        return 2;
    }
    const int code = open_all(&node, argv[1], argv[2]);
    if (code != 0)
        return code;
    node.ptp.servo.kind = kind;
    if (participant_join(&node.clk) != STATUS_OK)
        return 3;
    EtherRTClock(node.clk);
    struct clk_period period = clk_period_start(node.clk, clk_now(node.clk), duration_ns(TICK_NS));
    for (unsigned tick = 0;; tick++) {
        (void)clk_period_wait(node.clk, &period);
        ptp_poll(&node.ptp, clk_now(node.clk).ns);
        if (tick % (REPORT_NS / TICK_NS) == 0)
            tell(&node);
    }
}
