// velocity_walk: speeds are met, feet and ZMP stay where they may, pushes are survived, walks end.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "walk/zmp/velocity_walk.h"

#define SETTLED 40 // periods after which the gait repeats itself
#define PERIODS 200

static struct velocity_walk walk;
static struct velocity_walk_config config;

static void begin(double forward, double left, double turn)
{
    config = velocity_walk_defaults(0.62);
    ck_assert_int_eq(velocity_walk_create(&config, (struct pose2d){0, -0.1, 0},
                                          (struct pose2d){0, 0.1, 0}, &walk),
                     STATUS_OK);
    ck_assert(velocity_walk_set(&walk, (double[]){forward, left, turn}));
}

// The ZMP at the period's end lies in the sole that carries, or between the soles.
static void check_zmp(double slack_m, enum side support, bool both)
{
    double com[2][3], zmp[2];
    struct point2 corner[8], hull[9];
    velocity_walk_sample(&walk, 0, com, zmp);
    double length = config.sole_half_length_m + slack_m, width = config.sole_half_width_m + slack_m;
    sole_corners(walk.foot[support], length, width, corner);
    sole_corners(walk.foot[support == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT], length, width,
                 corner + 4);
    size_t corners = convex_hull(corner, both ? 8 : 4, hull);
    ck_assert_double_gt(polygon_margin(hull, corners, (struct point2){zmp[0], zmp[1]}), -1e-6);
}

static void check_landing(struct pose2d support, enum side side)
{
    struct pose2d foot = pose_relative(support, walk.foot[side]);
    double out = side == SIDE_LEFT ? foot.y_m : -foot.y_m;
    ck_assert_double_ge(out, 0.2 - 1e-6);
    ck_assert_double_le(out, 0.4 + 1e-6);
    ck_assert_double_le(fabs(foot.x_m), 0.28 + 1e-6);
    ck_assert_double_le(fabs(foot.yaw_rad), config.yaw_per_step_max_rad + 1e-9);
}

static void go(unsigned periods)
{
    for (unsigned i = 0; i < periods; i++) {
        enum side support = walk.support;
        struct pose2d carries = walk.foot[support];
        bool ends = velocity_walk_ended(&walk);
        struct velocity_walk_report report = velocity_walk_step(&walk);
        ck_assert(report.status == QP_OPTIMAL || report.status == QP_RELAXED);
        check_zmp(report.slack_m, support, walk.both);
        if (walk.support != support)
            check_landing(carries, walk.support);
        ck_assert(!ends || velocity_walk_ended(&walk));
    }
}

// Mean velocity over 10 s in the frame of the body, against the one wanted.
static void check_speed(double forward, double left, double turn, double share)
{
    begin(forward, left, turn);
    go(SETTLED);
    double x = walk.com[0][0], y = walk.com[1][0], yaw = velocity_walk_yaw(&walk);
    go(96); // six strides
    double t = 9.6, turned = velocity_walk_yaw(&walk) - yaw, speed = hypot(forward, left);
    double gone = hypot(walk.com[0][0] - x, walk.com[1][0] - y);
    double chord = turned != 0 ? sin(turned / 2) / (turned / 2) : 1;
    // Both places are at one phase of the sway, which the body has turned with.
    double sway = 0.12 * fabs(sin(turned / 2));
    ck_assert_double_eq_tol(gone, speed * t * chord, share * speed * t + 2e-3 + sway);
    ck_assert_double_eq_tol(turned, turn * t, 0.05);
    ck_assert_uint_eq(walk.relaxed + walk.abandoned, 0);
    velocity_walk_free(&walk);
}

START_TEST(the_speed_wanted_is_met)
{
    check_speed(0.125, 0, 0, 0.05);
    check_speed(0.25, 0, 0, 0.05);
    check_speed(-0.1, 0, 0, 0.05);
    check_speed(0, 0.125, 0, 0.1);
    check_speed(0, -0.05, 0, 0.1);
    check_speed(0.1, 0, 0.1, 0.1);
    check_speed(0, 0, -0.1, 0.1);
}
END_TEST

