// The cart-pole itself, which the lab lets go first whenever time has advanced.
//
// Equations: Florian, "Correct equations for the dynamics of the cart-pole system" (2007), with
// viscous friction of the track; steps of 1 ms, semi-implicit Euler. What varies from trial to
// trial is in the environment: UKEMI_VARY_LEAN_RAD and so on, as target.yaml says.
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
#define LEAN_RAD 0.01             // when a trial begins that does not vary
#define RIGHT_ANGLE_RAD 1.5707963267948966

static struct plant {
    double pole_kg, total_kg, drive, friction_Ns_m;
} plant;

static void step(struct pole_message *pole)
{
    const double h = STEP_NS * 1e-9, pole_kg = plant.pole_kg, total_kg = plant.total_kg;
    const double s = sin(pole->angle_rad), c = cos(pole->angle_rad);
    if (fabs(pole->angle_rad) > RIGHT_ANGLE_RAD) { // it lies
        pole->angle_rate_rad_s = 0;
        return;
    }
    const double rate = pole->angle_rate_rad_s;
    const double force_N = plant.drive * pole->force_n - plant.friction_Ns_m * pole->cart_rate_m_s;
    const double push = (force_N + pole_kg * POLE_HALF_M * rate * rate * s) / total_kg;
    const double angular =
        (GRAVITY_M_S2 * s - c * push) / (POLE_HALF_M * (4.0 / 3 - pole_kg * c * c / total_kg));
    const double linear = push - pole_kg * POLE_HALF_M * angular * c / total_kg;
    pole->angle_rate_rad_s += h * angular;
    pole->angle_rad += h * pole->angle_rate_rad_s;
    pole->cart_rate_m_s += h * linear;
    pole->cart_m += h * pole->cart_rate_m_s;
}

static double varied(const char *variable, double otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? strtod(text, NULL) : otherwise;
}

static void vary(struct pole_message *pole)
{
    plant.pole_kg = POLE_KG * (1 + varied("UKEMI_VARY_POLE_MASS_SHARE", 0));
    plant.total_kg = plant.pole_kg + CART_KG * (1 + varied("UKEMI_VARY_CART_MASS_SHARE", 0));
    plant.drive = 1 + varied("UKEMI_VARY_DRIVE_SHARE", 0);
    plant.friction_Ns_m = varied("UKEMI_VARY_TRACK_FRICTION_NS_M", 0);
    pole->angle_rad = varied("UKEMI_VARY_LEAN_RAD", LEAN_RAD);
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
    struct pole_message pole = {.time_ns = 0};
    struct force_message force = {.force_n = 0};
    int64_t at_ns = 0;
    vary(&pole);
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
