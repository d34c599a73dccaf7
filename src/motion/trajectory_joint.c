#include "motion/trajectory_joint.h"

#include <math.h>

#include "base/invariant.h"

#define CANDIDATES_MAX 32 // times of one joint at which what is possible may change
#define ROOT_STEPS_MAX 80
#define ROUNDING 1e-14 // of a velocity or a time
#define REACHED 1e-11  // of the scale of a distance: counts as met

// ---- back within the bounds ---------------------------------------------------------------------

struct motion_state trajectory_after(const struct motion_state *s, double t, double jerk)
{
    return (struct motion_state){
        s->position + t * (s->velocity + t * (s->acceleration / 2 + t * jerk / 6)),
        s->velocity + t * (s->acceleration + t * jerk / 2), s->acceleration + t * jerk};
}

static void move(struct trajectory *trajectory, struct motion_state *state, double t,
                 double acceleration, double jerk)
{
    if (!(t > 0))
        return;
    invariant(trajectory->count < sizeof trajectory->piece / sizeof trajectory->piece[0]);
    state->acceleration = acceleration;
    trajectory->piece[trajectory->count++] = (struct extremal_piece){t, acceleration, jerk};
    *state = trajectory_after(state, t, jerk);
}

// Velocity that is above the bound, or will be before the acceleration has come to rest, is brought
// down to it as fast as the bounds allow. Seen in a mirror if sign is -1.
static void brake_velocity(struct trajectory *trajectory, const struct motion_bounds *b,
                           struct motion_state *state, double sign)
{
    const double J = b->jerk, v = sign * state->velocity, a = sign * state->acceleration;
    const double over = v - b->velocity;
    if (isinf(J)) {
        move(trajectory, state, over / b->acceleration, -sign * b->acceleration, 0);
        return;
    }
    if (!(over + (a > 0 ? a * a / (2 * J) : 0) > 1e-12 * b->velocity))
        return;
    // Until the bound is reached, but not so hard that the opposite bound could not be kept then.
    const double bottom = fmax(a * a / 2 + J * (v + b->velocity), 0);
    const double reached = sqrt(fmin(fmax(a * a + 2 * J * over, 0), bottom));
    const double deepest = fmin(reached, b->acceleration);
    move(trajectory, state, (a + deepest) / J, sign * a, -sign * J);
    if (reached <= b->acceleration)
        return;
    const double now = sign * state->velocity, c = b->acceleration;
    move(trajectory, state, fmin((now - b->velocity) / c, (now + b->velocity) / c - c / (2 * J)),
         -sign * c, 0);
}

static void brake(struct trajectory *trajectory, const struct motion_bounds *b,
                  struct motion_state *state)
{
    const double over = fabs(state->acceleration) - b->acceleration;
    if (isinf(b->jerk))
        state->acceleration = 0;
    else if (over > 0) {
        const double sign = copysign(1, state->acceleration);
        move(trajectory, state, over / b->jerk, state->acceleration, -sign * b->jerk);
        state->acceleration = sign * b->acceleration;
    }
    brake_velocity(trajectory, b, state, 1);
    brake_velocity(trajectory, b, state, -1);
}

// ---- one joint's possible times -----------------------------------------------------------------

static double distance_ahead(const struct extremal_problem *problem, double T, double *slope)
{
    struct extremal motion;
    extremal_at(problem, T, &motion);
    *slope = motion.slope;
    return motion.distance;
}

// The time in [low, high] at which the distance is reached, between which it is reached once.
static double root(const struct extremal_problem *problem, double distance, double low, double high,
                   double first, bool rising)
{
    double T = first, slope;
    for (int i = 0; i < ROOT_STEPS_MAX && high - low > 4e-16 * high; i++) {
        const double missing = distance - distance_ahead(problem, T, &slope);
        if ((missing > 0) == rising)
            low = T;
        else
            high = T;
        const double next = T + missing / slope;
        const double middle = (low + high) / 2;
        if (!(next >= low && next <= high)) {
            T = middle;
            continue;
        }
        if (fabs(next - T) <= 2e-16 * T)
            return next;
        T = i % 8 == 7 ? middle : next; // whatever the slope says, the interval shrinks
    }
    return T;
}

