#include "ethernet/servo.h"

#include <math.h>
#include <stdbool.h>

#define STEP_NS 20e3
#define PERIOD_NS 1e9 // between measurements, for the gains
#define PROPORTIONAL 0.7
#define INTEGRAL 0.1
#define RATE_MAX 1e-3

int64_t servo_time_ns(const struct servo *servo, int64_t local_ns)
{
    const int64_t passed_ns = local_ns - servo->local_ns;
    return servo->time_ns + passed_ns + (int64_t)((double)passed_ns * servo->rate);
}

static double clamp(double rate)
{
    return rate > RATE_MAX ? RATE_MAX : rate < -RATE_MAX ? -RATE_MAX : rate;
}

static void show(struct servo *servo, int64_t local_ns, int64_t time_ns)
{
    servo->local_ns = local_ns;
    servo->time_ns = time_ns;
}

void servo_take(struct servo *servo, int64_t local_ns, double offset_ns)
{
    if (servo->kind != SERVO_RATE) {
        const bool sets = servo->kind == SERVO_OFFSET || servo->taken == 0;
        show(servo, local_ns, servo_time_ns(servo, local_ns) + (sets ? (int64_t)offset_ns : 0));
        servo->taken++;
        return;
    }
    const double passed_ns = (double)(local_ns - servo->local_ns);
    const int64_t time_ns = servo_time_ns(servo, local_ns);
    const bool steps = servo->taken < 2 || fabs(offset_ns) > STEP_NS;
    show(servo, local_ns, time_ns + (steps ? (int64_t)offset_ns : 0));
    servo->taken = steps && servo->taken > 1 ? 1 : servo->taken + 1;
    if (servo->taken == 2) // what it gained since the first, or since it jumped, is its rate
        servo->integral = clamp(servo->integral + offset_ns / passed_ns);
    else if (!steps)
        servo->integral = clamp(servo->integral + INTEGRAL * offset_ns / PERIOD_NS);
    servo->rate = servo->integral;
    if (!steps)
        servo->rate = clamp(servo->rate + PROPORTIONAL * offset_ns / PERIOD_NS);
}
