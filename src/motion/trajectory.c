#include "motion/trajectory_way.h"

#include <math.h>
#include <stddef.h>

#define ROUNDS_MAX 1000 // of all joints' agreement
#define ROUNDING 1e-12  // beyond a bound, relative: counts as within
#define STRAIGHT 1e-9   // off the line, relative: counts as on it

const char *trajectory_refusal_text(enum trajectory_refusal refusal)
{
    static const char *const texts[] = {
        [TRAJECTORY_OK] = "it can be done",
        [TRAJECTORY_NOT_FINITE] =
            "states must be finite, bounds positive, and acceleration or jerk bounded",
        [TRAJECTORY_START_OUTSIDE] =
            "the start is not within the bounds, or leads out of them; widen them",
        [TRAJECTORY_END_OUTSIDE] =
            "the end is not within the bounds, or not reached within them; widen them",
        [TRAJECTORY_NOT_STRAIGHT] =
            "velocities and accelerations must be along the line to the end; or not in phase",
        [TRAJECTORY_OUT_OF_RANGE] =
            "it does not stay within its range of positions; widen it, or come slower",
        [TRAJECTORY_ILL_POSED] =
            "the numbers differ too much in size for double precision; bring them closer",
    };
    return texts[refusal];
}

// The next multiple of the period.
static double rounded_up(double duration_s, double period_s)
{
    if (!(period_s > 0))
        return duration_s;
    const double periods = ceil(duration_s / period_s);
    return (periods * period_s < duration_s ? periods + 1 : periods) * period_s;
}

// ---- ends ---------------------------------------------------------------------------------------

// The velocity keeps its bound beyond the state, too: from where the acceleration was at rest
// before it (sign -1), or until it is at rest after it (1).
static bool state_is_inside(const struct motion_bounds *b, const struct motion_state *state,
                            double sign, double tolerance)
{
    const double a = isinf(b->jerk) ? 0 : state->acceleration;
    const double change = isinf(b->jerk) ? 0 : a * fabs(a) / (2 * b->jerk);
    const double most = b->velocity * (1 + tolerance);
    return fabs(a) <= b->acceleration * (1 + tolerance) && fabs(state->velocity) <= most &&
           fabs(state->velocity + sign * change) <= most;
}

static enum trajectory_refusal check_ends(const struct trajectory_problem *p, unsigned i,
                                          double tolerance)
{
    if (p->start_inside && !state_is_inside(&p->bounds[i], &p->start[i], 1, tolerance))
        return TRAJECTORY_START_OUTSIDE;
    if (!state_is_inside(&p->bounds[i], &p->end[i], -1, tolerance))
        return TRAJECTORY_END_OUTSIDE;
    return TRAJECTORY_OK;
}

static enum trajectory_refusal plan_in_time(const struct trajectory_problem *p,
                                            struct trajectory *trajectory, unsigned *culprit)
{
    struct trajectory_way way[TRAJECTORY_JOINTS_MAX];
    for (unsigned i = 0; i < p->count; i++)
        trajectory_way_prepare(p, i, &way[i]);
    // The least time that one joint can take moves the others on, until it suits all.
    double duration_s = rounded_up(fmax(p->duration_min_s, 0), p->period_s);
    unsigned agreed = 0;
    for (unsigned turn = 0; agreed < p->count && turn < ROUNDS_MAX * p->count; turn++) {
        *culprit = turn % p->count;
        const double least_s = trajectory_way_least(&way[*culprit], duration_s);
        if (isinf(least_s))
            return p->range == NULL ? TRAJECTORY_ILL_POSED : TRAJECTORY_OUT_OF_RANGE;
        agreed = least_s > duration_s ? p->period_s <= 0 : agreed + 1;
        duration_s = rounded_up(least_s, p->period_s);
    }
    for (unsigned i = 0; i < p->count; i++) {
        *culprit = i;
        if (agreed < p->count || !trajectory_way_move(&way[i], duration_s, &trajectory[i]))
            return TRAJECTORY_ILL_POSED;
    }
    return TRAJECTORY_OK;
}

// ---- in phase -----------------------------------------------------------------------------------

// What must be along one line: the way to the end, velocities, accelerations.
enum { WAY, V0, V1, A0, A1, VECTORS };

static void vectors_of(const struct trajectory_problem *p,
                       double vector[VECTORS][TRAJECTORY_JOINTS_MAX])
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct motion_state *start = &p->start[i], *end = &p->end[i];
        const double way = end->position - start->position;
        const bool moves = fabs(way) > 1e-15 * (fabs(start->position) + fabs(end->position));
        const bool jumps = isinf(p->bounds[i].jerk);
        vector[WAY][i] = p->goal == TRAJECTORY_TO_STATE && moves ? way : 0;
        vector[V0][i] = start->velocity;
        vector[V1][i] = end->velocity;
        vector[A0][i] = jumps ? 0 : start->acceleration;
        vector[A1][i] = jumps ? 0 : end->acceleration;
    }
}