// The times at which what is farthest ahead is just the distance, on a part without bends.
static unsigned find_on_part(const struct extremal_problem *problem, double distance, double low,
                             double high, double *time_s)
{
    double slope_low, slope_high;
    const double at_low = distance_ahead(problem, low, &slope_low) - distance;
    const double at_high = distance_ahead(problem, high, &slope_high) - distance;
    if ((at_low < 0) != (at_high < 0)) {
        const double chord = low + (high - low) * at_low / (at_low - at_high);
        *time_s = root(problem, distance, low, high, chord, at_low < 0);
        return 1;
    }
    if ((slope_low > 0) == (slope_high > 0) || (at_low < 0) != (slope_low > 0))
        return 0;
    // A turn on the way may reach it twice.
    double from = low, to = high, slope, at = at_low;
    for (int i = 0; i < ROOT_STEPS_MAX && (at < 0) == (at_low < 0) && to - from > 4e-16 * to; i++) {
        const double middle = (from + to) / 2;
        at = distance_ahead(problem, middle, &slope) - distance;
        if ((slope > 0) == (slope_low > 0))
            from = middle;
        else
            to = middle;
        if ((at < 0) != (at_low < 0)) {
            time_s[0] = root(problem, distance, low, middle, (low + middle) / 2, at_low < 0);
            time_s[1] = root(problem, distance, middle, high, (middle + high) / 2, at_low >= 0);
            return 2;
        }
    }
    return 0;
}

static void insert(double *sorted, unsigned *count, double value)
{
    unsigned i = (*count)++;
    for (; i > 0 && sorted[i - 1] > value; i--)
        sorted[i] = sorted[i - 1];
    sorted[i] = value;
}

// Beyond all bends and without a bound of velocity, the distance grows without end.
static double far_enough(const struct extremal_problem *problem, double distance, double from_s)
{
    double T = 2 * from_s + 1e-9, slope;
    for (int i = 0; i < 200; i++) {
        if (distance_ahead(problem, T, &slope) >= distance && slope > 0)
            break;
        T *= 2;
    }
    return T;
}

// The times at which what is farthest ahead is just the distance, into time_s, the first one or
// all; returns how many.
static unsigned find_times(const struct extremal_problem *problem, double distance, bool all,
                           double *time_s)
{
    double bend_s[EXTREMAL_BENDS_MAX], mark_s[EXTREMAL_BENDS_MAX + 4];
    unsigned marks = 0, found = 0;
    const bool cruises = distance >= problem->cruise_distance && problem->cruise_s < INFINITY;
    insert(mark_s, &marks, problem->least_s);
    if (problem->gap_to_s < INFINITY) {
        insert(mark_s, &marks, problem->gap_from_s);
        insert(mark_s, &marks, problem->gap_to_s);
    }
    const unsigned bends = extremal_bends(problem, bend_s);
    double last_s = problem->cruise_s;
    if (isinf(last_s)) {
        double from_s = mark_s[marks - 1];
        for (unsigned i = 0; i < bends; i++)
            from_s = fmax(from_s, bend_s[i]);
        last_s = far_enough(problem, distance, from_s);
    }
    for (unsigned i = 0; i < bends; i++)
        if (bend_s[i] > problem->least_s && bend_s[i] < last_s)
            insert(mark_s, &marks, bend_s[i]);
    if (!all && cruises && marks == 1)
        marks = 0; // it rises up to there
    for (unsigned i = 0; i < marks && mark_s[i] < last_s && (all || found == 0); i++) {
        const double high_s = i + 1 < marks ? fmin(mark_s[i + 1], last_s) : last_s;
        const bool in_gap = mark_s[i] >= problem->gap_from_s && mark_s[i] < problem->gap_to_s;
        if (!in_gap)
            found += find_on_part(problem, distance, mark_s[i], high_s, time_s + found);
    }
    if ((all || found == 0) && cruises)
        time_s[found++] =
            problem->cruise_s + (distance - problem->cruise_distance) / problem->bounds.velocity;
    return found;
}

