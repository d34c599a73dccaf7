// trajectory: least times against known motions, against search, and its properties on random
// problems of all kinds.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "base/random.h"
#include "motion/trajectory.h"
#include "tests/unit/motion/follow.h"

#define JOINTS_MAX 6

static enum trajectory_refusal plan(unsigned count, const struct motion_bounds *bounds,
                                    const struct motion_state *start,
                                    const struct motion_state *end, double duration_min_s,
                                    struct trajectory *trajectory, unsigned *culprit)
{
    const struct trajectory_problem problem = {.count = count,
                                               .bounds = bounds,
                                               .start = start,
                                               .end = end,
                                               .duration_min_s = duration_min_s};
    return trajectory_plan(&problem, trajectory, culprit);
}

static struct trajectory plan_one(struct motion_bounds bounds, struct motion_state start,
                                  struct motion_state end)
{
    struct trajectory trajectory;
    unsigned culprit;
    ck_assert_int_eq(plan(1, &bounds, &start, &end, 0, &trajectory, &culprit), TRAJECTORY_OK);
    return trajectory;
}

START_TEST(known_motions_take_their_time)
{
    const struct motion_state here = {0}, one = {1, 0, 0}, far = {10, 0, 0};
    const double none = INFINITY;
    // Without bounds of jerk and velocity: up and down, 2 sqrt(D / a).
    ck_assert_double_eq_tol(plan_one((struct motion_bounds){none, 4, none}, here, one).duration_s,
                            1, 1e-12);
    // Jerk alone: four equal parts of cube root (D / 2 J).
    ck_assert_double_eq_tol(plan_one((struct motion_bounds){none, none, 32}, here, one).duration_s,
                            1, 1e-9);
    // All bounds reached: D / v + v / a + a / J.
    ck_assert_double_eq_tol(plan_one((struct motion_bounds){2, 1, 4}, here, far).duration_s,
                            5 + 2 + 0.25, 1e-9);
    // Fig. 17 of the seed, in degrees: 45, 45, 135, 45 at 281 deg/s and 1400 deg/s^2.
    static const double angle[] = {0, 45, 90, -45, -90};
    static const double time_s[] = {0.359, 0.359, 0.681, 0.359};
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq_tol(plan_one((struct motion_bounds){281, 1400, none},
                                         (struct motion_state){angle[i], 0, 0},
                                         (struct motion_state){angle[i + 1], 0, 0})
                                    .duration_s,
                                time_s[i], 0.0015);
    ck_assert_double_eq(plan_one((struct motion_bounds){1, 1, 1}, one, one).duration_s, 0);
}
END_TEST

START_TEST(what_cannot_be_done_is_refused)
{
    const struct motion_bounds b = {1, 1, 1}, loose = {1, INFINITY, INFINITY};
    const struct motion_state here = {0};
    struct trajectory trajectory;
    unsigned culprit;
    static const struct motion_state ends[] = {{0, 1.1, 0}, {0, 0, -1.1}, {0, 0.9, -0.9}};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(plan(1, &b, &here, &ends[i], 0, &trajectory, &culprit),
                         TRAJECTORY_END_OUTSIDE);
        ck_assert_uint_eq(culprit, 0);
    }
    ck_assert_int_eq(plan(1, &loose, &here, &here, 0, &trajectory, &culprit),
                     TRAJECTORY_NOT_FINITE);
    const struct motion_state nowhere = {NAN, 0, 0};
    ck_assert_int_eq(plan(1, &b, &nowhere, &here, 0, &trajectory, &culprit), TRAJECTORY_NOT_FINITE);
    const struct motion_bounds two[] = {b, {1, -1, 1}};
    const struct motion_state both[] = {here, here};
    struct trajectory of_two[2];
    ck_assert_int_eq(plan(2, two, both, both, 0, of_two, &culprit), TRAJECTORY_NOT_FINITE);
    ck_assert_uint_eq(culprit, 1);
}
END_TEST

// ---- random problems ----------------------------------------------------------------------------

struct problem {
    unsigned joints;
    struct motion_bounds bounds[JOINTS_MAX];
    struct motion_state start[JOINTS_MAX], end[JOINTS_MAX];
};

