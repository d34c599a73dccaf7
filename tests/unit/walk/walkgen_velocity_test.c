// walkgen's walk by a velocity: how it ends, where its feet may land, what pushes it.
#include "tests/unit/walk/walkgen_begin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool run_until(struct walkgen *walkgen, double time_s, struct walkgen_output *out)
{
    bool moving = true;
    while (moving && out->time_s < time_s)
        moving = walkgen_tick(walkgen, out);
    return moving;
}

START_TEST(a_walk_by_a_velocity_ends_after_the_steps_that_are_left)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out = {0};
    command(walkgen, ":SetAlgoForZmpTrajectory Herdt");
    command(walkgen, ":numberstepsbeforestop 4"); // of a walk to come
    command(walkgen, ":HerdtOnline 0.2 0 0");     // it goes on for ever
    ck_assert(run_until(walkgen, 12, &out));
    ck_assert_uint_gt(out.step, 8);
    command(walkgen, ":setVelReference 0 0 0");
    command(walkgen, ":setVelReference 0.1 0 0"); // it has another one
    ck_assert(run_until(walkgen, 20, &out));
    command(walkgen, ":setVelReference 0 0 0");
    ck_assert(!run_until(walkgen, 40, &out));
    command(walkgen, ":setVelReference 0.1 0 0"); // and goes on from rest
    ck_assert(run_until(walkgen, 60, &out));
    walkgen_free(walkgen);
    for (unsigned steps = 2; steps <= 7; steps += 5) {
        char line[64];
        walkgen = create(HUBO2, NULL);
        command(walkgen, ":SetAlgoForZmpTrajectory Herdt");
        command(walkgen, ":HerdtOnline 0.2 0 0");
        snprintf(line, sizeof line, ":numberstepsbeforestop %u", steps);
        ck_assert(run_until(walkgen, 0.1, &out));
        command(walkgen, line);
        command(walkgen, ":setVelReference 0 0 0");
        while (walkgen_tick(walkgen, &out))
            ;
        ck_assert_uint_eq(out.step, steps);
        ck_assert_double_lt(hypot(out.com_m_s[0], out.com_m_s[1]), 1e-4);
        ck_assert_double_lt(fabs(out.foot[0].position_m[0] - out.foot[1].position_m[0]), 1e-6);
        ck_assert_uint_eq(walkgen_counts(walkgen).plans_failed, 0);
        walkgen_free(walkgen);
    }
}
END_TEST

// The longest and the widest step of a walk that is asked for more than its feet may do.
static void walk_fast(const char *line, bool narrowed, double most_m[2], double *least_m,
                      double *last_m)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out = {0};
    most_m[0] = most_m[1] = 0;
    *least_m = 1;
    command(walkgen, line);
    command(walkgen, ":SetAlgoForZmpTrajectory Herdt");
    command(walkgen, ":HerdtOnline 0.4 0.15 0");
    for (double t = 3; t < 12; t += 0.005) {
        ck_assert(run_until(walkgen, t, &out));
        if (out.support != SUPPORT_BOTH)
            continue;
        const double *right = out.foot[SIDE_RIGHT].position_m,
                     *left = out.foot[SIDE_LEFT].position_m;
        most_m[0] = fmax(most_m[0], fabs(left[0] - right[0]));
        most_m[1] = fmax(most_m[1], left[1] - right[1]);
        *least_m = fmin(*least_m, left[1] - right[1]);
    }
    if (narrowed)
        command(walkgen, ":setfeetconstraint XY 0.16 0.05");
    for (double t = 17; t < 25; t += 0.005) {
        ck_assert(run_until(walkgen, t, &out));
        if (out.support == SUPPORT_BOTH)
            *last_m = fabs(out.foot[SIDE_LEFT].position_m[0] - out.foot[SIDE_RIGHT].position_m[0]);
    }
    walkgen_free(walkgen);
}

