// Balances the pole at 200 Hz: state feedback.
#include <math.h>
#include <stdio.h>

#include "force.h"
#include "pole.h"
#include "robot/participant.h"

#define PERIOD_NS 5000000

// Found by placing the poles of the linearised cart-pole at -2 to -6 1/s.
#define PER_ANGLE_N_RAD 60
#define PER_ANGLE_RATE_N_S_RAD 12
#define PER_CART_N_M 2
#define PER_CART_RATE_N_S_M 4

static double force_for(const struct pole_message *pole)
{
    return PER_ANGLE_N_RAD * pole->angle_rad + PER_ANGLE_RATE_N_S_RAD * pole->angle_rate_rad_s +
           PER_CART_N_M * pole->cart_m + PER_CART_RATE_N_S_M * pole->cart_rate_m_s;
}

int main(int argc, char **argv)
{
    struct channel *in, *out;
    struct clk *clk;
    if (participant_begin(argc, argv) != STATUS_OK)
        return 2;
    if (participant_channel("pole", CHANNEL_READ, sizeof(struct pole_message), &in) != STATUS_OK ||
        participant_channel("force", CHANNEL_WRITE, sizeof(struct force_message), &out) !=
            STATUS_OK ||
        participant_join(&clk) != STATUS_OK)
        return 3;
    struct clk_period period = clk_period_start(clk, instant_ns(0), duration_ns(PERIOD_NS));
    for (;;) {
        struct pole_message pole;
        (void)clk_period_wait(clk, &period);
        const enum status got = channel_get(in, &pole, sizeof pole, CHANNEL_NEWEST, NULL);
        if (got != STATUS_OK && got != STATUS_MISSED)
            continue; // nothing new: the drive's watchdog stops the cart
        const instant now = clk_now(clk);
        const struct force_message force = {
            .time_ns = now.ns, .answers_ns = pole.time_ns, .force_n = force_for(&pole)};
        if (!isfinite(force.force_n))
            continue; // nor is that anything new
        if (channel_put(out, &force, sizeof force, now) != STATUS_OK)
            fputs("controller: cannot publish the force\n", stderr);
    }
}
