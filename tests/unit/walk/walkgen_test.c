// walkgen: what it takes and refuses, the published discretisation, ZMP errors on several robots,
// steps on line at any time, and that nothing is allocated or left to chance.
#include "tests/unit/common/unit.h"

#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/random.h"
#include "model/spatial.h"
#include "walk/walk_strategy.h"
#include "walk/walkgen.h"
#include "walk/zmp_pbw.h"

#define HUBO2 "targets/hubo2/robot.xml"
#define HRP2 "targets/walkgen/hrp2.xml"
#define TOES "targets/walkgen-toe/robot.xml"
#define LISTING_1                                                                                  \
    ":stepseq 0.0 -0.095 0.0  0.2 0.19 0.0  0.2 -0.19 0.0  0.2 0.19 0.0  0.2 -0.19 0.0  "          \
    "0.2 0.19 0.0  0.0 -0.19 0.0"

static struct walkgen *create(const char *path, struct walk_body *body)
{
    struct robot_model *model;
    struct walkgen *walkgen;
    ck_assert_int_eq(robot_model_load(path, &model), STATUS_OK);
    ck_assert_int_eq(walkgen_create(model, &walkgen), STATUS_OK);
    if (body != NULL)
        ck_assert_int_eq(walk_body_from_model(model, body), STATUS_OK);
    robot_model_free(model);
    return walkgen;
}

static void command(struct walkgen *walkgen, const char *line)
{
    ck_assert_msg(walkgen_command(walkgen, line) == STATUS_OK, "%s: %s", line,
                  walkgen_reason(walkgen));
}

// ---- commands -----------------------------------------------------------------------------------

START_TEST(a_line_is_refused_whole_with_its_reason)
{
    static const struct {
        const char *line, *reason;
    } refused[] = {
        {"omega 0", "begins with a colon"},
        {":omgea 0", "nearest is :omega"},
        {":stepheigth 0.07", "nearest is :stepheight"},
        {":SETALGOFORZMPTRAJECTORY PBW", "nearest is :SetAlgoForZmpTrajectory"},
        {":omega", "1 number is missing"},
        {":omega 1 2", "1 number too many"},
        {":omega 0.x", "'0.x' is not a number"},
        {":omega nan", "is not finite"},
        {":omega 1e999", "is not finite"},
        {":omega 31", "31 is not from -30 to 30"},
        {":omega left", "'left' is not a number"},
        {":comheight 0.9", "what the legs allow"},
        {":samplingperiod 0.001", "a window of 1600 periods"},
        {":walkmode 4", "there is no mode 4"},
        {":setpbwconstraint XY 0.07", "XY takes two numbers"},
        {":setpbwconstraint XY 0.3 0.05", "at most 0.18 and 0.11"},
        {":setpbwconstraint T 0.5", "T is from 0.001 to 0.1 s"},
        {":setpbwconstraint N 10.5", "N is a whole number from 10 to 400"},
        {":setpbwconstraint M 3", "there is no 'M'; there are XY, T and N"},
        {":HerdtOnline 0.1 0 0", "first :SetAlgoForZmpTrajectory Herdt"},
        {":setVelReference 0.1 0 0", "begin with :HerdtOnline"},
        {":stoppg", "nothing walks by a velocity"},
        {":addoneobstacle 1 0 0", "a radius of 0 m"},
        {":SetAlgoForZmpTrajectory Newton", "there is no 'Newton'; there are Kajita"},
        {":useDynamicFilter perhaps", "neither true nor false"},
        {":stepseq 0 -0.0885 0  0.2 0.177", "5 numbers are no multiple of 3"},
        {":stepseq 0 -0.0885 0", "two steps at least"},
        {":stepseq 0 -0.3 0  0.2 0.177 0", "the right foot stands 0.211 m from there"},
        {":stepseq 0 -0.0885 0  0.2 0.177 0  0.2 0.177 0", "step 3: two steps running"},
        {":stepseq 0 -0.0885 0  0.2 0.05 0", "step 2: y 0.05 m would put a foot on the other"},
        {":stepseq 0 -0.0885 0  0.8 0.177 0", "step 2: a step of 0.800 m is longer"},
        {":stepseq 0 -0.0885 0  0.2 0.177 90", "a turn of 90 degrees"},
        {":singlesupporttime 0.05", "0.05 is not from 0.1 to 5"},
        {":stepheight 0.3", "folds the leg too far"},
        {":SetAlgoForZmpTrajectory Toe", "needs a robot with toes"},
        {":ToeParameters 0 0.03 0.6", "the robot has no toes"},
        {":finish", "no sequence of two steps waits"},
        {":addstandardonlinestep 0.2 0 0", "no sequence on line"},
        {":supportfoot 2", "neither 1 (left) nor -1"},
        {"", "begins with a colon"},
    };
    struct walkgen *walkgen = create(HUBO2, NULL), *other = create(HUBO2, NULL);
    struct walkgen_output a = {0}, b = {0};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        ck_assert_msg(walkgen_command(walkgen, refused[i].line) == STATUS_INVALID, "%s was taken",
                      refused[i].line);
        ck_assert_msg(strstr(walkgen_reason(walkgen), refused[i].reason) != NULL, "%s: %s",
                      refused[i].line, walkgen_reason(walkgen));
    }
    command(walkgen, ":stepseq 0 -0.0885 0  0.2 0.177 0  0 -0.177 0");
    command(other, ":stepseq 0 -0.0885 0  0.2 0.177 0  0 -0.177 0");
    for (bool more = true; more;) { // refused lines have left no trace
        more = walkgen_tick(walkgen, &a);
        ck_assert(walkgen_tick(other, &b) == more);
        ck_assert_mem_eq(&a, &b, sizeof a);
    }
    walkgen_free(walkgen);
    walkgen_free(other);
}
END_TEST

