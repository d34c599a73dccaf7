// A PTP clock at one end of a cable of the kernel's: port INTERFACE master|slave
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "ethernet/packet.h"
#include "ethernet/ptp_clock.h"
#include "port.h"
#include "robot/participant.h"
#include "talk.h"

#define PPB 1e9
#define NS_PER_S INT64_C(1000000000)

static void tell(const struct ptp_clock *ptp, struct clk *clk, struct channel *out)
{
    const int64_t machine_ns = eth_packet_real_ns();
    const int64_t local_ns = clk_local_ns(clk, eth_packet_true_ns(machine_ns, clk));
    const int64_t made_ns = ptp_time_ns(&ptp->host, local_ns);
    const struct port_message message = {
        .time_ns = local_ns,
        .made_ns = made_ns,
        .offset_ns = ptp->host.offset_ns,
        .delay_ns = ptp->host.delay_ns,
        .rate_ppb = ptp->host.servo.rate * PPB,
        .error_ns = (double)(made_ns - (machine_ns - PTP_EPOCH_S * NS_PER_S)),
        .syncs = ptp->syncs,
        .exchanges = ptp->host.exchanges,
        .hears = ptp->hears};
    if (channel_put(out, &message, sizeof message, clk_now(clk)) != STATUS_OK)
        log_error("cannot publish");
}

int main(int argc, char **argv)
{
    static struct ptp_clock ptp;
    struct channel *out;
    struct clk *clk;
    log_program(argv[0]);
    if (argc != 3 || (strcmp(argv[2], "master") != 0 && strcmp(argv[2], "slave") != 0)) {
        log_error("usage: port INTERFACE master|slave");
        return 2;
    }
    if (ptp_clock_open(&ptp, argv[1], strcmp(argv[2], "master") == 0) != 0) {
        perror(argv[1]);
        return 3;
    }
    if (participant_channel("port", CHANNEL_WRITE, sizeof(struct port_message), &out) !=
            STATUS_OK ||
        participant_join(&clk) != STATUS_OK)
        return 3;
    EtherRTClock(clk);
    struct clk_period period = clk_period_start(clk, clk_now(clk), duration_ns(TICK_NS));
    for (unsigned tick = 0;; tick++) {
        (void)clk_period_wait(clk, &period);
        ptp_clock_poll(&ptp, clk_now(clk).ns);
        if (tick % (REPORT_NS / TICK_NS) == 0)
            tell(&ptp, clk, out);
    }
}
