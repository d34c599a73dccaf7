// walkgen: the published discretisation, ZMP errors on several robots and by each strategy, and
// joints that do what is said.
#include "tests/unit/walk/walkgen_begin.h"

#include <math.h>

#include "model/spatial.h"
#include "walk/zmp/zmp_pbw.h"

static const struct sole soles[2] = {{-0.105, 0.105, -0.065, 0.065},
                                     {-0.105, 0.105, -0.065, 0.065}};

// Listing 1 with zc 0.62 m, jerks weighed with 1e-7, by another program (Octave, from the formulas
// alone).
START_TEST(reference_and_first_preview_are_the_published_ones)
{
    static const struct {
        unsigned sample;
        double zmp_m[2], com_m[2];
    } expected[] = {
        {0, {0.000000000000, 0.000000000000}, {0.000000000000, 0.000000000000}},
        {639, {0.000000000000, 0.000000000000}, {0.003625486543, -0.038752395462}},
        {640, {0.000000000000, -0.000453584638}, {0.003700392108, -0.039529349836}},
        {641, {0.000000000000, -0.002548253915}, {0.003776774937, -0.040321680658}},
        {642, {0.000000000000, -0.007751838553}, {0.003854665979, -0.041128567275}},
        {644, {0.000000000000, -0.031107628915}, {0.004015117821, -0.042776442329}},
        {647, {0.000000000000, -0.077748161447}, {0.004268252726, -0.045264030898}},
        {650, {0.000000000000, -0.094546415362}, {0.004538039726, -0.047651271351}},
        {700, {0.000000000000, -0.095000000000}, {0.012699736424, -0.067626210715}},
        {799, {0.000000000000, -0.095000000000}, {0.092460450082, -0.011828363316}},
        {801, {0.005364745084, -0.089903492170}, {0.096218073144, -0.008632745748}},
        {803, {0.036319660113, -0.060496322893}, {0.100113821706, -0.005313983998}},
        {806, {0.134946932690, 0.033199586055}, {0.106103734478, -0.000213325028}},
        {900, {0.200000000000, 0.095000000000}, {0.213345481488, 0.055793372563}},
        {1119, {0.400000000000, -0.095000000000}, {0.487587068339, -0.009786348781}},
        {1125, {0.500388932023, 0.000369485421}, {0.499776333621, -0.000104239795}},
        {1279, {0.600000000000, 0.095000000000}, {0.687579012426, 0.009782680995}},
        {1599, {1.000000000000, 0.095000000000}, {0.995118214218, 0.046822376632}},
        {1602, {1.000000000000, 0.065592830723}, {0.995400976128, 0.044381774669}},
        {1605, {1.000000000000, 0.013490579307}, {0.995667359955, 0.041877214233}},
        {2561, {1.000000000000, 0.000000000000}, {0.999999999976, 0.000000000231}},
    };
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out;
    unsigned found = 0, samples = 0;
    command(walkgen, ":comheight 0.62");
    command(walkgen, LISTING_1);
    for (; walkgen_tick(walkgen, &out); samples++)
        for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
            for (int a = 0; a < 2 && expected[i].sample == samples; a++, found++) {
                ck_assert_double_eq_tol(out.zmp_m[a], expected[i].zmp_m[a], 1e-9);
                ck_assert_double_eq_tol(out.first_com_m[a], expected[i].com_m[a], 1e-6);
            }
    ck_assert_uint_eq(found, 2 * sizeof expected / sizeof expected[0]);
    ck_assert_uint_eq(samples, 2562); // 2 windows, 6 steps of 160, 2 to the middle, 3 windows
    walkgen_free(walkgen);
}
END_TEST

struct errors {
    double square[3][2], most[3][2]; // pendulum, filtered, unfiltered
    unsigned count, unreachable;
    struct walkgen_output last;
};

static struct errors run_to_end(struct walkgen *walkgen)
{
    struct errors e = {.count = 0};
    while (walkgen_tick(walkgen, &e.last)) {
        const double *zmp[3] = {e.last.first_zmp_m, e.last.zmp_multibody_m,
                                e.last.zmp_unfiltered_m};
        for (int i = 0; i < 3; i++)
            for (int a = 0; a < 2; a++) {
                const double error = fabs(zmp[i][a] - e.last.zmp_m[a]);
                e.square[i][a] += error * error;
                e.most[i][a] = fmax(e.most[i][a], error);
            }
        e.count++;
    }
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 2; a++)
            e.square[i][a] = 1e3 * sqrt(e.square[i][a] / e.count);
    e.unreachable = (unsigned)walkgen_counts(walkgen).unreachable;
    return e;
}

