#include "motion/trajectory_way.h"

#include <math.h>
#include <stddef.h>

#define TRIALS 32 // of the acceleration at the limit, before it is refined
#define REFINEMENTS 48
#define ROUNDING 1e-12 // of positions

void trajectory_way_prepare(const struct trajectory_problem *p, unsigned i,
                            struct trajectory_way *way)
{
    way->bounds = &p->bounds[i];
    way->start = &p->start[i];
    way->end = &p->end[i];
    way->range = p->range == NULL ? NULL : &p->range[i];
    way->goal = p->goal;
    way->sought = false;
    trajectory_joint_prepare(way->bounds, way->start, way->end, way->goal, &way->plain);
}

// ---- positions ----------------------------------------------------------------------------------

static void widen(struct motion_range *reached, double position)
{
    reached->low = fmin(reached->low, position);
    reached->high = fmax(reached->high, position);
}

// All positions on the way: those at the pieces' ends, and where it turns round.
static struct motion_range reach_of(const struct trajectory *t)
{
    struct motion_state s = t->start;
    struct motion_range reached = {s.position, s.position};
    for (unsigned i = 0; i < t->count; i++) {
        const double a = t->piece[i].acceleration, j = t->piece[i].jerk;
        const double root = sqrt(fmax(a * a - 2 * j * s.velocity, 0));
        // j t^2 / 2 + a t + v = 0, without differences of nearly equal numbers
        const double q = -(a + copysign(root, a)), turn_s[] = {q / j, 2 * s.velocity / q};
        s.acceleration = a;
        for (unsigned k = 0; k < 2; k++)
            if (turn_s[k] > 0 && turn_s[k] < t->piece[i].duration_s)
                widen(&reached, trajectory_after(&s, turn_s[k], j).position);
        s = trajectory_after(&s, t->piece[i].duration_s, j);
        widen(&reached, s.position);
    }
    return reached;
}

static bool stays(const struct trajectory *t, const struct motion_range *range,
                  struct motion_range *reached)
{
    if (range == NULL)
        return true;
    *reached = reach_of(t);
    const double slack = ROUNDING * (fabs(reached->low) + fabs(reached->high));
    return reached->low >= range->low - slack && reached->high <= range->high + slack;
}

// ---- parts --------------------------------------------------------------------------------------

// The fastest motion between two states, if it stays in the range.
static bool part(const struct trajectory_way *way, const struct motion_state *start,
                 const struct motion_state *end, enum trajectory_goal goal,
                 struct trajectory *trajectory)
{
    struct trajectory_joint joint;
    struct motion_range reached = {0};
    trajectory_joint_prepare(way->bounds, start, end, goal, &joint);
    const double least_s = trajectory_joint_least(&joint, 0);
    return isfinite(least_s) && trajectory_joint_move(&joint, least_s, trajectory) &&
           stays(trajectory, way->range, &reached);
}

// Time of both parts by way of a state, the first into *first.
static double time_by(const struct trajectory_way *way, const struct motion_state *middle,
                      struct trajectory *first, struct trajectory *second)
{
    second->count = 0;
    if (!part(way, way->start, middle, TRAJECTORY_TO_STATE, first) ||
        !part(way, middle, way->end, TRAJECTORY_TO_STATE, second))
        return INFINITY;
    return first->duration_s + second->duration_s;
}

static void try_touch(struct trajectory_way *way, double position, double acceleration)
{
    struct trajectory first, second;
    const struct motion_state touch = {position, 0, acceleration};
    const double time_s = time_by(way, &touch, &first, &second);
    if (time_s < way->touch_s) {
        way->touch_s = time_s;
        way->touch = touch;
    }
}

// The best acceleration at a limit, of those that lead back into the range: first roughly, then in
// ever smaller steps to both sides.
static void seek_touch(struct trajectory_way *way, double position, double sign)
{
    const struct motion_bounds *b = way->bounds;
    const double most = isinf(b->jerk) ? 0 : fmin(b->acceleration, sqrt(2 * b->jerk * b->velocity));
    if (isinf(position) || isinf(most))
        return;
    for (unsigned i = 0; i <= TRIALS; i++)
        try_touch(way, position, sign * most * (double)i / TRIALS * (1 - 1e-12));
    double step = most / TRIALS;
    for (unsigned i = 0; i < REFINEMENTS && way->touch_s < INFINITY && step > 0; i++) {
        const double before_s = way->touch_s, at = fabs(way->touch.acceleration);
        try_touch(way, position, sign * fmax(at - step, 0));
        try_touch(way, position, sign * fmin(at + step, most * (1 - 1e-12)));
        step = way->touch_s < before_s ? step : step / 2;
    }
}

static void seek(struct trajectory_way *way, const struct motion_range *reached)
{
    struct trajectory first, second;
    const struct motion_state rest = {0};
    way->sought = true;
    way->touch_s = way->rest_s = INFINITY;
    if (way->goal == TRAJECTORY_TO_VELOCITY)
        return;
    if (reached->high > way->range->high)
        seek_touch(way, way->range->high, -1);
    else
        seek_touch(way, way->range->low, 1);
    if (!part(way, way->start, &rest, TRAJECTORY_TO_VELOCITY, &first))
        return;
    way->rest = first.end;
    way->rest_s = time_by(way, &way->rest, &first, &second);
}

// ---- the way ------------------------------------------------------------------------------------

// The motion without looking at the range, if it stays there.
static bool plain(const struct trajectory_way *way, double duration_s,
                  struct trajectory *trajectory, struct motion_range *reached)
{
    return trajectory_joint_move(&way->plain, duration_s, trajectory) &&
           stays(trajectory, way->range, reached);
}

double trajectory_way_least(struct trajectory_way *way, double from_s)
{
    struct trajectory trajectory;
    struct motion_range reached = {0};
    const double least_s = trajectory_joint_least(&way->plain, from_s);
    if (way->range == NULL || isinf(least_s) || plain(way, least_s, &trajectory, &reached))
        return least_s;
    if (!way->sought)
        seek(way, &reached);
    const double rest_s = fmax(way->rest_s, from_s);
    return way->touch_s >= from_s ? fmin(way->touch_s, rest_s) : rest_s;
}

bool trajectory_way_move(struct trajectory_way *way, double duration_s,
                         struct trajectory *trajectory)
{
    struct trajectory second;
    struct motion_range reached = {0};
    const bool possible =
        way->range == NULL || trajectory_joint_least(&way->plain, duration_s) == duration_s;
    if (possible && plain(way, duration_s, trajectory, &reached))
        return true;
    if (!way->sought)
        return false;
    const bool touches = duration_s == way->touch_s;
    const double time_s = time_by(way, touches ? &way->touch : &way->rest, trajectory, &second);
    if (!(time_s <= duration_s))
        return false;
    if (duration_s > time_s)
        trajectory->piece[trajectory->count++] = (struct extremal_piece){duration_s - time_s, 0, 0};
    for (unsigned i = 0; i < second.count; i++)
        trajectory->piece[trajectory->count++] = second.piece[i];
    trajectory->end = *way->end;
    trajectory->duration_s = duration_s;
    return true;
}