START_TEST(margins_make_the_area_where_a_foot_may_land_smaller)
{
    double wide_m[2], narrow_m[2], wide_least_m, narrow_least_m, narrowed_m, narrow_last_m;
    walk_fast(":setfeetconstraint XY 0 0", true, wide_m, &wide_least_m, &narrowed_m);
    walk_fast(":setfeetconstraint XY 0.16 0.05", false, narrow_m, &narrow_least_m, &narrow_last_m);
    ck_assert_double_lt(narrowed_m, 0.12 + 1e-6); // it may be set while the robot walks
    ck_assert_double_eq_tol(narrowed_m, narrow_last_m, 0.02);
    ck_assert_double_gt(wide_m[0], 0.16);
    ck_assert_double_lt(narrow_m[0], 0.12 + 1e-6); // half of 0.4 less 0.16
    ck_assert_double_gt(narrow_least_m, wide_least_m + 0.015);
}
END_TEST

// What a walk at 0.1 m/s does with these lines before it: the time from landing to landing, the
// farthest of a foot's pitch, and of an arm's joint from how it hung.
static void walk_with(const char *line, const char *other, double *landing_s, double *pitch_rad,
                      double *arm_rad)
{
    struct robot_model *model;
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out = {0};
    double since_s = 0;
    ck_assert_int_eq(robot_model_load(HUBO2, &model), STATUS_OK);
    const int shoulder = robot_model_joint(model, "RSP");
    const double hung_rad = model->stand_rad[shoulder];
    robot_model_free(model);
    uint32_t step = 0;
    *landing_s = *pitch_rad = *arm_rad = 0;
    command(walkgen, line);
    command(walkgen, other);
    command(walkgen, ":SetAlgoForZmpTrajectory Herdt");
    command(walkgen, ":HerdtOnline 0.1 0 0");
    for (double t = 3; t < 12; t += 0.005) {
        ck_assert(run_until(walkgen, t, &out));
        if (out.step != step) {
            *landing_s = out.time_s - since_s;
            since_s = out.time_s;
            step = out.step;
        }
        *arm_rad = fmax(*arm_rad, fabs(out.joint_rad[shoulder] - hung_rad));
        for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
            *pitch_rad = fmax(*pitch_rad, fabs(out.foot[side].pitch_rad));
    }
    ck_assert_uint_eq(walkgen_counts(walkgen).plans_failed, 0);
    ck_assert_uint_eq(walkgen_counts(walkgen).unreachable, 0);
    walkgen_free(walkgen);
}

START_TEST(times_arms_and_feet_are_as_commanded)
{
    double landing_s, pitch_rad, arm_rad;
    walk_with(":omega 0", ":armparameters 0", &landing_s, &pitch_rad, &arm_rad);
    ck_assert_double_eq_tol(landing_s, 0.8, 0.011);
    ck_assert_double_eq(pitch_rad, 0);
    ck_assert_double_lt(arm_rad, 1e-9);
    walk_with(":omega 6", ":armparameters 0.5", &landing_s, &pitch_rad, &arm_rad);
    ck_assert_double_eq_tol(pitch_rad, 6 * M_PI / 180, 0.01);
    ck_assert_double_gt(arm_rad, 0.03);
    walk_with(":singlesupporttime 0.5", ":doublesupporttime 0.1", &landing_s, &pitch_rad, &arm_rad);
    ck_assert_double_eq_tol(landing_s, 0.6, 0.011);
}
END_TEST