static unsigned heard[2];
static enum status hear_first(struct walk_trial *trial, const struct walk_line *line)
{
    (void)trial;
    heard[0] += line->count;
    return STATUS_OK;
}
static enum status hear_second(struct walk_trial *trial, const struct walk_line *line)
{
    heard[1] += line->count;
    return line->number[0] < 0 ? walk_refuse(trial, "it is negative") : STATUS_OK;
}

START_TEST(one_name_may_have_several_takers_who_all_must_agree)
{
    static const struct walk_command first[] = {{":loudness", "a", 1, 3, false, hear_first}};
    static const struct walk_command second[] = {{":loudness", "a", 1, 3, false, hear_second},
                                                 {":omega", "deg", 1, 1, false, hear_second}};
    static const struct walk_plugin plugin[] = {{"first", 1, first}, {"second", 2, second}};
    struct walkgen *walkgen = create(HUBO2, NULL);
    ck_assert_int_eq(walkgen_register(walkgen, &plugin[0]), STATUS_OK);
    ck_assert_int_eq(walkgen_register(walkgen, &plugin[1]), STATUS_OK);
    command(walkgen, ":loudness 1 2");
    ck_assert_uint_eq(heard[0], 2);
    ck_assert_uint_eq(heard[1], 2);
    ck_assert_int_eq(walkgen_command(walkgen, ":loudness -1"), STATUS_INVALID);
    ck_assert_str_eq(walkgen_reason(walkgen), "it is negative");
    ck_assert_int_eq(walkgen_command(walkgen, ":omega -5"), STATUS_INVALID);
    enum status status = STATUS_OK;
    for (int i = 0; i < 100 && status == STATUS_OK; i++)
        status = walkgen_register(walkgen, &plugin[0]);
    ck_assert_int_eq(status, STATUS_FULL);
    walkgen_free(walkgen);
}
END_TEST

// As after a motion that was broken off in a step.
START_TEST(a_walk_on_line_begins_where_the_feet_stand)
{
    struct walk_body body;
    struct walkgen *walkgen = create(HUBO2, &body);
    struct walkgen_output out;
    double joint_rad[ROBOT_JOINTS_MAX] = {0};
    struct walk_body_pose pose = {.pelvis_m = {0, 0, body.pelvis_height_m}};
    const double foot_m[SIDE_COUNT][3] = {{-0.1, -0.0885, 0}, {0.1, 0.0885, 0}};
    const double com_m[2] = {0, 0}, yaw_rad[SIDE_COUNT] = {0, 0};
    ck_assert_int_eq(walk_body_solve(&body, com_m, 0, foot_m, yaw_rad, &pose), STATUS_OK);
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            joint_rad[body.leg[side].joint[i]] = pose.leg_rad[side][i];
    ck_assert_int_eq(walkgen_reset(walkgen, joint_rad), STATUS_OK);
    command(walkgen, ":StartOnLineStepSequencing");
    command(walkgen, ":addstandardonlinestep 0.1 0 0");
    command(walkgen, ":StopOnLineStepSequencing");
    while (walkgen_tick(walkgen, &out))
        ck_assert(out.reachable);
    ck_assert_double_eq_tol(out.foot[SIDE_RIGHT].position_m[0], out.foot[SIDE_LEFT].position_m[0],
                            1e-9);
    walkgen_free(walkgen);
}
END_TEST