static double within(struct random_stream *stream, double bound)
{
    return isinf(bound) ? 5 * random_normal(stream) : random_uniform(stream, -bound, bound);
}

static void draw(struct random_stream *stream, unsigned kind, struct problem *p)
{
    p->joints = 1 + kind % JOINTS_MAX;
    for (unsigned i = 0; i < p->joints; i++) {
        struct motion_bounds *b = &p->bounds[i];
        *b = (struct motion_bounds){exp(random_normal(stream)), exp(random_normal(stream)),
                                    exp(random_normal(stream))};
        if (kind % 5 == 1)
            b->velocity = INFINITY;
        if (kind % 7 == 2)
            b->jerk = INFINITY;
        else if (kind % 7 == 3)
            b->acceleration = INFINITY;
        struct motion_state *s = &p->start[i], *e = &p->end[i];
        const double outside = kind % 3 == 0 ? 2 : 1; // some starts are outside the bounds
        *s = (struct motion_state){3 * random_normal(stream), outside * within(stream, b->velocity),
                                   outside * within(stream, b->acceleration)};
        *e = (struct motion_state){3 * random_normal(stream), within(stream, b->velocity),
                                   within(stream, b->acceleration)};
        const double most =
            sqrt(fmax(2 * b->jerk * (b->velocity - fabs(e->velocity)), 0)) * (1 - 1e-12);
        if (isinf(b->jerk))
            s->acceleration = e->acceleration = 0;
        else if (fabs(e->acceleration) > most)
            e->acceleration = copysign(most, e->acceleration);
    }
}

START_TEST(random_motions_keep_the_bounds_and_arrive_together)
{
    struct random_stream stream;
    struct problem p;
    struct trajectory trajectory[JOINTS_MAX];
    unsigned culprit;
    random_start(&stream, 1, "trajectory");
    for (unsigned k = 0; k < CASES(30000); k++) {
        draw(&stream, k, &p);
        ck_assert_int_eq(plan(p.joints, p.bounds, p.start, p.end, 0, trajectory, &culprit),
                         TRAJECTORY_OK);
        for (unsigned i = 0; i < p.joints; i++) {
            follow(&p.bounds[i], &trajectory[i]);
            ck_assert_double_eq(trajectory[i].duration_s, trajectory[0].duration_s);
            const struct motion_state end = trajectory_at(&trajectory[i], trajectory[i].duration_s);
            ck_assert_double_eq(end.position, p.end[i].position);
        }
    }
}
END_TEST

// A duration that is asked for is kept if there is such a motion; there always is one that is long
// enough.
START_TEST(a_duration_that_is_asked_for_is_taken_or_the_next_possible)
{
    struct random_stream stream;
    struct problem p;
    struct trajectory trajectory[JOINTS_MAX];
    unsigned culprit, taken = 0;
    random_start(&stream, 2, "trajectory");
    for (unsigned k = 0; k < 3000; k++) {
        draw(&stream, k, &p);
        ck_assert_int_eq(plan(p.joints, p.bounds, p.start, p.end, 0, trajectory, &culprit), 0);
        const double least_s = trajectory[0].duration_s,
                     asked_s = least_s * random_uniform(&stream, 1, 2);
        ck_assert_int_eq(plan(p.joints, p.bounds, p.start, p.end, asked_s, trajectory, &culprit),
                         0);
        ck_assert_double_ge(trajectory[0].duration_s, asked_s);
        taken += trajectory[0].duration_s == asked_s;
        for (unsigned i = 0; i < p.joints; i++)
            follow(&p.bounds[i], &trajectory[i]);
    }
    ck_assert_uint_gt(taken, 2500);
}
END_TEST