// Both before the strategy is chosen and behind it.
START_TEST(what_would_do_nothing_is_refused)
{
    static const char *const idle[][2] = {{":ZMPShiftParameters 0.02 0 0 0", "would do nothing"},
                                          {":SetFootTrajectory spline", "would do nothing"},
                                          {":LimitsFeasibility 1", "would do nothing"},
                                          {":walkmode 5", "would do nothing"},
                                          {":slope 1 5 2", "would do nothing"},
                                          {":singlesupporttime 0.85", "0.3 to 0.7 s"},
                                          {":doublesupporttime 0.2", "doublesupporttime 0.1"}};
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++) {
        struct walkgen *walkgen = create(HUBO2, NULL);
        command(walkgen, idle[i][0]);
        ck_assert_int_eq(walkgen_command(walkgen, ":SetAlgoForZmpTrajectory Naveau"),
                         STATUS_INVALID);
        ck_assert_ptr_nonnull(strstr(walkgen_reason(walkgen), idle[i][1]));
        ck_assert_int_eq(walkgen_reset(walkgen, NULL), STATUS_OK);
        command(walkgen, ":SetAlgoForZmpTrajectory Naveau");
        ck_assert_int_eq(walkgen_command(walkgen, idle[i][0]), STATUS_INVALID);
        walkgen_free(walkgen);
    }
}
END_TEST

// The speed that is told is the speed that is walked.
START_TEST(a_speed_that_feet_do_not_reach_is_told)
{
    static const struct {
        const char *line, *told;
        int axis;
        double speed_m_s;
    } fast[] = {{":HerdtOnline 0.5 0 0", "0.5 m/s along is more than 0.25", 0, 0.25},
                {":HerdtOnline 0 0.3 0", "0.3 m/s aside is more than 0.0", 1, 0.08}};
    for (size_t i = 0; i < sizeof fast / sizeof fast[0]; i++) {
        struct walkgen *walkgen = create(HUBO2, NULL);
        struct walkgen_output out = {0};
        command(walkgen, ":SetAlgoForZmpTrajectory Herdt");
        command(walkgen, fast[i].line);
        ck_assert_msg(strstr(walkgen_reason(walkgen), fast[i].told) != NULL, "%s",
                      walkgen_reason(walkgen));
        ck_assert(run_until(walkgen, 10, &out));
        const double before_m = out.com_m[fast[i].axis];
        ck_assert(run_until(walkgen, 26, &out)); // ten times both feet
        ck_assert_double_eq_tol((out.com_m[fast[i].axis] - before_m) / 16, fast[i].speed_m_s,
                                0.1 * fast[i].speed_m_s);
        command(walkgen, ":setVelReference 0.2 0 0");
        ck_assert_str_eq(walkgen_reason(walkgen), "");
        walkgen_free(walkgen);
    }
}
END_TEST

START_TEST(it_stands_until_a_velocity_comes_and_ends_with_feet_as_far_apart_as_told)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out = {0};
    command(walkgen, ":SetAlgoForZmpTrajectory Naveau");
    command(walkgen, ":numberstepsbeforestop 2");
    command(walkgen, ":NaveauOnline");
    ck_assert(!walkgen_tick(walkgen, &out));
    command(walkgen, ":setfeetconstraint XY 0.05 0.02");
    command(walkgen, ":setDSFeetDistance 0.22");
    command(walkgen, ":setVelReference 0.1 0 0");
    ck_assert(run_until(walkgen, 8, &out));
    command(walkgen, ":setVelReference 0 0 0");
    ck_assert(!run_until(walkgen, 40, &out));
    ck_assert_double_gt(out.com_m[0], 0.3);
    ck_assert_double_eq_tol(
        hypot(out.foot[SIDE_LEFT].position_m[0] - out.foot[SIDE_RIGHT].position_m[0],
              out.foot[SIDE_LEFT].position_m[1] - out.foot[SIDE_RIGHT].position_m[1]),
        0.22, 0.003);
    ck_assert_int_eq(walkgen_command(walkgen, ":NaveauOnline 0.1"), STATUS_INVALID);
    ck_assert_int_eq(walkgen_command(walkgen, ":setDSFeetDistance 0.1"), STATUS_INVALID);
    walkgen_free(walkgen);
}
END_TEST

