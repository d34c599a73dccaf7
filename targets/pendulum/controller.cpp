// controller.c in C++: the same numbers, so the same history.
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "force.h"
#include "pole.h"
#include "robot/participant.h"

namespace
{

constexpr std::int64_t period_ns = 5000000;

// Found by placing the poles of the linearised cart-pole at -2 to -6 1/s.
constexpr double per_angle_n_rad = 60;
constexpr double per_angle_rate_n_s_rad = 12;
constexpr double per_cart_n_m = 2;
constexpr double per_cart_rate_n_s_m = 4;

double force_for(const pole_message &pole)
{
    return per_angle_n_rad * pole.angle_rad + per_angle_rate_n_s_rad * pole.angle_rate_rad_s +
           per_cart_n_m * pole.cart_m + per_cart_rate_n_s_m * pole.cart_rate_m_s;
}

} // namespace

int main(int argc, char **argv)
{
    channel *in, *out;
    clk *clock;
    if (participant_begin(argc, argv) != STATUS_OK)
        return 2;
    if (participant_channel("pole", CHANNEL_READ, sizeof(pole_message), &in) != STATUS_OK ||
        participant_channel("force", CHANNEL_WRITE, sizeof(force_message), &out) != STATUS_OK ||
        participant_join(&clock) != STATUS_OK)
        return 3;
    clk_period period = clk_period_start(clock, instant_ns(0), duration_ns(period_ns));
    for (;;) {
        pole_message pole;
        clk_period_wait(clock, &period);
        const status got = channel_get(in, &pole, sizeof pole, CHANNEL_NEWEST, nullptr);
        if (got != STATUS_OK && got != STATUS_MISSED)
            continue; // nothing new: the drive's watchdog stops the cart
        const instant now = clk_now(clock);
        const force_message force = {now.ns, pole.time_ns, force_for(pole)};
        if (!std::isfinite(force.force_n))
            continue; // nor is that anything new
        if (channel_put(out, &force, sizeof force, now) != STATUS_OK)
            std::fputs("controller: cannot publish the force\n", stderr);
    }
}