START_TEST(a_walk_closes_its_feet_and_comes_to_rest)
{
    for (unsigned i = 0; i < 16; i++) { // whatever the phase
        begin(0.15, 0.02, 0.05);
        go(50 + i);
        velocity_walk_stop(&walk);
        go(45);
        ck_assert(velocity_walk_ended(&walk));
        struct pose2d left = pose_relative(walk.foot[SIDE_RIGHT], walk.foot[SIDE_LEFT]);
        ck_assert_double_eq_tol(left.x_m, 0, 1e-6);
        ck_assert_double_eq_tol(left.y_m, config.stance_width_m, 1e-6);
        ck_assert(velocity_walk_set(&walk, (double[]){0.1, 0, 0}));
        go(40);
        ck_assert(!velocity_walk_ended(&walk));
        ck_assert_uint_eq(walk.relaxed + walk.abandoned, 0);
        velocity_walk_free(&walk);
    }
}
END_TEST

START_TEST(a_push_is_caught_by_the_next_footholds)
{
    begin(0.1, 0, 0);
    go(60);
    walk.com[1][1] += 0.2;
    go(100);
    ck_assert_uint_eq(walk.relaxed + walk.abandoned, 0);
    velocity_walk_free(&walk);
    // One too strong for the areas lets rows give way, and that ends, too.
    begin(0.1, 0, 0);
    go(60);
    walk.com[1][1] += 0.35;
    go(1);
    ck_assert_uint_eq(walk.relaxed, 1);
    velocity_walk_stop(&walk);
    for (int i = 0; i < 200; i++)
        ck_assert(velocity_walk_step(&walk).status != QP_INVALID);
    unsigned relaxed = walk.relaxed;
    for (int i = 0; i < 50; i++)
        ck_assert_int_eq(velocity_walk_step(&walk).status, QP_OPTIMAL);
    ck_assert_uint_eq(walk.relaxed, relaxed);
    velocity_walk_free(&walk);
}
END_TEST

START_TEST(feet_keep_out_of_obstacles)
{
    begin(0.15, 0, 0);
    walk.obstacle[0] = (struct velocity_walk_obstacle){1.0, 0.12, 0.12};
    walk.obstacle_count = 1;
    for (int i = 0; i < PERIODS; i++) {
        ck_assert(velocity_walk_step(&walk).status != QP_INVALID);
        for (int side = 0; side < SIDE_COUNT; side++)
            ck_assert_double_gt(hypot(walk.foot[side].x_m - 1.0, walk.foot[side].y_m - 0.12),
                                0.12 - 1e-6);
    }
    ck_assert_uint_eq(walk.abandoned, 0);
    velocity_walk_free(&walk);
}
END_TEST

START_TEST(bad_numbers_are_refused_and_change_nothing)
{
    struct velocity_walk other;
    begin(0.1, 0, 0);
    ck_assert(!velocity_walk_set(&walk, (double[]){NAN, 0, 0}));
    ck_assert(!velocity_walk_set(&walk, (double[]){0, 0, INFINITY}));
    go(40);
    ck_assert_double_gt(walk.com[0][0], 0.15);
    velocity_walk_free(&walk);
    struct velocity_walk_config bad[4] = {config, config, config, config};
    bad[0].com_height_m = NAN;
    bad[1].step_samples = 9;
    bad[2].foot_area[2].y = 0.1;
    bad[3].weight_jerk = 0;
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(velocity_walk_create(&bad[i], (struct pose2d){0, -0.1, 0},
                                              (struct pose2d){0, 0.1, 0}, &other),
                         STATUS_INVALID);
}
END_TEST

UNIT_MAIN("velocity_walk", the_speed_wanted_is_met, a_walk_closes_its_feet_and_comes_to_rest,
          a_push_is_caught_by_the_next_footholds, feet_keep_out_of_obstacles,
          bad_numbers_are_refused_and_change_nothing)
