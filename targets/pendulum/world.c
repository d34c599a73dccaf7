// The cart-pole itself, which the lab lets go first whenever time has advanced.
//
// Equations: Florian, "Correct equations for the dynamics of the cart-pole system" (2007), without
// friction; steps of 1 ms, semi-implicit Euler.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "force.h"
#include "pole.h"
#include "robot/participant.h"

#define STEP_NS 1000000
#define PUBLISH_NS 5000000
#define GRAVITY_M_S2 9.81
#define POLE_HALF_M 0.5
#define POLE_KG 0.2
#define CART_KG 1.0
#define FORCE_MAX_N 20.0
#define FORCE_AGE_MAX_NS 50000000 // the drive's watchdog: an older force acts no more
#define LEAN_MAX_RAD 0.02         // when the trial begins
#define RIGHT_ANGLE_RAD 1.5707963267948966

static void step(struct pole_message *pole)
{
    const double h = STEP_NS * 1e-9, total_kg = CART_KG + POLE_KG;
    const double s = sin(pole->angle_rad), c = cos(pole->angle_rad);
    if (fabs(pole->angle_rad) > RIGHT_ANGLE_RAD) { // it lies
        pole->angle_rate_rad_s = 0;
        return;
    }
    const double rate = pole->angle_rate_rad_s;
    const double push = (pole->force_n + POLE_KG * POLE_HALF_M * rate * rate * s) / total_kg;
    const double angular =
        (GRAVITY_M_S2 * s - c * push) / (POLE_HALF_M * (4.0 / 3 - POLE_KG * c * c / total_kg));
    const double linear = push - POLE_KG * POLE_HALF_M * angular * c / total_kg;
    pole->angle_rate_rad_s += h * angular;
    pole->angle_rad += h * pole->angle_rate_rad_s;
    pole->cart_rate_m_s += h * linear;
    pole->cart_m += h * pole->cart_rate_m_s;
}

// Another one for each seed of a trial.
static double lean_at_start(void)
{
    const char *seed = getenv("UKEMI_SEED");
    srand48(seed != NULL ? strtol(seed, NULL, 10) : 1);
    return (2 * drand48() - 1) * LEAN_MAX_RAD;
}

// Steps up to now and publishes what has become of it.
static void go_on(struct pole_message *pole, const struct force_message *force, int64_t *at_ns,
                  instant now, struct channel *out)
{
    for (; *at_ns <= now.ns; *at_ns += STEP_NS) {
        const bool fresh = force->time_ns > 0 && *at_ns - force->time_ns <= FORCE_AGE_MAX_NS;
        pole->force_n = fresh ? fmax(-FORCE_MAX_N, fmin(FORCE_MAX_N, force->force_n)) : 0;
        step(pole);
        if (*at_ns % PUBLISH_NS != 0)
            continue;
        pole->time_ns = *at_ns;
        if (channel_put(out, pole, sizeof *pole, instant_ns(*at_ns)) != STATUS_OK)
            fputs("world: cannot publish the pole\n", stderr);
    }
}

int main(int argc, char **argv)
{
    struct channel *out, *in;
    struct clk *clk;
    struct pole_message pole = {.angle_rad = lean_at_start()};
    struct force_message force = {.force_n = 0};
    int64_t at_ns = 0;
    if (participant_begin(argc, argv) != STATUS_OK)
        return 2;
    if (participant_channel("pole", CHANNEL_WRITE, sizeof pole, &out) != STATUS_OK ||
        participant_channel("force", CHANNEL_READ, sizeof force, &in) != STATUS_OK ||
        participant_join(&clk) != STATUS_OK)
        return 3;
    struct clk_period period = clk_period_start(clk, instant_ns(0), duration_ns(STEP_NS));
    for (;;) {
        const enum status got = channel_get(in, &force, sizeof force, CHANNEL_NEWEST, NULL);
        if (got != STATUS_OK && got != STATUS_MISSED && got != STATUS_EMPTY)
            return 3;
        go_on(&pole, &force, &at_ns, clk_now(clk), out);
        (void)clk_period_wait(clk, &period);
    }
}