// A joint that starts and ends at its greatest velocity, and must wait for others: it turns back
// and returns, the later the farther it would get.
START_TEST(joints_at_their_limit_wait_for_others)
{
    const struct motion_bounds b = {5.4000805595255921, 11.075693984378644, 0.19328814719157189};
    const struct motion_state from = {4.6979918373371881, -b.velocity, 0};
    const struct motion_state to = {-3.6931273932119399, -b.velocity, 0};
    struct trajectory trajectory[JOINTS_MAX + 1];
    unsigned culprit;
    ck_assert_int_eq(plan(1, &b, &from, &to, 20, trajectory, &culprit), TRAJECTORY_OK);
    ck_assert_double_eq_tol(trajectory[0].duration_s, 29.090567, 1e-6);
    struct random_stream stream;
    random_start(&stream, 4, "trajectory");
    for (unsigned k = 0; k < CASES(6000); k++) {
        struct motion_bounds bounds[7];
        struct motion_state start[7], end[7];
        for (unsigned i = 0; i < 7; i++) {
            bounds[i] =
                (struct motion_bounds){exp(random_normal(&stream)), exp(random_normal(&stream)),
                                       k % 6 == 5 ? INFINITY : exp(random_normal(&stream))};
            // At the limit, at rest, or between; accelerations that are 0, the same, or opposite.
            const double v = bounds[i].velocity * (double)((int)random_uniform(&stream, 0, 3) - 1);
            const double room = isinf(bounds[i].jerk) ? 0 : bounds[i].velocity * bounds[i].jerk;
            const double a = fmin(bounds[i].acceleration, sqrt(2 * room)) *
                             (double)((int)random_uniform(&stream, 0, 3) - 1);
            const double change = isinf(bounds[i].jerk) ? 0 : a * fabs(a) / 2 / bounds[i].jerk;
            const bool at_rest = k % 2 == 0 || v != 0;
            start[i] = (struct motion_state){random_normal(&stream), at_rest ? v : -change,
                                             at_rest ? 0 : a};
            end[i] = (struct motion_state){random_normal(&stream), at_rest ? v : change,
                                           at_rest      ? 0
                                           : k % 4 == 1 ? a
                                                        : 0};
        }
        const enum trajectory_refusal refusal =
            plan(7, bounds, start, end, k % 3 == 2 ? 20 : 0, trajectory, &culprit);
        ck_assert_msg(refusal == TRAJECTORY_OK, "case %u, joint %u: %s", k, culprit + 1,
                      trajectory_refusal_text(refusal));
        for (unsigned i = 0; i < 7; i++)
            follow(&bounds[i], &trajectory[i]);
    }
}
END_TEST

// No motion found at random arrives sooner: jerks of either bound or none, for random times, whose
// last state is the end asked for.
START_TEST(no_motion_found_at_random_is_faster)
{
    struct random_stream stream;
    random_start(&stream, 3, "trajectory");
    for (unsigned k = 0; k < CASES(100000); k++) {
        const struct motion_bounds b = {exp(random_normal(&stream)), exp(random_normal(&stream)),
                                        exp(random_normal(&stream))};
        struct motion_state now = {0, random_uniform(&stream, -0.5, 0.5) * b.velocity,
                                   random_uniform(&stream, -0.5, 0.5) * b.acceleration};
        const struct motion_state start = now;
        double time_s = 0;
        bool inside = true;
        for (unsigned i = 0; i < 3 + k % 4; i++) {
            const double jerk = b.jerk * (double)((int)random_uniform(&stream, 0, 3) - 1);
            const double dt = random_uniform(&stream, 0, 1) * b.acceleration / b.jerk;
            const double turn = jerk != 0 ? -now.acceleration / jerk : -1;
            if (turn > 0 && turn < dt)
                inside &= fabs(now.velocity + turn * now.acceleration / 2) <= b.velocity;
            now.position += dt * (now.velocity + dt * (now.acceleration / 2 + dt * jerk / 6));
            now.velocity += dt * (now.acceleration + dt * jerk / 2);
            now.acceleration += dt * jerk;
            time_s += dt;
            inside &= fabs(now.velocity) <= b.velocity && fabs(now.acceleration) <= b.acceleration;
        }
        const double rest = now.acceleration * fabs(now.acceleration) / 2 / b.jerk;
        if (inside && fabs(now.velocity - rest) <= b.velocity &&
            fabs(start.velocity + start.acceleration * fabs(start.acceleration) / 2 / b.jerk) <=
                b.velocity)
            ck_assert_double_le(plan_one(b, start, now).duration_s, time_s * (1 + 1e-9) + 1e-9);
    }
}
END_TEST

