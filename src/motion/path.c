#include "motion/path.h"

#include <math.h>

#include "base/invariant.h"

#define STEPS_MAX 200 // towards the end of an interval of x
#define TINY 1e-12    // of a row's other factor: counts as 0
#define ROUNDING 1e-12

// A bound of u that changes with x.
struct bound {
    double u; // at this x
    double at_0, slope;
};

// What is possible at one value of x.
struct range {
    struct bound low, high;
};

// Two points of the path; x and u are those of the first.
struct interval {
    const struct path_point *from, *to;
    double length;
    double next_low, next_high; // of x at the second
};

const char *path_refusal_text(enum path_refusal refusal)
{
    static const char *const texts[] = {
        [PATH_OK] = "it can be done",
        [PATH_NOT_SOUND] = "numbers must be finite, s must rise, and speeds not be negative",
        [PATH_BLOCKED] = "no acceleration keeps all bounds here; widen them",
        [PATH_TOO_FAST] =
            "it cannot be done from this speed at its start; start slower, or widen the bounds",
        [PATH_UNBOUNDED] = "nothing bounds the speed here; bound a velocity or an acceleration",
    };
    return texts[refusal];
}

// ---- one interval -------------------------------------------------------------------------------

// a u + b x <= c. Rows without u bound x alone.
static void restrict_by(struct range *range, double *x_low, double *x_high, double x, double a,
                        double b, double c)
{
    if (isinf(c))
        return;
    if (fabs(a) <= TINY * fabs(b)) {
        if (b > 0)
            *x_high = fmin(*x_high, c / b);
        else if (b < 0)
            *x_low = fmax(*x_low, c / b);
        else if (c < 0)
            *x_high = -INFINITY;
        return;
    }
    const struct bound bound = {(c - b * x) / a, c / a, -b / a};
    if (a > 0 && bound.u < range->high.u)
        range->high = bound;
    else if (a < 0 && bound.u > range->low.u)
        range->low = bound;
}

// The rows of both points, and the speeds that lead on. At the second x is x + 2 length u.
static struct range range_at(const struct interval *i, double x, double *x_low, double *x_high)
{
    struct range range = {{-INFINITY, -INFINITY, 0}, {INFINITY, INFINITY, 0}};
    const double twice = 2 * i->length;
    *x_low = 0;
    *x_high = i->from->speed_max * i->from->speed_max;
    for (unsigned k = 0; k < i->from->rows; k++) {
        const struct path_row *row = &i->from->row[k];
        restrict_by(&range, x_low, x_high, x, row->u, row->x, row->high);
        restrict_by(&range, x_low, x_high, x, -row->u, -row->x, -row->low);
    }
    for (unsigned k = 0; k < i->to->rows; k++) {
        const struct path_row *row = &i->to->row[k];
        const double u = row->u + row->x * twice;
        restrict_by(&range, x_low, x_high, x, u, row->x, row->high);
        restrict_by(&range, x_low, x_high, x, -u, -row->x, -row->low);
    }
    restrict_by(&range, x_low, x_high, x, twice, 1, i->next_high);
    restrict_by(&range, x_low, x_high, x, -twice, -1, -i->next_low);
    return range;
}

// The greatest x (sign 1) or the least (-1) for which there is a u. How much u is missing is convex
// in x and made of straight pieces: so Newton's steps from outside arrive without passing the end.
static bool find_end(const struct interval *interval, double sign, double *x)
{
    double x_low, x_high;
    (void)range_at(interval, 0, &x_low, &x_high);
    *x = sign > 0 ? fmin(x_high, 1e300) : x_low;
    for (unsigned i = 0; i < STEPS_MAX && x_low <= x_high; i++) {
        double unused_low, unused_high;
        const struct range range = range_at(interval, *x, &unused_low, &unused_high);
        const double size = fabs(range.low.slope * *x) + fabs(range.high.slope * *x) +
                            fabs(range.low.at_0) + fabs(range.high.at_0);
        if (!(range.low.u - range.high.u > ROUNDING * size))
            return true;
        const double slope = range.low.slope - range.high.slope;
        const double next = (range.high.at_0 - range.low.at_0) / slope;
        if (!(slope * sign > 0) || !(sign > 0 ? next >= x_low : next <= x_high))
            return false;
        *x = sign > 0 ? fmin(next, x_high) : fmax(next, x_low);
    }
    return false;
}