// Whether the joint can take the time T (behind its brake).
static bool possible(const struct trajectory_joint *joint, double T)
{
    double slope;
    const double slack = REACHED * joint->scale + ROUNDING * joint->velocity_scale * T;
    const double rounding_s = ROUNDING * (joint->brake_s + T);
    if (!(T >= joint->ahead.least_s - rounding_s) ||
        (T > joint->ahead.gap_from_s + rounding_s && T < joint->ahead.gap_to_s - rounding_s))
        return false;
    return joint->anywhere ||
           (distance_ahead(&joint->ahead, T, &slope) >= joint->distance - slack &&
            distance_ahead(&joint->back, T, &slope) >= -joint->distance - slack);
}

// Times, the joint's brake included, at which what is possible may begin.
static unsigned find_candidates(const struct trajectory_joint *joint,
                                double candidate_s[CANDIDATES_MAX])
{
    double time_s[CANDIDATES_MAX];
    unsigned count = 0, found = 0;
    time_s[found++] = joint->ahead.least_s;
    if (joint->ahead.gap_to_s < INFINITY) {
        time_s[found++] = joint->ahead.gap_from_s;
        time_s[found++] = joint->ahead.gap_to_s;
    }
    if (!joint->anywhere) {
        found += find_times(&joint->ahead, joint->distance, true, time_s + found);
        found += find_times(&joint->back, -joint->distance, true, time_s + found);
    }
    for (unsigned i = 0; i < found; i++)
        insert(candidate_s, &count, joint->brake_s + time_s[i]);
    return count;
}

// ---- preparing ----------------------------------------------------------------------------------

void trajectory_joint_prepare(const struct motion_bounds *b, const struct motion_state *start,
                              const struct motion_state *end, enum trajectory_goal goal,
                              struct trajectory_joint *joint)
{
    struct motion_state from = *start, to = *end;
    struct trajectory *const trajectory = &joint->brake;
    trajectory->start = *start;
    trajectory->end = *end;
    trajectory->count = 0;
    brake(trajectory, b, &from);
    joint->anywhere = goal == TRAJECTORY_TO_VELOCITY;
    if (isinf(b->jerk))
        to.acceleration = 0;
    joint->brake_s = 0;
    joint->exact_s = NAN;
    for (unsigned i = 0; i < trajectory->count; i++)
        joint->brake_s += trajectory->piece[i].duration_s;
    joint->from = from.position;
    joint->distance = to.position - from.position;
    extremal_prepare(&joint->ahead, b, &from, &to);
    extremal_mirror(&joint->ahead, &joint->back);
    joint->velocity_scale = fabs(from.velocity) + fabs(to.velocity) +
                            (isinf(b->jerk) ? 0 : from.acceleration * from.acceleration / b->jerk);
    joint->scale = fabs(joint->distance) + fabs(joint->ahead.least_distance) +
                   fabs(joint->ahead.cruise_distance) + fabs(joint->back.cruise_distance);
}

// ---- the motions --------------------------------------------------------------------------------

// Appends the mixture of two motions of one duration, each with its share.
static void mix(struct trajectory *trajectory, const struct extremal *one, double share,
                const struct extremal *other)
{
    unsigned i = 0, k = 0;
    double used_one_s = 0, used_other_s = 0;
    while (i < one->count && k < other->count) {
        const struct extremal_piece *a = &one->piece[i], *b = &other->piece[k];
        const double left_one_s = a->duration_s - used_one_s;
        const double left_other_s = b->duration_s - used_other_s;
        const double t = fmin(left_one_s, left_other_s);
        if (t > 0)
            trajectory->piece[trajectory->count++] = (struct extremal_piece){
                t,
                share * (a->acceleration + used_one_s * a->jerk) +
                    (1 - share) * (b->acceleration + used_other_s * b->jerk),
                share * a->jerk + (1 - share) * b->jerk};
        used_one_s = left_one_s <= left_other_s ? 0 : used_one_s + t;
        used_other_s = left_other_s <= left_one_s ? 0 : used_other_s + t;
        i += left_one_s <= left_other_s;
        k += left_other_s <= left_one_s;
    }
}

// The back motion, turned round.
static void turn(struct extremal *motion)
{
    motion->distance = -motion->distance;
    for (unsigned i = 0; i < motion->count; i++) {
        motion->piece[i].acceleration = -motion->piece[i].acceleration;
        motion->piece[i].jerk = -motion->piece[i].jerk;
    }
}