// ---- in phase, to a velocity, in periods --------------------------------------------------------

// All states of a random line through a random place.
static void straighten(struct random_stream *stream, struct problem *p)
{
    for (unsigned i = 1; i < p->joints; i++) {
        const double share = random_uniform(stream, -1, 1);
        p->bounds[i] = p->bounds[0];
        p->start[i] =
            (struct motion_state){p->start[0].position * share, p->start[0].velocity * share,
                                  p->start[0].acceleration * share};
        p->end[i] =
            (struct motion_state){p->end[0].position * share, p->end[0].velocity * share,
                                  isinf(p->bounds[0].jerk) ? 0 : p->end[0].acceleration * share};
    }
}

// Slower joints have the bounds of the fastest one: in phase they are as fast as it alone.
START_TEST(motions_in_phase_are_straight_and_as_fast_as_the_line_allows)
{
    struct random_stream stream;
    struct problem p;
    struct trajectory trajectory[JOINTS_MAX];
    unsigned culprit;
    random_start(&stream, 4, "trajectory");
    for (unsigned k = 0; k < 1000; k++) {
        draw(&stream, k, &p);
        straighten(&stream, &p);
        struct trajectory_problem asked = {.count = p.joints,
                                           .bounds = p.bounds,
                                           .start = p.start,
                                           .end = p.end,
                                           .synchronization = TRAJECTORY_IN_PHASE};
        ck_assert_int_eq(trajectory_plan(&asked, trajectory, &culprit), TRAJECTORY_OK);
        const double alone_s = plan_one(p.bounds[0], p.start[0], p.end[0]).duration_s;
        ck_assert_double_eq_tol(trajectory[0].duration_s, alone_s, 1e-9 * (1 + alone_s));
        const double t_s = random_uniform(&stream, 0, alone_s);
        const double first = trajectory_at(&trajectory[0], t_s).position;
        follow(&p.bounds[0], &trajectory[0]); // and so the others, in proportion
        for (unsigned i = 1; i < p.joints; i++) {
            const double share = p.start[i].position / p.start[0].position;
            const double size = fabs(first) + fabs(p.start[0].position) + fabs(p.end[0].position);
            ck_assert_double_eq_tol(trajectory_at(&trajectory[i], t_s).position, share * first,
                                    1e-9 * size);
        }
    }
}
END_TEST

START_TEST(what_is_not_straight_is_refused_in_phase)
{
    const struct motion_bounds b[] = {{1, 1, 1}, {1, 1, 1}};
    const struct motion_state start[] = {{0, 0.1, 0}, {0, 0, 0}}, end[] = {{1, 0, 0}, {1, 0, 0}};
    struct trajectory trajectory[2];
    unsigned culprit;
    struct trajectory_problem p = {.count = 2,
                                   .bounds = b,
                                   .start = start,
                                   .end = end,
                                   .synchronization = TRAJECTORY_IN_PHASE};
    ck_assert_int_eq(trajectory_plan(&p, trajectory, &culprit), TRAJECTORY_NOT_STRAIGHT);
    p.start = p.end; // nothing to do
    ck_assert_int_eq(trajectory_plan(&p, trajectory, &culprit), TRAJECTORY_OK);
    ck_assert_double_eq(trajectory[1].duration_s, 0);
}
END_TEST

