// waypoints: motions through way points keep the bounds, pass them all, and are as fast as known
// ones.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "base/random.h"
#include "motion/waypoints.h"
#include "tests/unit/motion/follow.h"

#define JOINTS_MAX 6
#define POINTS_MAX 5
#define BY_DAY 400
#define AT_NIGHT 100000
#define PARTS 4

static double plan(const struct waypoints_problem *problem, struct motion_state *passed)
{
    struct trajectory trajectory[JOINTS_MAX];
    double duration_s, sum_s = 0;
    unsigned culprit;
    ck_assert_int_eq(waypoints_plan(problem, passed, &duration_s, &culprit), TRAJECTORY_OK);
    for (unsigned k = 0; k <= problem->count; k++) {
        const struct trajectory_problem part = waypoints_part(problem, passed, k);
        ck_assert_int_eq(trajectory_plan(&part, trajectory, &culprit), TRAJECTORY_OK);
        sum_s += trajectory[0].duration_s;
        for (unsigned i = 0; i < problem->ends.count; i++) {
            follow_within(&part.bounds[i], &trajectory[i]);
            if (k < problem->count)
                ck_assert_double_eq(trajectory[i].end.position,
                                    problem->position[k * part.count + i]);
        }
    }
    ck_assert_double_eq_tol(sum_s, duration_s, 1e-9 * sum_s);
    return duration_s;
}

// Fig. 17 of the seed: 0 45 90 -45 -90 degrees at 281 deg/s and 1400 deg/s^2. Resting at each takes
// 1.758 s; resting only where it turns round, 90 / 281 + 180 / 281 + 2 * 281 / 1400.
START_TEST(points_on_the_way_cost_nothing)
{
    const struct motion_bounds b = {281, 1400, INFINITY};
    const struct motion_state start = {0}, end = {-90, 0, 0};
    const double position[] = {45, 90, -45};
    const struct waypoints_problem p = {
        .ends = {.count = 1, .bounds = &b, .start = &start, .end = &end},
        .count = 3,
        .position = position};
    struct motion_state passed[3];
    ck_assert_double_eq_tol(plan(&p, passed), 270. / 281 + 562. / 1400, 2e-3);
    // With bounded jerk, too: 0.3 of the way at whatever velocity and acceleration.
    const struct motion_bounds smooth = {2, 3, 10};
    const struct motion_state there = {1, 0, 0};
    const double share = 0.3;
    const struct waypoints_problem q = {
        .ends = {.count = 1, .bounds = &smooth, .start = &start, .end = &there},
        .count = 1,
        .position = &share};
    struct trajectory direct;
    unsigned culprit;
    ck_assert_int_eq(trajectory_plan(&q.ends, &direct, &culprit), TRAJECTORY_OK);
    const double through_s = plan(&q, passed);
    ck_assert_double_ge(through_s, direct.duration_s - 1e-9);
    ck_assert_double_le(through_s, direct.duration_s * 1.002);
}
END_TEST

// The best of all velocities on a grid is hardly faster.
START_TEST(two_joints_round_a_corner_are_as_fast_as_search_finds)
{
    struct random_stream stream;
    random_start(&stream, 1, "waypoints");
    for (unsigned n = 0; n < 6; n++) {
        const struct motion_bounds b[] = {{2, 3, INFINITY}, {1, 2, INFINITY}};
        const struct motion_state start[2] = {{0, 0, 0}};
        const struct motion_state end[2] = {{random_uniform(&stream, -3, 3), 0, 0},
                                            {random_uniform(&stream, -3, 3), 0, 0}};
        const double position[] = {random_uniform(&stream, -2, 2), random_uniform(&stream, -2, 2)};
        const struct waypoints_problem p = {
            .ends = {.count = 2, .bounds = b, .start = start, .end = end},
            .count = 1,
            .position = position};
        struct motion_state passed[2], tried[2];
        struct trajectory t[2];
        const double found_s = plan(&p, passed);
        double best_s = INFINITY;
        unsigned culprit;
        for (int i = -20; i <= 20; i++)
            for (int k = -20; k <= 20; k++) {
                tried[0] = (struct motion_state){position[0], 0.1 * i, 0};
                tried[1] = (struct motion_state){position[1], 0.05 * k, 0};
                const struct trajectory_problem first = waypoints_part(&p, tried, 0);
                const struct trajectory_problem second = waypoints_part(&p, tried, 1);
                ck_assert(trajectory_plan(&first, t, &culprit) == TRAJECTORY_OK);
                const double first_s = t[0].duration_s;
                ck_assert(trajectory_plan(&second, t, &culprit) == TRAJECTORY_OK);
                best_s = fmin(best_s, first_s + t[0].duration_s);
            }
        ck_assert_double_le(found_s, best_s * 1.005);
    }
}
END_TEST