// A generator that walks forward for as long as a test says.
static struct walkgen *walks_until(double time_s, struct walkgen_output *out)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    *out = (struct walkgen_output){0};
    command(walkgen, ":SetAlgoForZmpTrajectory Herdt");
    command(walkgen, ":HerdtOnline 0.1 0 0");
    ck_assert(run_until(walkgen, time_s, out));
    return walkgen;
}

// 0.049 of the weight to the left, at each phase of a gait cycle. A walk without it is beside it.
START_TEST(a_force_on_the_centre_of_mass_is_caught_by_other_steps)
{
    struct walk_body body;
    walkgen_free(create(HUBO2, &body));
    const double force_N = 0.049 * body.mass_kg * 9.81;
    char line[64];
    snprintf(line, sizeof line, ":setCoMPerturbationForce 0 %.6f", force_N);
    for (int phase = 0; phase < 16; phase++) {
        struct walkgen_output out, same;
        double faster_m_s = 0, aside_m = 0, load_m = 0;
        struct walkgen *walkgen = walks_until(5 + 0.1 * phase, &out);
        struct walkgen *other = walks_until(5 + 0.1 * phase, &same);
        command(walkgen, line);
        ck_assert_int_eq(walkgen_command(walkgen, line), STATUS_INVALID); // one at a time
        for (double t = out.time_s; t < 12; t += 0.005) {
            ck_assert(run_until(walkgen, t, &out) && run_until(other, t, &same));
            faster_m_s = fmax(faster_m_s, out.com_m_s[1] - same.com_m_s[1]);
            for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
                aside_m =
                    fmax(aside_m, out.foot[side].position_m[1] - same.foot[side].position_m[1]);
            load_m = fmin(load_m, out.load_m[1]);
        }
        ck_assert_double_gt(faster_m_s, 0.8 * 0.1 * force_N / body.mass_kg);
        ck_assert_double_gt(aside_m, 0.01);
        ck_assert_double_eq_tol(load_m, -0.049 * body.com_height_m, 1e-6);
        command(walkgen, ":stoppg");
        ck_assert(!run_until(walkgen, 30, &out));
        ck_assert_double_lt(hypot(out.com_m_s[0], out.com_m_s[1]), 1e-4);
        ck_assert_uint_eq(walkgen_counts(walkgen).plans_relaxed, 0);
        ck_assert_uint_eq(walkgen_counts(walkgen).plans_failed, 0);
        walkgen_free(walkgen);
        walkgen_free(other);
    }
}
END_TEST

START_TEST(a_force_too_great_or_too_early_is_refused)
{
    struct walkgen_output out;
    struct walkgen *walkgen = walks_until(4, &out);
    ck_assert_int_eq(walkgen_command(walkgen, ":setCoMPerturbationForce 20 20"), STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(walkgen_reason(walkgen), "28.2843 N; at most"));
    command(walkgen, ":setCoMPerturbationForce 10 0");
    ck_assert(run_until(walkgen, 5, &out));
    ck_assert_int_eq(walkgen_command(walkgen, ":setCoMPerturbationForce 10 0"), STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(walkgen_reason(walkgen), "less than 1.6 s ago"));
    ck_assert(run_until(walkgen, 5.8, &out));
    command(walkgen, ":setCoMPerturbationForce 10 0");
    walkgen_free(walkgen);
}
END_TEST

