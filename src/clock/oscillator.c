#include "clock/oscillator.h"

#include "base/invariant.h"

#define PPB INT64_C(1000000000)
#define STEPS_MAX 8 // each leaves a thousandth of what was amiss

// Integral from 0 of a triangle that rises from 0 to 1, falls to -1 and comes back, once per 1.
static double triangle_sum(double u)
{
    expects(u >= 0 && u <= 1);
    if (u < 0.25)
        return 2 * u * u;
    if (u < 0.75)
        return 2 * u - 2 * u * u - 0.25;
    return 2 * u * u - 4 * u + 2;
}

static int64_t wandered_ns(const struct clk_oscillator *o, int64_t true_ns)
{
    if (o->wander_period_ns <= 0)
        return 0;
    const double period_ns = (double)o->wander_period_ns;
    double u = (double)(true_ns % o->wander_period_ns) / period_ns + o->wander_phase;
    u -= u >= 1 ? 1 : 0;
    const double sum = triangle_sum(u < 0 ? u + 1 : u) - triangle_sum(o->wander_phase);
    return (int64_t)((double)o->wander_ppb / (double)PPB * period_ns * sum);
}

int64_t clk_oscillator_local_ns(const struct clk_oscillator *o, int64_t true_ns)
{
    const __int128 drifted_ns = (__int128)true_ns * o->drift_ppb / PPB;
    const __int128 ns = (__int128)true_ns + o->offset_ns + drifted_ns + wandered_ns(o, true_ns);
    return ns > INT64_MAX ? INT64_MAX : ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

int64_t clk_oscillator_true_ns(const struct clk_oscillator *o, int64_t local_ns)
{
    expects(o->drift_ppb > -PPB); // it goes on, so each time has its instant
    if (local_ns == INT64_MAX)
        return INT64_MAX;
    int64_t true_ns = local_ns;
    for (int i = 0; i < STEPS_MAX; i++) {
        const int64_t missing_ns = local_ns - clk_oscillator_local_ns(o, true_ns);
        if (__builtin_add_overflow(true_ns, missing_ns, &true_ns))
            return INT64_MAX;
        if (missing_ns == 0)
            break;
    }
    // By rounding it may show the same twice, or skip one.
    for (int i = 0; i < STEPS_MAX && clk_oscillator_local_ns(o, true_ns - 1) >= local_ns; i++)
        true_ns--;
    for (int i = 0; i < STEPS_MAX && clk_oscillator_local_ns(o, true_ns) < local_ns; i++)
        true_ns++;
    return true_ns;
}