// ---- the path -----------------------------------------------------------------------------------

static bool is_sound(const struct path_point *point, bool first)
{
    bool sound = isfinite(point->s) && point->speed_max > 0 && point->rows <= PATH_ROWS_MAX &&
                 (first || point->s > point[-1].s);
    for (unsigned k = 0; sound && k < point->rows; k++) {
        const struct path_row *row = &point->row[k];
        sound = isfinite(row->u) && isfinite(row->x) && row->low <= row->high;
    }
    return sound;
}

static struct interval interval_of(const struct path_point *point, unsigned k, const double *low,
                                   const double *high)
{
    return (struct interval){&point[k], &point[k + 1], point[k + 1].s - point[k].s, low[k + 1],
                             high[k + 1]};
}

// From the end: the least and the greatest x from which the rest can be done.
static enum path_refusal look_back(unsigned count, const struct path_point *point, double *low,
                                   double *high, unsigned *culprit)
{
    expects(count >= 2);
    for (unsigned k = count - 1; k-- > 0;) {
        const struct interval interval = interval_of(point, k, low, high);
        *culprit = k;
        if (!find_end(&interval, 1, &high[k]) || !find_end(&interval, -1, &low[k]))
            return PATH_BLOCKED;
        if (high[k] >= 1e300)
            return PATH_UNBOUNDED;
        high[k] = fmax(high[k], low[k]); // by rounding
    }
    return PATH_OK;
}

// The greatest x at the next point.
static double go_on(const struct interval *interval, double x)
{
    double x_low, x_high;
    const struct range range = range_at(interval, x, &x_low, &x_high);
    const double next = x + 2 * interval->length * range.high.u;
    return fmin(fmax(next, interval->next_low), interval->next_high);
}

enum path_refusal path_plan(unsigned count, const struct path_point *point, double speed_start,
                            double speed_end, double *speed, double *time_s, unsigned *culprit)
{
    *culprit = 0;
    if (count < 2 || !(speed_start >= 0 && speed_end >= 0))
        return PATH_NOT_SOUND;
    for (unsigned k = 0; k < count; k++) {
        *culprit = k;
        if (!is_sound(&point[k], k == 0))
            return PATH_NOT_SOUND;
    }
    if (!(speed_end <= point[count - 1].speed_max))
        return PATH_BLOCKED;
    // Until it is passed forwards, `speed` holds the greatest x and `time_s` the least.
    speed[count - 1] = time_s[count - 1] = speed_end * speed_end;
    const enum path_refusal refusal = look_back(count, point, time_s, speed, culprit);
    if (refusal != PATH_OK)
        return refusal;
    double x = speed_start * speed_start, t_s = 0;
    if (!(x <= speed[0] * (1 + ROUNDING) && x >= time_s[0] * (1 - ROUNDING)))
        return PATH_TOO_FAST;
    for (unsigned k = 0; k < count; k++) {
        const bool last = k + 1 == count;
        struct interval interval = {0};
        if (!last)
            interval = interval_of(point, k, time_s, speed);
        speed[k] = sqrt(x);
        time_s[k] = t_s;
        if (last)
            break;
        x = go_on(&interval, x);
        if (!(speed[k] + sqrt(x) > 0)) {
            *culprit = k;
            return PATH_BLOCKED; // it stands still
        }
        t_s += 2 * interval.length / (speed[k] + sqrt(x));
    }
    return PATH_OK;
}