START_TEST(zmp_errors_are_small_on_each_robot_and_smaller_with_the_filter)
{
    static const struct {
        const char *robot, *line;
        double pendulum_mm, filtered_mm;
    } of[] = {{HUBO2, ":omega 0", 0.4, 0.25},
              {HUBO2, ":SetRealisation geometry", 0.4, 0.25},
              {HUBO2, ":SetDynamics reduced", 0.4, 1.0},
              {HRP2, ":comheight 0.814", 0.5, 0.3},
              {HRP2, ":SetRealisation geometry", 0.5, 0.3},
              {TOES, ":omega 0", 0.4, 0.25},
              {TOES, ":SetAlgoForZmpTrajectory Toe", 0.4, 0.4}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct walkgen *walkgen = create(of[i].robot, NULL);
        command(walkgen, of[i].line);
        command(walkgen, LISTING_1);
        const struct errors e = run_to_end(walkgen);
        ck_assert_uint_eq(e.unreachable, 0);
        for (int a = 0; a < 2; a++) {
            ck_assert_double_lt(e.square[0][a], of[i].pendulum_mm);
            ck_assert_double_lt(e.square[1][a], of[i].filtered_mm);
            ck_assert_double_lt(e.square[1][a], 0.2 * e.square[2][a]);
            ck_assert_double_lt(e.most[1][a], 0.3 * e.most[2][a]);
            ck_assert(strcmp(of[i].robot, HRP2) != 0 || e.most[0][a] < 9.3e-3);
        }
        walkgen_free(walkgen);
    }
}
END_TEST

// How far a point is outside a sole less the margins of listing 3, of all that carry: in none's
// hull, but one of two feet is a part of it.
static double outside_m(const struct walkgen_output *out, const double point[2])
{
    struct pose2d foot[SIDE_COUNT];
    struct pbw_polygon polygon;
    unsigned feet = 0;
    double worst = -INFINITY;
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        if (out->support == SUPPORT_BOTH || (out->support == SUPPORT_RIGHT) == (side == SIDE_RIGHT))
            foot[feet++] = (struct pose2d){out->foot[side].position_m[0],
                                           out->foot[side].position_m[1], out->foot[side].yaw_rad};
    ck_assert(pbw_support(foot, soles, feet, (double[]){0.07, 0.05}, &polygon));
    for (unsigned e = 0; e < polygon.edges; e++)
        worst = fmax(worst, polygon.nx[e] * point[0] + polygon.ny[e] * point[1] - polygon.h[e]);
    return worst;
}

START_TEST(by_listing_3_the_zmp_stays_within_the_soles_less_margins)
{
    static const char *const lines[] = {":SetAlgoForZmpTrajectory PBW",
                                        ":setpbwconstraint XY 0.07 0.05",
                                        ":setpbwconstraint T 0.01 ", ":setpbwconstraint N 150"};
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out;
    double worst_m = -INFINITY, error_m = 0;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        command(walkgen, lines[i]);
    command(walkgen, LISTING_1);
    for (int64_t tick = 0; walkgen_tick(walkgen, &out); tick++) {
        if (tick % 2 == 0) // between its samples a plan promises nothing
            worst_m = fmax(worst_m, outside_m(&out, out.first_zmp_m));
        error_m = fmax(error_m, hypot(out.zmp_multibody_m[0] - out.zmp_m[0],
                                      out.zmp_multibody_m[1] - out.zmp_m[1]));
    }
    const struct walkgen_counts counts = walkgen_counts(walkgen);
    ck_assert_uint_gt(counts.plans, 500);
    ck_assert_uint_eq(counts.plans_failed + counts.plans_relaxed, 0);
    ck_assert_double_lt(worst_m, 1e-4);
    ck_assert_double_lt(error_m, 0.003);
    ck_assert_double_gt(out.com_m[0], 0.95);
    ck_assert_double_lt(hypot(out.com_m_s[0], out.com_m_s[1]), 1e-3);
    walkgen_free(walkgen);
}
END_TEST

// Ticks until the time; says how far the ZMP is from the plan's and how fast the pull changes.
static bool run_until(struct walkgen *walkgen, double time_s, struct walkgen_output *out)
{
    bool moving = true;
    while (moving && (out->time_s < time_s)) {
        const double before_m_s2[2] = {out->com_m_s2[0], out->com_m_s2[1]};
        const double yaw_rad = out->waist_yaw_rad;
        moving = walkgen_tick(walkgen, out);
        for (int a = 0; a < 2; a++)
            ck_assert_double_lt(fabs(out->com_m_s2[a] - before_m_s2[a]), 1.0); // listing 1 has 0.6
        ck_assert_double_lt(fabs(out->waist_yaw_rad - yaw_rad), 0.005);
        ck_assert_double_lt(
            hypot(out->zmp_multibody_m[0] - out->zmp_m[0], out->zmp_multibody_m[1] - out->zmp_m[1]),
            0.004);
        ck_assert(out->reachable);
    }
    return moving;
}