// ---- steps in place of those on the spot ------------------------------------------------------

static bool ahead(const struct walkgen_output *out)
{
    return out->foot[SIDE_RIGHT].position_m[0] > 0.05 || out->foot[SIDE_LEFT].position_m[0] > 0.05;
}

// Says a line at a tick while the robot steps on the spot; returns after how many ticks a foot is
// ahead (0: never), and the largest jumps and errors on the way.
static unsigned ticks_to_step(struct walkgen *walkgen, unsigned at, const char *line)
{
    struct walkgen_output out, before = {0};
    unsigned taken = 0;
    ck_assert_int_eq(walkgen_reset(walkgen, NULL), STATUS_OK);
    command(walkgen, ":singlesupporttime 0.6");
    command(walkgen, ":doublesupporttime 0.1");
    command(walkgen, ":StartOnLineStepSequencing");
    for (unsigned i = 0; i < at + 1200; i++) {
        if (i == at)
            command(walkgen, line);
        ck_assert(walkgen_tick(walkgen, &out));
        ck_assert_uint_ge(walkgen_counts(walkgen).references_ahead, walkgen_window(walkgen) - 1);
        for (int a = 0; a < 2 && i > 0; a++) {
            ck_assert_double_lt(fabs(out.com_m_s2[a] - before.com_m_s2[a]), 1.0);
            ck_assert_double_lt(fabs(out.com_m_s[a] - before.com_m_s[a] -
                                     0.0025 * (out.com_m_s2[a] + before.com_m_s2[a])),
                                5e-3);
            ck_assert_double_lt(fabs(out.zmp_multibody_m[a] - out.zmp_m[a]), 0.005);
            ck_assert_double_lt(fabs(out.first_zmp_m[a] - out.zmp_m[a]), 0.006);
        }
        if (i >= at && taken == 0 && ahead(&out))
            taken = i - at;
        before = out;
    }
    return taken;
}

START_TEST(a_step_takes_the_place_of_one_on_the_spot)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    for (unsigned at = 900; at < 1180; at += 17) { // two steps on the spot
        const unsigned ticks = ticks_to_step(walkgen, at, ":addstandardonlinestep 0.2 0 0");
        ck_assert_uint_ge(ticks, 240);
        ck_assert_uint_le(ticks, 240 + 2 * 140);
    }
    ck_assert_uint_eq(ticks_to_step(walkgen, 900, ":stepheight 0.06"), 0);
    walkgen_free(walkgen);
}
END_TEST

// ---- figures ------------------------------------------------------------------------------------

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
    ck_assert(pbw_support(foot, feet, 0.105, 0.065, (double[]){0.07, 0.05}, &polygon));
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

// ---- on line ------------------------------------------------------------------------------------

// Anything that may be said, at any time.
static void say_something(struct walkgen *walkgen, struct random_stream *random)
{
    char line[128];
    const double x = random_uniform(random, -0.3, 0.5), y = random_uniform(random, -0.08, 0.1);
    const double turn = random_uniform(random, -25, 25);
    struct walk_step step = {.x_m = x,
                             .y_m = random_uniform(random, -0.25, 0.25),
                             .yaw_rad = turn / 60,
                             .single_s = random_uniform(random, 0.05, 1.5),
                             .double_s = random_uniform(random, 0, 0.4)};
    enum status status;
    switch ((int)random_uniform(random, 0, 7)) {
    case 0:
        status = walkgen_command(walkgen, ":StopOnLineStepSequencing");
        break;
    case 1:
        status = walkgen_command(walkgen, ":StartOnLineStepSequencing");
        break;
    case 2:
        snprintf(line, sizeof line, ":ChangeNextStep %.3f %.3f %.1f 0", x, y, turn);
        status = walkgen_command(walkgen, line);
        break;
    case 3:
        snprintf(line, sizeof line, ":singlesupporttime %.3f", random_uniform(random, 0.3, 1.2));
        status = walkgen_command(walkgen, line);
        break;
    case 4:
        status = walkgen_step_add(walkgen, &step);
        break;
    default:
        snprintf(line, sizeof line, ":addstandardonlinestep %.3f %.3f %.1f", x, y, turn);
        status = walkgen_command(walkgen, line);
    }
    ck_assert(status == STATUS_OK || walkgen_reason(walkgen)[0] != '\0');
}