static double product(const double *a, const double *b, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

// How far each vector leads along the line. Returns a joint that is off the line, or count.
static unsigned project(double vector[VECTORS][TRAJECTORY_JOINTS_MAX], const double *line,
                        unsigned count, double along[VECTORS])
{
    for (unsigned k = 0; k < VECTORS; k++) {
        const double size = sqrt(product(vector[k], vector[k], count));
        along[k] = size > 0 ? product(vector[k], line, count) / product(line, line, count) : 0;
        for (unsigned i = 0; i < count; i++)
            if (fabs(vector[k][i] - along[k] * line[i]) > STRAIGHT * size)
                return i;
    }
    return count;
}

static double narrowest(double bound, double of_joint, double share)
{
    return share == 0 ? bound : fmin(bound, of_joint / fabs(share));
}

static void narrow(struct motion_range *range, const struct motion_range *of_joint, double start,
                   double share)
{
    if (share == 0)
        return;
    const double low = (of_joint->low - start) / share, high = (of_joint->high - start) / share;
    range->low = fmax(range->low, fmin(low, high));
    range->high = fmin(range->high, fmax(low, high));
}

// What joint i does of a motion along the line.
static void take_share(const struct trajectory_problem *p, unsigned i,
                       const struct trajectory *motion, double share, struct trajectory *trajectory)
{
    *trajectory = *motion;
    trajectory->start = p->start[i];
    trajectory->end = p->end[i];
    if (p->goal == TRAJECTORY_TO_VELOCITY)
        trajectory->end.position = p->start[i].position + share * motion->end.position;
    for (unsigned k = 0; k < motion->count; k++) {
        trajectory->piece[k].acceleration *= share;
        trajectory->piece[k].jerk *= share;
    }
}

// One motion along the line, within the narrowest of the joints' bounds.
static enum trajectory_refusal plan_in_phase(const struct trajectory_problem *p,
                                             struct trajectory *trajectory, unsigned *culprit)
{
    double vector[VECTORS][TRAJECTORY_JOINTS_MAX], along[VECTORS];
    struct motion_bounds bounds = {INFINITY, INFINITY, INFINITY};
    struct motion_range range = {-INFINITY, INFINITY};
    struct trajectory motion;
    const double *line = vector[WAY];
    vectors_of(p, vector);
    for (unsigned k = 0; k < VECTORS && product(line, line, p->count) == 0; k++)
        line = vector[k];
    *culprit = project(vector, line, p->count, along);
    if (*culprit < p->count)
        return TRAJECTORY_NOT_STRAIGHT;
    for (unsigned i = 0; i < p->count; i++) {
        const struct motion_bounds *b = &p->bounds[i];
        bounds.velocity = narrowest(bounds.velocity, b->velocity, line[i]);
        bounds.acceleration = narrowest(bounds.acceleration, b->acceleration, line[i]);
        bounds.jerk = narrowest(bounds.jerk, b->jerk, line[i]);
        if (p->range != NULL)
            narrow(&range, &p->range[i], p->start[i].position, line[i]);
    }
    const struct motion_state start = {0, along[V0], along[A0]},
                              end = {along[WAY], along[V1], along[A1]};
    struct trajectory_problem alone = *p;
    alone.count = 1;
    alone.bounds = isinf(bounds.acceleration) && isinf(bounds.jerk) ? p->bounds : &bounds;
    alone.start = &start;
    alone.end = &end;
    alone.range = p->range == NULL ? NULL : &range;
    enum trajectory_refusal refusal = check_ends(&alone, 0, STRAIGHT);
    *culprit = 0;
    if (refusal == TRAJECTORY_OK)
        refusal = plan_in_time(&alone, &motion, culprit);
    for (unsigned i = 0; refusal == TRAJECTORY_OK && i < p->count; i++)
        take_share(p, i, &motion, line[i], &trajectory[i]);
    return refusal;
}

// -------------------------------------------------------------------------------------------------

static bool bounds_are_sound(const struct motion_bounds *b)
{
    return b->velocity > 0 && b->acceleration > 0 && b->jerk > 0 &&
           (isfinite(b->acceleration) || isfinite(b->jerk));
}

static bool state_is_sound(const struct motion_state *s)
{
    return isfinite(s->position) && isfinite(s->velocity) && isfinite(s->acceleration);
}

static enum trajectory_refusal check(const struct trajectory_problem *p, unsigned *culprit)
{
    for (unsigned i = 0; i < p->count; i++) {
        *culprit = i;
        if (!bounds_are_sound(&p->bounds[i]) || !state_is_sound(&p->start[i]) ||
            !state_is_sound(&p->end[i]))
            return TRAJECTORY_NOT_FINITE;
        const enum trajectory_refusal refusal = check_ends(p, i, ROUNDING);
        if (refusal != TRAJECTORY_OK)
            return refusal;
        if (p->range != NULL &&
            !(p->start[i].position >= p->range[i].low && p->start[i].position <= p->range[i].high))
            return TRAJECTORY_OUT_OF_RANGE;
    }
    return TRAJECTORY_OK;
}

enum trajectory_refusal trajectory_plan(const struct trajectory_problem *problem,
                                        struct trajectory *trajectory, unsigned *culprit)
{
    const enum trajectory_refusal refusal = check(problem, culprit);
    if (refusal != TRAJECTORY_OK)
        return refusal;
    return problem->synchronization == TRAJECTORY_IN_PHASE
               ? plan_in_phase(problem, trajectory, culprit)
               : plan_in_time(problem, trajectory, culprit);
}

struct motion_state trajectory_at(const struct trajectory *trajectory, double t_s)
{
    struct motion_state state = trajectory->start;
    if (t_s >= trajectory->duration_s)
        return trajectory_after(&trajectory->end, t_s - trajectory->duration_s, 0);
    for (unsigned i = 0; i < trajectory->count && t_s > 0; i++) {
        const struct extremal_piece *piece = &trajectory->piece[i];
        state.acceleration = piece->acceleration;
        state = trajectory_after(&state, fmin(t_s, piece->duration_s), piece->jerk);
        t_s -= piece->duration_s;
    }
    return state;
}