START_TEST(a_velocity_is_walked_round_a_circle_and_steps_after_it)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out = {0};
    command(walkgen, ":SetAlgoForZmpTrajectory Herdt");
    command(walkgen, ":addoneobstacle 1.2 -0.1 0.25");
    command(walkgen, ":HerdtOnline 0.15 0 0");
    ck_assert_int_eq(walkgen_command(walkgen, LISTING_1), STATUS_INVALID);
    ck_assert_int_eq(walkgen_command(walkgen, ":SetAlgoForZmpTrajectory Kajita"), STATUS_INVALID);
    ck_assert_int_eq(walkgen_command(walkgen, ":samplingperiod 0.007"), STATUS_INVALID);
    for (double t = 0; t < 14; t += 0.5) {
        ck_assert(run_until(walkgen, t, &out));
        for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
            const double *foot_m = out.foot[side].position_m;
            ck_assert(foot_m[2] > 0 || hypot(foot_m[0] - 1.2, foot_m[1] + 0.1) > 0.249);
        }
    }
    ck_assert_double_gt(out.com_m[0], 0.9);
    command(walkgen, ":setVelReference 0 0 0.15");
    ck_assert(run_until(walkgen, 24, &out));
    ck_assert_double_gt(out.waist_yaw_rad, 0.5);
    command(walkgen, ":stoppg");
    ck_assert(!run_until(walkgen, 40, &out));
    ck_assert_double_lt(hypot(out.com_m_s[0], out.com_m_s[1]), 1e-4);
    ck_assert_uint_eq(walkgen_counts(walkgen).plans_failed, 0);
    const double x_m = out.com_m[0], y_m = out.com_m[1];
    command(walkgen, ":SetAlgoForZmpTrajectory Kajita");
    command(walkgen, LISTING_1);
    ck_assert(!run_until(walkgen, 80, &out));
    ck_assert_double_eq_tol(hypot(out.com_m[0] - x_m, out.com_m[1] - y_m), 1.0, 0.02);
    walkgen_free(walkgen);
}
END_TEST

START_TEST(joints_put_the_feet_where_they_are_said_to_be)
{
    static const char *const robot[] = {HUBO2, HRP2, TOES};
    for (int i = 0; i < 3; i++) {
        struct walk_body body;
        struct walkgen_output out;
        struct walkgen *walkgen = create(robot[i], &body);
        if (body.toe.there)
            command(walkgen, ":SetAlgoForZmpTrajectory Toe");
        command(walkgen, LISTING_1);
        for (unsigned n = 0; walkgen_tick(walkgen, &out); n++)
            for (enum side side = SIDE_RIGHT; side < SIDE_COUNT && n % 16 == 0; side++) {
                double leg_rad[LEG_JOINTS], sole_m[3], R[9], waist[9], world_m[3];
                for (int j = 0; j < LEG_JOINTS; j++)
                    leg_rad[j] = out.joint_rad[body.leg[side].joint[j]];
                leg_forward(&body.leg[side], leg_rad, sole_m, R);
                rotation_z(out.waist_yaw_rad, waist);
                rotate(waist, sole_m, world_m);
                for (int k = 0; k < 3; k++)
                    ck_assert_double_eq_tol(world_m[k] + out.waist_m[k],
                                            out.foot[side].position_m[k], 1e-9);
            }
        walkgen_free(walkgen);
    }
}
END_TEST

START_TEST(a_start_beside_the_middle_is_smooth)
{
    struct robot_model *model;
    struct walkgen *walkgen = create(HRP2, NULL);
    struct walkgen_output out;
    ck_assert_int_eq(robot_model_load(HRP2, &model), STATUS_OK);
    ck_assert_int_eq(walkgen_reset(walkgen, model->stand_rad), STATUS_OK);
    robot_model_free(model);
    command(walkgen, LISTING_1);
    ck_assert(walkgen_tick(walkgen, &out));
    ck_assert_double_gt(out.com_m[0], 0.003); // half sitting: ahead of the middle
    while (walkgen_tick(walkgen, &out) && out.step == 0)
        ck_assert_double_lt(hypot(out.com_m_s2[0], out.com_m_s2[1]), 1.5);
    double lifted[ROBOT_JOINTS_MAX] = {0};
    struct walk_body body;
    walkgen_free(walkgen);
    walkgen = create(HUBO2, &body);
    lifted[body.leg[SIDE_LEFT].joint[LEG_KN]] = 0.5; // that is no standing
    ck_assert_int_eq(walkgen_reset(walkgen, lifted), STATUS_UNREACHABLE);
    walkgen_free(walkgen);
}
END_TEST

UNIT_MAIN("walkgen", reference_and_first_preview_are_the_published_ones,
          zmp_errors_are_small_on_each_robot_and_smaller_with_the_filter,
          by_listing_3_the_zmp_stays_within_the_soles_less_margins,
          a_velocity_is_walked_round_a_circle_and_steps_after_it,
          joints_put_the_feet_where_they_are_said_to_be, a_start_beside_the_middle_is_smooth)