static double jump(const double *a, const double *b, const double *c, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(a[k] - 2 * b[k] + c[k]));
    return most;
}

// Position and velocity have no jump: second differences are accelerations of a robot.
static void check_smooth(const struct walkgen_output *o, double period_s)
{
    const double square = period_s * period_s;
    ck_assert_double_lt(jump(o[0].com_m, o[1].com_m, o[2].com_m, 3), 15 * square);
    ck_assert_double_lt(jump(o[0].waist_m, o[1].waist_m, o[2].waist_m, 3), 20 * square);
    ck_assert_double_lt(fabs(o[0].waist_yaw_rad - 2 * o[1].waist_yaw_rad + o[2].waist_yaw_rad),
                        60 * square);
    for (int side = 0; side < SIDE_COUNT; side++)
        ck_assert_double_lt(jump(o[0].foot[side].position_m, o[1].foot[side].position_m,
                                 o[2].foot[side].position_m, 3),
                            120 * square);
    for (int k = 0; k < 2; k++)
        ck_assert_double_lt(fabs(o[2].zmp_m[k] - o[1].zmp_m[k]), 0.1);
}

static uint64_t mix(uint64_t hash, const struct walkgen_output *out)
{
    for (int j = 0; j < 28; j++) {
        uint64_t bits;
        memcpy(&bits, &out->joint_rad[j], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    return hash;
}

static uint64_t walk_at_random(uint64_t seed)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct random_stream random;
    random_start(&random, seed, "walk");
    struct walkgen_output out[3];
    uint64_t hash = 0;
    const double period_s = walkgen_period_s(walkgen);
    bool moves = true;
    command(walkgen, ":StartOnLineStepSequencing");
    for (unsigned n = 0; n < 6000 || moves; n++) {
        ck_assert_uint_lt(n, 20000);
        if (n < 5000 && random_uniform(&random, 0, 1) < 0.01)
            say_something(walkgen, &random);
        if (n == 5000) // refused if it has stopped already
            (void)!walkgen_command(walkgen, ":StopOnLineStepSequencing");
        if (n % 2)
            walkgen_prepare(walkgen);
        memmove(out, out + 1, 2 * sizeof out[0]);
        moves = walkgen_tick(walkgen, &out[2]);
        hash = mix(hash, &out[2]);
        if (n >= 2)
            check_smooth(out, period_s);
        ck_assert_uint_ge(walkgen_counts(walkgen).references_ahead, 640);
    }
    ck_assert_msg(walkgen_counts(walkgen).unreachable == 0, "walk %u: a leg was too short",
                  (unsigned)seed);
    // At rest on both feet, the centre of mass between them.
    const struct walkgen_output *end = &out[2];
    ck_assert_int_eq(end->support, SUPPORT_BOTH);
    ck_assert_double_lt(hypot(end->com_m_s[0], end->com_m_s[1]), 1e-3);
    for (int k = 0; k < 2; k++)
        ck_assert_double_eq_tol(
            end->com_m[k], 0.5 * (end->foot[0].position_m[k] + end->foot[1].position_m[k]), 2e-3);
    for (int side = 0; side < SIDE_COUNT; side++)
        ck_assert_double_eq(end->foot[side].position_m[2], 0);
    walkgen_free(walkgen);
    return hash;
}

START_TEST(whatever_is_said_on_line_the_motion_is_smooth_and_ends_at_rest)
{
    const char *more = getenv("UKEMI_WALKS");
    const uint64_t seeds = more != NULL ? strtoull(more, NULL, 10) : 8;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const uint64_t hash = walk_at_random(seed);
        if (seed == 1)
            ck_assert_uint_eq(walk_at_random(seed), hash);
    }
}
END_TEST

