#include "motion/extremal.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"

// Peak and valley of the acceleration, and the times for which the greatest is held.
struct shape {
    double peak, valley, hold_peak_s, hold_valley_s;
};

// fmax and fmin are calls.
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static void add(struct extremal *motion, double duration_s, double acceleration, double jerk)
{
    invariant(motion->count < sizeof motion->piece / sizeof motion->piece[0]);
    if (duration_s > 0)
        motion->piece[motion->count++] = (struct extremal_piece){duration_s, acceleration, jerk};
}

// Distance and time of the pieces, from velocity v0.
static void sum_up(struct extremal *motion, double v0)
{
    double p = 0, v = v0, time_s = 0;
    for (unsigned i = 0; i < motion->count; i++) {
        const struct extremal_piece *piece = &motion->piece[i];
        const double t = piece->duration_s, a = piece->acceleration, j = piece->jerk;
        p += t * (v + t * (a / 2 + t * j / 6));
        v += t * (a + t * j / 2);
        time_s += t;
    }
    motion->distance = p;
    motion->time_s = time_s;
}

// ---- the fastest change of velocity -------------------------------------------------------------

// Appends it: from (v0, a0) to (v1, a1). Returns its duration.
static double add_ramp(struct extremal *motion, const struct motion_bounds *b, double v0, double a0,
                       double v1, double a1)
{
    if (isinf(b->jerk)) {
        const double t = fabs(v1 - v0) / b->acceleration;
        add(motion, t, copysign(b->acceleration, v1 - v0), 0);
        return t;
    }
    const double direct =
        (a0 + a1) / 2 * fabs(a1 - a0) / b->jerk; // change on the way from a0 to a1
    const double sign = v1 - v0 >= direct ? 1 : -1;
    const double change = sign * (v1 - v0), s0 = sign * a0, s1 = sign * a1;
    const double top = larger(s0, s1), square = b->jerk * change + (s0 * s0 + s1 * s1) / 2;
    double peak = larger(sqrt(larger(square, 0)), top), hold_s = 0;
    if (top < 0 && square - top * top <= 1e-14 * (s0 * s0 + s1 * s1 + b->jerk * fabs(change)))
        peak = top; // straight from a0 to a1: else rounding would take it through 0 and back
    if (peak > b->acceleration) {
        const double rest =
            change - (2 * b->acceleration * b->acceleration - s0 * s0 - s1 * s1) / (2 * b->jerk);
        peak = b->acceleration;
        hold_s = larger(rest, 0) / peak;
    }
    const double up_s = (peak - s0) / b->jerk, down_s = (peak - s1) / b->jerk;
    add(motion, up_s, a0, sign * b->jerk);
    add(motion, hold_s, sign * peak, 0);
    add(motion, down_s, sign * peak, -sign * b->jerk);
    return larger(up_s, 0) + hold_s + larger(down_s, 0);
}

// ---- the farthest ahead without a bound of velocity ---------------------------------------------

// What the change of velocity asks of peak and valley: peak^2 - valley^2.
static double difference_of(const struct extremal_problem *q)
{
    return q->bounds.jerk * (q->v1 - q->v0) + (q->a0 * q->a0 - q->a1 * q->a1) / 2;
}

static struct shape shape_at(const struct extremal_problem *q, double T)
{
    const double c = q->bounds.acceleration, J = q->bounds.jerk, K = difference_of(q);
    const double m = (J * T - q->a1 + q->a0) / 2; // peak - valley, if neither is held
    const struct shape s = {(m + K / m) / 2, (K / m - m) / 2, 0, 0};
    if (s.peak <= c && s.valley >= -c)
        return s;
    const bool too_deep = s.valley < -c;
    const double common = c * (J * T + q->a0 - q->a1);
    if (s.peak > c) {
        const double valley = c - sqrt(larger(common - K, 0));
        if (valley >= -c)
            return (struct shape){c, valley, T - (2 * (c - valley) - q->a0 + q->a1) / J, 0};
    }
    if (too_deep) {
        const double peak = sqrt(larger(common + K, 0)) - c;
        if (peak <= c)
            return (struct shape){peak, -c, 0, T - (2 * (peak + c) - q->a0 + q->a1) / J};
    }
    const double sum = T - (4 * c - q->a0 + q->a1) / J, part = K / (c * J);
    return (struct shape){c, -c, (sum + part) / 2, (sum - part) / 2};
}

// At the least time. On the straight way from a0 up to a1 neither peak nor valley can be told from
// the other: what more time is spent on begins where the acceleration is nearest to 0.
static struct shape shape_at_least(const struct extremal_problem *q)
{
    const double rise = q->bounds.jerk * q->least_s;
    const double size = rise + fabs(q->a0) + fabs(q->a1);
    if (rise - q->a1 + q->a0 > 1e-9 * size)
        return shape_at(q, q->least_s);
    const double nearest = smaller(larger(0, q->a0), larger(q->a1, q->a0));
    return (struct shape){nearest, nearest, 0, 0};
}

// The Hamiltonian, at the middle of the way from peak to valley.
static double slope_of(const struct extremal_problem *q, const struct shape *s)
{
    const double J = q->bounds.jerk, m = s->peak - s->valley;
    const double v = q->v0 + larger((s->peak - q->a0) / J, 0) * (q->a0 + s->peak) / 2 +
                     larger(s->hold_peak_s, 0) * s->peak;
    return v + (3 * s->peak + s->valley) / 4 * (m / 2) / J + m * m / (8 * J);
}