// The fastest joint takes the time that its change of velocity needs, and not a longer one to be
// somewhere; all states are as asked but the positions.
START_TEST(a_velocity_is_reached_in_the_least_time)
{
    struct random_stream stream;
    struct problem p;
    struct trajectory trajectory[JOINTS_MAX];
    unsigned culprit;
    const struct motion_bounds b = {2, 1, 1};
    const struct motion_state rest = {0}, fast = {-7, 1.5, 0};
    struct trajectory_problem asked = {
        .count = 1, .bounds = &b, .start = &rest, .end = &fast, .goal = TRAJECTORY_TO_VELOCITY};
    ck_assert_int_eq(trajectory_plan(&asked, trajectory, &culprit), TRAJECTORY_OK);
    ck_assert_double_eq_tol(trajectory[0].duration_s, 2.5, 1e-12); // dv / a + a / J
    ck_assert_double_eq_tol(trajectory[0].end.position, 2.5 * 0.75, 1e-12);
    random_start(&stream, 5, "trajectory");
    for (unsigned k = 0; k < 1000; k++) {
        draw(&stream, k, &p);
        asked.count = p.joints;
        asked.bounds = p.bounds;
        asked.start = p.start;
        asked.end = p.end;
        ck_assert_int_eq(trajectory_plan(&asked, trajectory, &culprit), TRAJECTORY_OK);
        for (unsigned i = 0; i < p.joints; i++) {
            follow(&p.bounds[i], &trajectory[i]);
            ck_assert_double_eq(trajectory[i].end.velocity, p.end[i].velocity);
        }
        // Whatever the position, to be there as well takes no less.
        asked.goal = TRAJECTORY_TO_STATE;
        const double least_s = trajectory[0].duration_s;
        ck_assert_int_eq(trajectory_plan(&asked, trajectory, &culprit), TRAJECTORY_OK);
        ck_assert_double_le(least_s, trajectory[0].duration_s * (1 + 1e-9));
        asked.goal = TRAJECTORY_TO_VELOCITY;
    }
}
END_TEST

static void check_samples(const struct motion_bounds *b, const struct trajectory *t, double h)
{
    double q[4] = {0}, over = -INFINITY; // beyond what rounding does
    const double velocity = fmax(b->velocity, unavoidable_velocity(b, &t->start)) * (1 + 1e-9);
    const double acceleration = b->acceleration * (1 + 1e-9), jerk = b->jerk * (1 + 1e-9);
    const unsigned end = (unsigned)round(t->duration_s / h);
    const unsigned samples = t->end.acceleration == 0 ? end + 4 : end + 1;
    for (unsigned n = 0; n < samples && n < 200; n++) {
        q[0] = q[1];
        q[1] = q[2];
        q[2] = q[3];
        q[3] = trajectory_at(t, n * h).position;
        const double slack = 1e-13 * (1 + fabs(q[3])) + 1e-10 * fabs(q[3] - q[2]);
        const double one = fabs(q[3] - q[2]), two = fabs(q[3] - 2 * q[2] + q[1]);
        const double three = fabs(q[3] - 3 * q[2] + 3 * q[1] - q[0]);
        over = fmax(over, n < 1 ? over : one - velocity * h - slack);
        over = fmax(over, n < 2 ? over : two - acceleration * h * h - 4 * slack);
        over = fmax(over, n < 3 ? over : three - jerk * h * h * h - 8 * slack);
    }
    ck_assert_double_le(over, 0);
}

// Finite differences of samples keep the bounds.
START_TEST(samples_at_the_period_keep_the_bounds)
{
    struct random_stream stream;
    struct problem p;
    struct trajectory trajectory[JOINTS_MAX];
    unsigned culprit;
    random_start(&stream, 6, "trajectory");
    for (unsigned k = 1; k < 1000; k++) {
        draw(&stream, k % 3 == 0 ? k + 1 : k, &p); // starts are within the bounds
        const double h = random_uniform(&stream, 0.002, 0.2);
        const struct trajectory_problem asked = {
            .count = p.joints, .bounds = p.bounds, .start = p.start, .end = p.end, .period_s = h};
        ck_assert_int_eq(trajectory_plan(&asked, trajectory, &culprit), TRAJECTORY_OK);
        const double periods = trajectory[0].duration_s / h;
        ck_assert_double_eq_tol(periods, round(periods), 1e-9 * (1 + periods));
        for (unsigned i = 0; i < p.joints; i++)
            check_samples(&p.bounds[i], &trajectory[i], h);
    }
}
END_TEST

// ---- within a range -----------------------------------------------------------------------------

static struct motion_range positions_of(const struct trajectory *t)
{
    struct motion_range reached = {INFINITY, -INFINITY};
    for (unsigned k = 0; k <= 300; k++) {
        const double q = trajectory_at(t, t->duration_s * k / 300).position;
        reached.low = fmin(reached.low, q);
        reached.high = fmax(reached.high, q);
    }
    return reached;
}