// The turn of the waist per second that a strategy makes of 0.3 rad/s, and the greatest of a foot
// against the other.
static void turn(const char *strategy, const char *begin, double *rate_rad_s, double *apart_rad)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out = {0};
    command(walkgen, strategy);
    command(walkgen, begin);
    *apart_rad = 0;
    ck_assert(run_until(walkgen, 6, &out));
    const double yaw_rad = out.waist_yaw_rad;
    while (out.time_s < 18) {
        ck_assert(walkgen_tick(walkgen, &out));
        *apart_rad =
            fmax(*apart_rad, fabs(out.foot[SIDE_LEFT].yaw_rad - out.foot[SIDE_RIGHT].yaw_rad));
        ck_assert_double_lt(
            hypot(out.zmp_multibody_m[0] - out.zmp_m[0], out.zmp_multibody_m[1] - out.zmp_m[1]),
            0.005);
    }
    *rate_rad_s = (out.waist_yaw_rad - yaw_rad) / 12;
    command(walkgen, ":stoppg");
    ck_assert(!run_until(walkgen, 40, &out));
    ck_assert_double_eq_tol(out.foot[SIDE_LEFT].yaw_rad, out.foot[SIDE_RIGHT].yaw_rad, 1e-6);
    ck_assert_uint_eq(walkgen_counts(walkgen).plans_failed, 0);
    walkgen_free(walkgen);
}

START_TEST(yaws_that_are_found_with_the_footholds_turn_faster)
{
    double herdt_rad_s, naveau_rad_s, apart_rad;
    for (int i = 0; i < 2; i++) {
        turn(":SetAlgoForZmpTrajectory Herdt",
             i == 0 ? ":HerdtOnline 0 0 0.3" : ":HerdtOnline 0.15 0 0.3", &herdt_rad_s, &apart_rad);
        turn(":SetAlgoForZmpTrajectory Naveau",
             i == 0 ? ":NaveauOnline 0 0 0.3" : ":NaveauOnline 0.15 0 0.3", &naveau_rad_s,
             &apart_rad);
        ck_assert_double_gt(naveau_rad_s, 1.2 * herdt_rad_s);
        ck_assert_double_lt(apart_rad, 0.2 + 1e-6);
    }
}
END_TEST

// How far the waist turns on a way round a circle, although no turn was asked for.
static double round_circle(const char *strategy, const char *begin)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out = {0};
    double most_rad = 0;
    command(walkgen, strategy);
    command(walkgen, ":addoneobstacle 1.2 -0.1 0.25");
    command(walkgen, begin);
    while (out.time_s < 25) {
        ck_assert(walkgen_tick(walkgen, &out));
        most_rad = fmax(most_rad, fabs(out.waist_yaw_rad));
        for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
            const double *foot_m = out.foot[side].position_m;
            ck_assert(foot_m[2] > 0 || hypot(foot_m[0] - 1.2, foot_m[1] + 0.1) > 0.249);
        }
    }
    ck_assert_double_gt(out.com_m[0], 1.8);
    ck_assert_uint_eq(walkgen_counts(walkgen).plans_failed, 0);
    ck_assert_uint_eq(walkgen_counts(walkgen).plans_relaxed, 0);
    walkgen_free(walkgen);
    return most_rad;
}

START_TEST(yaws_that_are_found_serve_the_whole_plan)
{
    ck_assert_double_eq(round_circle(":SetAlgoForZmpTrajectory Herdt", ":HerdtOnline 0.15 0 0"), 0);
    const double found_rad =
        round_circle(":SetAlgoForZmpTrajectory Naveau", ":NaveauOnline 0.15 0 0");
    ck_assert_double_gt(found_rad, 1e-3);
    ck_assert_double_lt(found_rad, 0.2);
}
END_TEST

UNIT_MAIN("walkgen_velocity", a_walk_by_a_velocity_ends_after_the_steps_that_are_left,
          margins_make_the_area_where_a_foot_may_land_smaller, times_arms_and_feet_are_as_commanded,
          what_would_do_nothing_is_refused, a_speed_that_feet_do_not_reach_is_told,
          it_stands_until_a_velocity_comes_and_ends_with_feet_as_far_apart_as_told,
          a_force_on_the_centre_of_mass_is_caught_by_other_steps,
          a_force_too_great_or_too_early_is_refused,
          yaws_that_are_found_with_the_footholds_turn_faster,
          yaws_that_are_found_serve_the_whole_plan)