START_TEST(random_ways_are_kept_and_faster_than_resting)
{
    struct random_stream stream;
    random_start(&stream, 2, "waypoints");
    double saved = 0;
    for (unsigned n = 0; n < 6; n++) {
        struct motion_bounds b[3];
        struct motion_state start[3], end[3], passed[12];
        double position[12], rest_s = 0;
        for (unsigned i = 0; i < 3; i++) {
            b[i] = (struct motion_bounds){exp(random_normal(&stream)), exp(random_normal(&stream)),
                                          n % 2 == 0 ? INFINITY : 5};
            start[i] = (struct motion_state){random_normal(&stream), 0, 0};
            end[i] = (struct motion_state){random_normal(&stream), 0, 0};
        }
        for (unsigned k = 0; k < 12; k++)
            position[k] = 2 * random_normal(&stream);
        const struct waypoints_problem p = {
            .ends = {.count = 3, .bounds = b, .start = start, .end = end},
            .count = 4,
            .position = position};
        for (unsigned k = 0; k < 12; k++)
            passed[k] = (struct motion_state){.position = position[k]};
        for (unsigned k = 0; k <= 4; k++) {
            const struct trajectory_problem part = waypoints_part(&p, passed, k);
            struct trajectory t[3];
            unsigned culprit;
            ck_assert_int_eq(trajectory_plan(&part, t, &culprit), TRAJECTORY_OK);
            rest_s += t[0].duration_s;
        }
        const double through_s = plan(&p, passed);
        ck_assert_double_le(through_s, rest_s * (1 + 1e-9));
        saved += 1 - through_s / rest_s;
    }
    ck_assert_double_gt(saved / 6, 0.05);
}
END_TEST

// From any state within the bounds to any, whose bounds differ: most of these broke them once.
static void draw_state(struct random_stream *stream, const struct motion_bounds *b, double sign,
                       struct motion_state *state)
{
    const double a = isinf(b->jerk) ? 0 : random_uniform(stream, -1, 1) * b->acceleration;
    const double change = isinf(b->jerk) ? 0 : sign * a * fabs(a) / (2 * b->jerk);
    const double low = fmax(-b->velocity, -b->velocity - change);
    const double high = fmin(b->velocity, b->velocity - change);
    *state = (struct motion_state){2 * random_normal(stream), 0, low <= high ? a : 0};
    if (low <= high)
        state->velocity = random_uniform(stream, low, high);
}

static void draw_and_plan(struct random_stream *stream, unsigned n)
{
    struct motion_bounds b[JOINTS_MAX];
    struct motion_state start[JOINTS_MAX], end[JOINTS_MAX], passed[JOINTS_MAX * POINTS_MAX];
    double position[JOINTS_MAX * POINTS_MAX];
    // A large one takes a hundred times as long as a small one.
    const bool large = n % 100 == 99;
    const unsigned joints = 1 + n % (large ? JOINTS_MAX : 2);
    const unsigned points = 1 + n / 2 % (large ? POINTS_MAX : 2);
    for (unsigned i = 0; i < joints; i++) {
        b[i] = (struct motion_bounds){exp(random_normal(stream)), exp(random_normal(stream) + 1),
                                      n % 5 == 4 ? INFINITY : exp(random_normal(stream) + 2)};
        draw_state(stream, &b[i], 1, &start[i]);
        draw_state(stream, &b[i], -1, &end[i]);
    }
    for (unsigned k = 0; k < joints * points; k++)
        position[k] = 2 * random_normal(stream);
    const struct waypoints_problem p = {
        .ends = {.count = joints, .bounds = b, .start = start, .end = end},
        .count = points,
        .position = position};
    (void)plan(&p, passed);
}

static void draw_and_plan_many(unsigned part)
{
    const unsigned count = (getenv("LONG") != NULL ? AT_NIGHT : CASES(BY_DAY)) / PARTS;
    struct random_stream stream;
    random_start(&stream, part, "way points");
    for (unsigned n = 0; n < count; n++)
        draw_and_plan(&stream, n);
}

// A test has two minutes, and all of them together take three.
#define NO_MOTION_BREAKS_A_BOUND(part)                                                             \
    START_TEST(no_motion_breaks_a_bound_on_its_whole_way_##part)                                   \
    {                                                                                              \
        draw_and_plan_many(part);                                                                  \
    }                                                                                              \
    END_TEST
NO_MOTION_BREAKS_A_BOUND(1)
NO_MOTION_BREAKS_A_BOUND(2)
NO_MOTION_BREAKS_A_BOUND(3)
NO_MOTION_BREAKS_A_BOUND(4)

// The other goals and ways: a way point is passed although the end may be anywhere; in phase, a
// line's bounds are those of its slowest joint.
START_TEST(points_are_passed_on_a_line_and_on_the_way_to_a_velocity)
{
    const struct motion_bounds b[] = {{1.17, 6.44, INFINITY}, {1.17, 100, 15.1}};
    const struct motion_state start[2] = {{0}}, end[] = {{1, 0, 0}, {1, 0, 0}};
    const double position[] = {0.15, 0.15};
    struct motion_state passed[2];
    struct waypoints_problem p = {.ends = {.count = 2, .bounds = b, .start = start, .end = end},
                                  .count = 1,
                                  .position = position};
    p.ends.synchronization = TRAJECTORY_IN_PHASE;
    const double straight_s = plan(&p, passed);
    p.ends.synchronization = TRAJECTORY_IN_TIME;
    p.ends.goal = TRAJECTORY_TO_VELOCITY;
    p.ends.end = (const struct motion_state[]){{0, 0.5, 0}, {0, 0.5, 0}};
    ck_assert_double_lt(plan(&p, passed), straight_s);
    ck_assert_double_gt(passed[0].velocity, 0);
}
END_TEST

UNIT_MAIN("waypoints", no_motion_breaks_a_bound_on_its_whole_way_1,
          no_motion_breaks_a_bound_on_its_whole_way_2, no_motion_breaks_a_bound_on_its_whole_way_3,
          no_motion_breaks_a_bound_on_its_whole_way_4,
          points_are_passed_on_a_line_and_on_the_way_to_a_velocity, points_on_the_way_cost_nothing,
          two_joints_round_a_corner_are_as_fast_as_search_finds,
          random_ways_are_kept_and_faster_than_resting)