// As wide as the motion without it: the same motion. Narrower: slower, but within.
START_TEST(a_range_is_kept_or_the_motion_refused)
{
    struct random_stream stream;
    struct problem p;
    struct trajectory trajectory[JOINTS_MAX];
    unsigned culprit, kept = 0, refused = 0;
    random_start(&stream, 7, "trajectory");
    for (unsigned k = 1; k < 600; k++) {
        draw(&stream, k, &p);
        struct motion_range range[JOINTS_MAX], wide;
        struct trajectory_problem asked = {
            .count = p.joints, .bounds = p.bounds, .start = p.start, .end = p.end};
        ck_assert_int_eq(trajectory_plan(&asked, trajectory, &culprit), TRAJECTORY_OK);
        const double free_s = trajectory[0].duration_s;
        for (unsigned i = 0; i < p.joints; i++) {
            wide = positions_of(&trajectory[i]);
            const double share = random_uniform(&stream, 0, 1.5), start = p.start[i].position;
            const double end = p.end[i].position;
            range[i].high = wide.high + share * (fmax(start, end) - wide.high);
            range[i].high = fmax(range[i].high, start);
            range[i].low = wide.low - 1;
        }
        asked.range = range;
        const enum trajectory_refusal refusal = trajectory_plan(&asked, trajectory, &culprit);
        ck_assert(refusal == TRAJECTORY_OK || refusal == TRAJECTORY_OUT_OF_RANGE);
        kept += refusal == TRAJECTORY_OK;
        refused += refusal != TRAJECTORY_OK;
        for (unsigned i = 0; refusal == TRAJECTORY_OK && i < p.joints; i++) {
            follow(&p.bounds[i], &trajectory[i]);
            const struct motion_range reached = positions_of(&trajectory[i]);
            const double slack = 1e-10 * (fabs(reached.low) + fabs(reached.high));
            ck_assert_double_ge(reached.low, range[i].low - slack);
            ck_assert_double_le(reached.high, range[i].high + slack);
            ck_assert_double_ge(trajectory[0].duration_s, free_s * (1 - 1e-9));
        }
    }
    ck_assert_uint_gt(kept, 60);
    ck_assert_uint_gt(refused, 60);
}
END_TEST

// From 1/s ahead to rest at 0.6. Times by linear programmes of 120 steps, whose feasible durations
// were bisected.
START_TEST(a_limit_is_touched_where_that_is_fastest)
{
    static const struct {
        double high, time_s;
    } known[] = {{INFINITY, 2.0742}, {0.682, 2.4089}, {0.68, 2.6799}, {0.67, 3.8064}};
    const struct motion_bounds b = {2, 10, 2};
    const struct motion_state start = {0, 1, 0}, end = {0.6, 0, 0};
    for (int i = 0; i < 4; i++) {
        const struct motion_range range = {-INFINITY, known[i].high};
        const struct trajectory_problem p = {
            .count = 1, .bounds = &b, .start = &start, .end = &end, .range = &range};
        struct trajectory trajectory;
        unsigned culprit;
        ck_assert_int_eq(trajectory_plan(&p, &trajectory, &culprit), TRAJECTORY_OK);
        follow(&b, &trajectory);
        ck_assert_double_le(positions_of(&trajectory).high, range.high + 1e-12);
        ck_assert_double_eq_tol(trajectory.duration_s, known[i].time_s, 0.004);
    }
}
END_TEST

UNIT_MAIN("trajectory", known_motions_take_their_time, what_cannot_be_done_is_refused,
          random_motions_keep_the_bounds_and_arrive_together,
          a_duration_that_is_asked_for_is_taken_or_the_next_possible,
          joints_at_their_limit_wait_for_others, no_motion_found_at_random_is_faster,
          motions_in_phase_are_straight_and_as_fast_as_the_line_allows,
          what_is_not_straight_is_refused_in_phase, a_velocity_is_reached_in_the_least_time,
          samples_at_the_period_keep_the_bounds, a_range_is_kept_or_the_motion_refused,
          a_limit_is_touched_where_that_is_fastest)