static void append(struct trajectory *trajectory, const struct extremal *motion)
{
    for (unsigned i = 0; i < motion->count; i++)
        trajectory->piece[trajectory->count++] = motion->piece[i];
}

// The state to be reached may be anywhere: in the middle, if it can be.
static double distance_of(const struct trajectory_joint *joint, double T, double back, double ahead)
{
    const double middle = (joint->ahead.v0 + joint->ahead.v1) / 2 * T;
    return joint->anywhere ? fmin(fmax(middle, back), ahead) : joint->distance;
}

static void move_on(const struct trajectory_joint *joint, double duration_s,
                    struct trajectory *trajectory)
{
    struct extremal ahead, back;
    const double T = duration_s - joint->brake_s;
    if (joint->exact_s == duration_s) {
        extremal_at(joint->exact, T, &ahead);
        if (joint->exact == &joint->back)
            turn(&ahead);
        append(trajectory, &ahead);
        return;
    }
    extremal_at(&joint->ahead, T, &ahead);
    extremal_at(&joint->back, T, &back);
    turn(&back);
    const double room = ahead.distance - back.distance;
    const double distance = distance_of(joint, T, back.distance, ahead.distance);
    const double share = (distance - back.distance) / room;
    if (joint->anywhere)
        trajectory->end.position = joint->from + distance;
    if (!(room > REACHED * joint->scale) || share >= 1 - 1e-13)
        append(trajectory, &ahead);
    else if (share <= 1e-13)
        append(trajectory, &back);
    else
        mix(trajectory, &ahead, share, &back);
}

// Whether the pieces last as long as they should and lead to the end, as far as their size lets
// that be seen.
static bool arrives(const struct trajectory *trajectory)
{
    double time_s = 0, size = fabs(trajectory->start.position) + fabs(trajectory->end.position);
    struct motion_state state = trajectory->start;
    for (unsigned i = 0; i < trajectory->count; i++) {
        const struct extremal_piece *piece = &trajectory->piece[i];
        state.acceleration = piece->acceleration;
        state = trajectory_after(&state, piece->duration_s, piece->jerk);
        time_s += piece->duration_s;
        const double reach = fabs(state.position) + fabs(state.velocity) * trajectory->duration_s;
        size = reach > size ? reach : size;
    }
    return isfinite(size) && fabs(time_s - trajectory->duration_s) <= 1e-7 * time_s &&
           fabs(state.position - trajectory->end.position) <= 1e-7 * size;
}

bool trajectory_joint_move(const struct trajectory_joint *joint, double duration_s,
                           struct trajectory *trajectory)
{
    trajectory->start = joint->brake.start;
    trajectory->end = joint->brake.end;
    trajectory->duration_s = duration_s;
    trajectory->count = joint->brake.count;
    for (unsigned i = 0; i < joint->brake.count; i++)
        trajectory->piece[i] = joint->brake.piece[i];
    move_on(joint, duration_s, trajectory);
    return arrives(trajectory);
}

double trajectory_joint_least(struct trajectory_joint *joint, double from_s)
{
    double candidate_s[CANDIDATES_MAX], first_s[2]; // a part may have two
    if (from_s > joint->brake_s && possible(joint, from_s - joint->brake_s))
        return from_s;
    const double least_s = joint->brake_s + joint->ahead.least_s;
    if (least_s >= from_s && possible(joint, joint->ahead.least_s))
        return least_s;
    const bool simple = isinf(joint->ahead.gap_to_s) && !joint->anywhere;
    // Most often: the fastest way in the direction that is farther than the least time takes it.
    const bool ahead = joint->distance > joint->ahead.least_distance;
    joint->exact = ahead ? &joint->ahead : &joint->back;
    if (simple &&
        find_times(joint->exact, ahead ? joint->distance : -joint->distance, false, first_s) > 0 &&
        first_s[0] + joint->brake_s >= from_s && possible(joint, first_s[0])) {
        joint->exact_s = first_s[0] + joint->brake_s;
        return joint->exact_s;
    }
    const unsigned count = find_candidates(joint, candidate_s);
    for (unsigned i = 0; i < count; i++)
        if (candidate_s[i] >= from_s && possible(joint, candidate_s[i] - joint->brake_s))
            return candidate_s[i];
    return INFINITY;
}
