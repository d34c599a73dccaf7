#include "motion/waypoints.h"

#include <math.h>
#include <stddef.h>

#define HALVINGS 14   // of the steps
#define SWEEPS_MAX 12 // over all way points with one step
#define ALONE 1e-3    // what the time of joints alone weighs beside that of all together

struct trajectory_problem waypoints_part(const struct waypoints_problem *problem,
                                         const struct motion_state *passed, unsigned k)
{
    struct trajectory_problem part = problem->ends;
    if (k > 0) {
        part.start = &passed[(size_t)(k - 1) * part.count];
        part.start_inside = true;
    }
    if (k < problem->count) {
        part.end = &passed[(size_t)k * part.count];
        part.goal = TRAJECTORY_TO_STATE;
    }
    return part;
}

static double duration_of(const struct trajectory_problem *part, enum trajectory_refusal *refusal,
                          unsigned *culprit)
{
    struct trajectory trajectory[TRAJECTORY_JOINTS_MAX];
    *refusal = trajectory_plan(part, trajectory, culprit);
    return *refusal == TRAJECTORY_OK ? trajectory[0].duration_s : INFINITY;
}

// A joint that could be faster alone is worth something, too: then the others may follow.
static double cost_of(const struct trajectory_problem *part)
{
    enum trajectory_refusal refusal;
    unsigned culprit;
    double alone_s = 0;
    const double together_s = duration_of(part, &refusal, &culprit);
    if (part->synchronization == TRAJECTORY_IN_PHASE || isinf(together_s))
        return together_s;
    for (unsigned i = 0; i < part->count; i++) {
        struct trajectory_problem alone = *part;
        alone.count = 1;
        alone.bounds += i;
        alone.start += i;
        alone.end += i;
        alone.range = part->range == NULL ? NULL : part->range + i;
        alone_s += duration_of(&alone, &refusal, &culprit);
    }
    return together_s + ALONE * alone_s / part->count;
}

// Of the parts before and after a way point.
static double cost_around(const struct waypoints_problem *p, const struct motion_state *passed,
                          unsigned k)
{
    const struct trajectory_problem before = waypoints_part(p, passed, k);
    const struct trajectory_problem after = waypoints_part(p, passed, k + 1);
    const double first = cost_of(&before);
    return isinf(first) ? first : first + cost_of(&after);
}

struct search {
    const struct waypoints_problem *problem;
    struct motion_state *passed;
    double scale_s; // mean duration of a part at the beginning
    double step;
    bool saved;
};

// Greatest changes of velocity and acceleration of a joint that are worth trying.
static struct motion_state reach_of(const struct search *search, unsigned k, unsigned i)
{
    const struct waypoints_problem *const p = search->problem;
    const struct trajectory_problem before = waypoints_part(p, search->passed, k);
    const struct trajectory_problem after = waypoints_part(p, search->passed, k + 1);
    const struct motion_bounds *b = &p->ends.bounds[i];
    const double way = after.end[i].position - before.start[i].position;
    const double v = isinf(b->velocity) ? 4 * fabs(way) / search->scale_s : b->velocity;
    const double a = fmin(b->acceleration, b->jerk * search->scale_s);
    return (struct motion_state){way, v, isinf(b->jerk) ? 0 : a};
}

static double *part_of(struct motion_state *state, bool of_velocity)
{
    return of_velocity ? &state->velocity : &state->acceleration;
}

// Changes joints [first, last) of way point k by `change`, and keeps that if it saves time.
static bool try_change(struct search *search, unsigned k, unsigned first, unsigned last,
                       bool of_velocity, const double *change, double *cost)
{
    const unsigned joints = search->problem->ends.count;
    struct motion_state *const at = &search->passed[(size_t)k * joints];
    double before[TRAJECTORY_JOINTS_MAX];
    for (unsigned i = first; i < last; i++) {
        before[i] = *part_of(&at[i], of_velocity);
        *part_of(&at[i], of_velocity) += change[i];
    }
    const double now = cost_around(search->problem, search->passed, k);
    if (now < *cost * (1 - 1e-9)) {
        *cost = now;
        search->saved = true;
        return true;
    }
    for (unsigned i = first; i < last; i++)
        *part_of(&at[i], of_velocity) = before[i];
    return false;
}

static void try_both(struct search *search, unsigned k, unsigned first, unsigned last,
                     bool of_velocity, double *change, double *cost)
{
    if (try_change(search, k, first, last, of_velocity, change, cost))
        return;
    for (unsigned i = first; i < last; i++)
        change[i] = -change[i];
    (void)try_change(search, k, first, last, of_velocity, change, cost);
}

static void improve(struct search *search, unsigned k)
{
    const unsigned joints = search->problem->ends.count;
    double along[TRAJECTORY_JOINTS_MAX], alone[TRAJECTORY_JOINTS_MAX];
    double cost = cost_around(search->problem, search->passed, k), share = INFINITY;
    for (unsigned i = 0; i < joints; i++) {
        const struct motion_state reach = reach_of(search, k, i);
        along[i] = reach.position * search->step;
        share = reach.position == 0 ? share : fmin(share, reach.velocity / fabs(reach.position));
    }
    for (unsigned i = 0; i < joints && share < INFINITY; i++)
        along[i] *= share;
    if (share < INFINITY)
        try_both(search, k, 0, joints, true, along, &cost);
    for (unsigned i = 0; i < joints; i++) {
        const struct motion_state reach = reach_of(search, k, i);
        alone[i] = reach.velocity * search->step;
        if (alone[i] > 0)
            try_both(search, k, i, i + 1, true, alone, &cost);
        alone[i] = reach.acceleration * search->step;
        if (alone[i] > 0)
            try_both(search, k, i, i + 1, false, alone, &cost);
    }
}

static enum trajectory_refusal sum_up(const struct waypoints_problem *problem,
                                      const struct motion_state *passed, double *duration_s,
                                      unsigned *culprit)
{
    enum trajectory_refusal refusal = TRAJECTORY_OK;
    *duration_s = 0;
    for (unsigned k = 0; k <= problem->count && refusal == TRAJECTORY_OK; k++) {
        const struct trajectory_problem part = waypoints_part(problem, passed, k);
        *duration_s += duration_of(&part, &refusal, culprit);
    }
    return refusal;
}

enum trajectory_refusal waypoints_plan(const struct waypoints_problem *problem,
                                       struct motion_state *passed, double *duration_s,
                                       unsigned *culprit)
{
    for (size_t i = 0; i < (size_t)problem->count * problem->ends.count; i++)
        passed[i] = (struct motion_state){.position = problem->position[i]};
    const enum trajectory_refusal refusal = sum_up(problem, passed, duration_s, culprit);
    if (refusal != TRAJECTORY_OK || *duration_s == 0 || problem->count == 0)
        return refusal;
    struct search search = {.problem = problem,
                            .passed = passed,
                            .scale_s = *duration_s / (problem->count + 1),
                            .step = 0.5};
    for (unsigned n = 0; n < HALVINGS; n++) {
        search.saved = true;
        for (unsigned sweep = 0; sweep < SWEEPS_MAX && search.saved; sweep++) {
            search.saved = false;
            for (unsigned k = 0; k < problem->count; k++)
                improve(&search, k);
        }
        search.step /= 2;
    }
    return sum_up(problem, passed, duration_s, culprit);
}