START_TEST(a_step_has_times_of_its_own)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out;
    unsigned samples[8] = {0};
    command(walkgen, ":walkmode 5");
    command(walkgen, ":stepseq 0 -0.0885 0 0.78 0.02  0.1 0.177 0 1.2 0.1  0.1 -0.177 0 0.6 0.05  "
                     "0 0.177 0 0.8 0.02");
    while (walkgen_tick(walkgen, &out))
        samples[out.step]++;
    ck_assert_uint_eq(samples[1], 260);
    ck_assert_uint_eq(samples[2], 130);
    walkgen_free(walkgen);
}
END_TEST

// Bytes that are taken, and pages that were missing when they were used.
struct cost {
    size_t taken_B;
    long faults;
};

static struct cost cost_until_now(void)
{
    struct rusage usage;
    const struct mallinfo2 info = mallinfo2();
    ck_assert_int_eq(getrusage(RUSAGE_THREAD, &usage), 0);
    return (struct cost){info.uordblks + info.hblkhd, usage.ru_minflt + usage.ru_majflt};
}

// A walk with a change of strategy where it stands, each of its stages for 2000 ticks.
static struct cost walk_by_each_strategy(struct walkgen *walkgen)
{
    static const char *const line[] = {":StartOnLineStepSequencing",
                                       ":addstandardonlinestep 0.1 0 5",
                                       ":StopOnLineStepSequencing",
                                       ":SetAlgoForZmpTrajectory PBW",
                                       (LISTING_1),
                                       ":SetAlgoForZmpTrajectory Herdt",
                                       ":HerdtOnline 0.1 0 0.1",
                                       ":stoppg"};
    struct walkgen_output out;
    const struct cost before = cost_until_now();
    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++) {
        command(walkgen, line[i]);
        if (line[i][1] != 'S' || line[i][2] == 't')
            for (unsigned n = 0; n < 4000 && walkgen_tick(walkgen, &out) && n < 3999; n++)
                walkgen_prepare(walkgen);
    }
    const struct cost after = cost_until_now();
    return (struct cost){after.taken_B - before.taken_B, after.faults - before.faults};
}

// The second of two runs: the first one brings in the program and its stack.
START_TEST(a_motion_allocates_nothing_and_finds_its_memory_there)
{
    long least = LONG_MAX;
    for (int run = 0; run < 4 && least > 0; run++) {
        struct robot_model *model;
        struct walkgen *walkgen;
        ck_assert_int_eq(robot_model_load(HUBO2, &model), STATUS_OK);
        const size_t before_B = cost_until_now().taken_B;
        ck_assert_int_eq(walkgen_create(model, &walkgen), STATUS_OK);
        const size_t taken_B = cost_until_now().taken_B - before_B;
        if (!SANITIZED) {
            ck_assert_uint_ge(taken_B, walkgen_memory());
            ck_assert_uint_le(taken_B, walkgen_memory() + 16384); // malloc's own
        }
        const struct cost cost = walk_by_each_strategy(walkgen);
        ck_assert_uint_eq(walkgen_counts(walkgen).plans_failed, 0);
        ck_assert_uint_gt(walkgen_counts(walkgen).plans, 500);
        ck_assert_uint_eq(cost.taken_B, 0);
        least = run > 0 && cost.faults < least ? cost.faults : least;
        walkgen_free(walkgen);
        robot_model_free(model);
    }
    ck_assert(least == 0 || SANITIZED); // its shadow has pages of its own
}
END_TEST

UNIT_MAIN("walkgen", a_line_is_refused_whole_with_its_reason,
          one_name_may_have_several_takers_who_all_must_agree,
          a_walk_on_line_begins_where_the_feet_stand, a_step_takes_the_place_of_one_on_the_spot,
          reference_and_first_preview_are_the_published_ones,
          zmp_errors_are_small_on_each_robot_and_smaller_with_the_filter,
          by_listing_3_the_zmp_stays_within_the_soles_less_margins,
          a_velocity_is_walked_round_a_circle_and_steps_after_it,
          joints_put_the_feet_where_they_are_said_to_be, a_start_beside_the_middle_is_smooth,
          whatever_is_said_on_line_the_motion_is_smooth_and_ends_at_rest,
          a_step_has_times_of_its_own, a_motion_allocates_nothing_and_finds_its_memory_there)
