// balance: keeps the robot upright and walks the steps it is told, driving the legs and the
// waist by velocity.
//
// Woken by each state; publishes leg commands and its status every cycle. Priority 35. What it does
// is in balance_core.h.
#include "targets/hubo2/balance/balance_daemon.h"

int main(int argc, char **argv)
{
    static struct balance_daemon daemon = {.by_steps = true};
    struct clk *clk;
    if (participant_begin(argc, argv) != STATUS_OK || balance_daemon_start(&daemon) != STATUS_OK ||
        participant_join(&clk) != STATUS_OK)
        return 2;
    for (;;)
        (void)balance_daemon_cycle(&daemon, clk);
}