// A motion up to a peak and down to a valley of the acceleration.
static void at_without_cruise(const struct extremal_problem *q, double T, struct extremal *motion)
{
    const double J = q->bounds.jerk;
    const struct shape s = shape_at(q, T);
    const double up_s = larger((s.peak - q->a0) / J, 0), m = s.peak - s.valley;
    add(motion, up_s, q->a0, J);
    add(motion, s.hold_peak_s, s.peak, 0);
    add(motion, m / J, s.peak, -J);
    add(motion, s.hold_valley_s, s.valley, 0);
    add(motion, (q->a1 - s.valley) / J, s.valley, J);
    motion->slope = slope_of(q, &s);
}

// Acceleration jumps: up with the greatest, then down with it.
static void at_without_jerk(const struct extremal_problem *q, double T, struct extremal *motion)
{
    const double c = q->bounds.acceleration;
    const double up_s = smaller(larger((T + (q->v1 - q->v0) / c) / 2, 0), T);
    add(motion, up_s, c, 0);
    add(motion, T - up_s, -c, 0);
    motion->slope = q->v0 + c * up_s;
}

static void at_cruise(const struct extremal_problem *q, double T, struct extremal *motion)
{
    const double v = q->bounds.velocity;
    (void)add_ramp(motion, &q->bounds, q->v0, q->a0, v, 0);
    add(motion, T - q->cruise_s, 0, 0);
    (void)add_ramp(motion, &q->bounds, v, 0, q->v1, q->a1);
    motion->slope = v;
}

void extremal_at(const struct extremal_problem *problem, double time_s, struct extremal *motion)
{
    motion->count = 0;
    if (time_s >= problem->cruise_s)
        at_cruise(problem, time_s, motion);
    else if (isinf(problem->bounds.jerk))
        at_without_jerk(problem, time_s, motion);
    else if (time_s > problem->least_s * (1 + 1e-12)) // nearer to it, rounding hides the shape
        at_without_cruise(problem, time_s, motion);
    else {
        (void)add_ramp(motion, &problem->bounds, problem->v0, problem->a0, problem->v1,
                       problem->a1);
        const struct shape shape = shape_at_least(problem);
        motion->slope = slope_of(problem, &shape);
    }
    sum_up(motion, problem->v0);
}

// ---- preparing ----------------------------------------------------------------------------------

// With accelerations of one sign at both ends, a bit more time than the least can be too much for
// the change of velocity: all ways to spend it change the velocity further, until the acceleration
// has time to change its sign. A dip of the acceleration to r^2 = (a0^2 + a1^2) / 2 - J dv does it.
static void find_gap(struct extremal_problem *q)
{
    const double J = q->bounds.jerk, sign = q->a0 > 0 ? 1 : -1;
    const double a0 = sign * q->a0, a1 = sign * q->a1, change = sign * (q->v1 - q->v0);
    q->gap_from_s = q->gap_to_s = INFINITY;
    if (isinf(J) || a0 <= 0 || a1 <= 0)
        return;
    const double square = (a0 * a0 + a1 * a1) / 2 - J * change, lower = smaller(a0, a1);
    const double rounding = 1e-14 * (a0 * a0 + a1 * a1 + J * fabs(change));
    if (square < 0 || square - lower * lower > rounding)
        return;
    const double r = smaller(sqrt(square), lower);
    q->gap_from_s = larger((a0 + a1 - 2 * r) / J, q->least_s);
    q->gap_to_s = (a0 + a1 + 2 * r) / J;
    // r <= a0 <= the bound: no valley is held
}

static void find_cruise(struct extremal_problem *q)
{
    const double v = q->bounds.velocity;
    struct extremal top; // its pieces are not worth the time to clear
    top.count = 0;
    q->cruise_s = INFINITY;
    q->cruise_distance = 0;
    if (isinf(v))
        return;
    q->cruise_s = add_ramp(&top, &q->bounds, q->v0, q->a0, v, 0) +
                  add_ramp(&top, &q->bounds, v, 0, q->v1, q->a1);
    sum_up(&top, q->v0);
    q->cruise_distance = top.distance;
}

void extremal_prepare(struct extremal_problem *problem, const struct motion_bounds *bounds,
                      const struct motion_state *start, const struct motion_state *end)
{
    struct extremal ramp;
    ramp.count = 0;
    problem->bounds = *bounds;
    problem->v0 = start->velocity;
    problem->a0 = start->acceleration;
    problem->v1 = end->velocity;
    problem->a1 = end->acceleration;
    problem->least_s = add_ramp(&ramp, bounds, problem->v0, problem->a0, problem->v1, problem->a1);
    sum_up(&ramp, problem->v0);
    problem->least_distance = ramp.distance;
    find_gap(problem);
    find_cruise(problem);
}

void extremal_mirror(const struct extremal_problem *problem, struct extremal_problem *mirrored)
{
    *mirrored = *problem;
    mirrored->v0 = -problem->v0;
    mirrored->a0 = -problem->a0;
    mirrored->v1 = -problem->v1;
    mirrored->a1 = -problem->a1;
    mirrored->least_distance = -problem->least_distance;
    find_cruise(mirrored);
}

unsigned extremal_bends(const struct extremal_problem *q, double bend_s[EXTREMAL_BENDS_MAX])
{
    const double c = q->bounds.acceleration, J = q->bounds.jerk;
    if (isinf(J))
        return 0;
    const double K = difference_of(q), rest = q->a1 - q->a0, held = 9 * c * c / 16;
    unsigned count = 0;
    bend_s[count++] = (2 * sqrt(fabs(K) / sqrt(3)) + rest) / J;
    if (isfinite(c)) {
        bend_s[count++] = ((held + K) / c + rest) / J;
        bend_s[count++] = ((held - K) / c + rest) / J;
    }
    return count;
}
