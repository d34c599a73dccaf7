#include "walk/generator/swing_spline.h"

#include <math.h>

#define KNOTS_MAX (SWING_SPLINE_POINTS_MAX + 2)

struct knots {
    unsigned count;
    double time_s[KNOTS_MAX], value[KNOTS_MAX], second[KNOTS_MAX]; // second derivative
};

// The points with a knot more in the first and in the last interval, whose values are not yet
// known.
static void lay_knots(struct knots *knots, unsigned count, const double *time_s,
                      const double *value)
{
    knots->count = 0;
    for (unsigned i = 0; i < count; i++) {
        knots->time_s[knots->count] = time_s[i];
        knots->value[knots->count++] = value[i];
        if (i == 0 || i == count - 2) {
            knots->time_s[knots->count] = 0.5 * (time_s[i] + time_s[i + 1]);
            knots->value[knots->count++] = i == 0 ? value[0] : value[count - 1];
        }
    }
}

// Second derivatives m that make the slope continuous at each inner knot:
//   h[i-1] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i] m[i+1]
//     = 6 ((x[i+1] - x[i]) / h[i] - (x[i] - x[i-1]) / h[i-1]).
// At rest in the ends, m = 0 there and x[1] = x[0] + h^2 m[1] / 6, likewise at the other end.
static void solve(struct knots *knots)
{
    double above[KNOTS_MAX] = {0}, *m = knots->second;
    const double *x = knots->value, *t = knots->time_s;
    const unsigned last = knots->count - 1;
    const double first_h = t[1] - t[0], last_h = t[last] - t[last - 1];
    const double first_share = first_h * first_h / 6, last_share = last_h * last_h / 6;
    m[0] = m[last] = 0;
    for (unsigned i = 1; i < last; i++) {
        const double before = t[i] - t[i - 1], after = t[i + 1] - t[i];
        double left = i > 1 ? before : 0, right = i < last - 1 ? after : 0;
        double middle = 2 * (before + after);
        const double sum = 6 * ((x[i + 1] - x[i]) / after - (x[i] - x[i - 1]) / before);
        if (i == 1)
            middle += 6 * first_share * (1 / before + 1 / after);
        if (i == 2)
            left -= 6 * first_share / before;
        if (i == last - 2)
            right -= 6 * last_share / after;
        if (i == last - 1)
            middle += 6 * last_share * (1 / before + 1 / after);
        const double pivot = middle - left * above[i - 1];
        above[i] = right / pivot;
        m[i] = (sum - left * m[i - 1]) / pivot;
    }
    for (unsigned i = last - 1; i > 1; i--)
        m[i - 1] -= above[i - 1] * m[i];
    knots->value[1] = x[0] + first_share * m[1];
    knots->value[last - 1] = x[last] + last_share * m[last - 1];
}

double swing_spline_at(unsigned count, const double *time_s, const double *value, double t_s)
{
    struct knots knots;
    if (t_s <= time_s[0])
        return value[0];
    if (t_s >= time_s[count - 1])
        return value[count - 1];
    lay_knots(&knots, count, time_s, value);
    solve(&knots);
    unsigned i = 0;
    while (t_s > knots.time_s[i + 1])
        i++;
    const double h = knots.time_s[i + 1] - knots.time_s[i];
    const double a = (knots.time_s[i + 1] - t_s) / h, b = 1 - a;
    return a * knots.value[i] + b * knots.value[i + 1] +
           h * h / 6 * (a * (a * a - 1) * knots.second[i] + b * (b * b - 1) * knots.second[i + 1]);
}

void swing_spline(const struct walk_swing *swing, double t_s, struct walk_foot *foot)
{
    const double *from = swing->from.position_m, *to = swing->to.position_m;
    const double way_m = hypot(to[0] - from[0], to[1] - from[1]);
    const double top_m = fmax(from[2], to[2]) + swing->height_m;
    const double time_s[4] = {0, swing->share[0] * swing->single_s,
                              swing->share[1] * swing->single_s, swing->single_s};
    const double along_m[4] = {0, swing->along_m[0], swing->along_m[1], way_m};
    const double up_m[4] = {from[2], top_m, top_m, to[2]};
    const double at_m = swing_spline_at(4, time_s, along_m, t_s);
    const double u = fmin(1, fmax(0, t_s / swing->single_s));
    const double share = u * u * u * (10 + u * (6 * u - 15));
    for (int a = 0; a < 2; a++)
        foot->position_m[a] = way_m > 0 ? from[a] + at_m / way_m * (to[a] - from[a]) : to[a];
    foot->position_m[2] = swing_spline_at(4, time_s, up_m, t_s);
    foot->yaw_rad = swing->from.yaw_rad + share * (swing->to.yaw_rad - swing->from.yaw_rad);
    foot->pitch_rad = 0;
}
