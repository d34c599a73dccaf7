// walkgen beside plain steps: arms, a given upper body, ZMP along the sole, rolling feet, stairs,
// slopes, the waist's height.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/spatial.h"
#include "walk/body/walk_body.h"
#include "walk/generator/walkgen.h"

#define HUBO2 "targets/hubo2/robot.xml"
#define TOES "targets/walkgen-toe/robot.xml"
#define SOLE_M 0.105
#define HINGE_M 0.06
#define STEPS ":stepseq 0 -0.0885 0  0.2 0.177 0  0.2 -0.177 0  0.2 0.177 0  0 -0.177 0"
#define DEG (M_PI / 180)

static struct robot_model *model;
static struct walkgen *walkgen;
static struct walkgen_output out;

static void begin_with(const char *robot)
{
    ck_assert_int_eq(robot_model_load(robot, &model), STATUS_OK);
    ck_assert_int_eq(walkgen_create(model, &walkgen), STATUS_OK);
    memset(&out, 0, sizeof out);
}

static void begin(void)
{
    begin_with(HUBO2);
}

static void end(void)
{
    walkgen_free(walkgen);
    robot_model_free(model);
}

static void command(const char *line)
{
    ck_assert_msg(walkgen_command(walkgen, line) == STATUS_OK, "%s: %s", line,
                  walkgen_reason(walkgen));
}

static void refused(const char *line, const char *reason)
{
    ck_assert_msg(walkgen_command(walkgen, line) == STATUS_INVALID, "%s was taken", line);
    ck_assert_msg(strstr(walkgen_reason(walkgen), reason) != NULL, "%s: %s", line,
                  walkgen_reason(walkgen));
}

// One period; the posture's ZMP stays near its reference, legs reach, nothing jumps.
static bool tick(double error_max_m)
{
    const struct walkgen_output before = out;
    const bool moves = walkgen_tick(walkgen, &out);
    ck_assert(out.reachable);
    ck_assert_double_lt(
        hypot(out.zmp_multibody_m[0] - out.zmp_m[0], out.zmp_multibody_m[1] - out.zmp_m[1]),
        error_max_m);
    for (unsigned j = 0; j < model->joint_count && out.time_s > 0; j++)
        ck_assert_double_lt(fabs(out.joint_rad_s[j] - before.joint_rad_s[j]), 1.5);
    return moves;
}

static void place(struct robot_pose *pose)
{
    double waist[9];
    rotation_z(out.waist_yaw_rad, waist);
    robot_model_forward(model, out.waist_m, waist, out.joint_rad, pose);
}

// Of a hand or a foot, ahead of the waist.
static double ahead_m(const double *point_m)
{
    return point_m[0] - out.waist_m[0];
}

START_TEST(a_hand_goes_ahead_by_a_share_of_the_opposite_foot)
{
    struct robot_pose pose;
    double hand_m[3], stood_m = 0, foot_stood_m = 0, most_m = 0;
    begin();
    command(":armparameters 0.5");
    command(STEPS);
    const int hand = robot_model_site(model, "right_hand");
    while (tick(0.004)) {
        place(&pose);
        robot_model_site_position(model, &pose, hand, hand_m);
        const double is_m = ahead_m(hand_m), foot_m = ahead_m(out.foot[SIDE_LEFT].position_m);
        if (out.time_s == 0) {
            stood_m = is_m;
            foot_stood_m = foot_m;
        }
        if (out.step >= 2) // the swing has come up to its gain
            ck_assert_double_eq_tol(is_m - stood_m, 0.5 * (foot_m - foot_stood_m), 2e-3);
        most_m = fmax(most_m, is_m - stood_m);
    }
    ck_assert_double_gt(most_m, 0.03);
    ck_assert_double_eq_tol(ahead_m(hand_m), stood_m, 1e-3);
    end();
}
END_TEST

START_TEST(a_given_upper_body_is_taken_during_a_step)
{
    begin();
    const int waist = robot_model_joint(model, "WST"), elbow = robot_model_joint(model, "LEB");
    command(":walkmode 3");
    refused(":UpperBodyMotionParameters 0 0 90", "what the elbows may do");
    command(":UpperBodyMotionParameters 20 -30 -40");
    command(STEPS);
    while (tick(0.004))
        if (out.step >= 2) {
            ck_assert_double_eq_tol(out.joint_rad[waist], model->stand_rad[waist] + 20 * DEG, 1e-9);
            ck_assert_double_eq_tol(out.joint_rad[elbow], model->stand_rad[elbow] - 40 * DEG, 1e-9);
        }
    ck_assert_uint_gt(out.step, 3);
    command(":walkmode 0");
    command(STEPS);
    while (tick(0.004))
        ;
    ck_assert_double_eq_tol(out.joint_rad[waist], model->stand_rad[waist], 1e-9);
    end();
}
END_TEST

START_TEST(limits_of_joints_are_looked_at_if_asked)
{
    static const char climb[] = ":stepstairseq 0 -0.0885 0 0  0.1 0.177 0.25 0  0 -0.177 0 0";
    begin();
    command(":LimitsFeasibility 1");
    command(":stepheight 0.03");
    refused(climb, "joints do not reach");
    command(":LimitsFeasibility 0");
    command(climb);
    end();
}
END_TEST

// The lowest point of a sole above z = 0.
static double lowest_m(const struct walk_foot *foot)
{
    return foot->position_m[2] - SOLE_M * fabs(sin(foot->pitch_rad));
}

START_TEST(a_foot_rolls_over_its_toes_and_on_its_heel)
{
    double most_rad = 0, least_rad = 0;
    begin();
    command(":omega 10");
    command(STEPS);
    while (tick(0.004))
        for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
            const struct walk_foot *foot = &out.foot[side];
            ck_assert_double_gt(lowest_m(foot), -1e-9);
            if (out.support == SUPPORT_BOTH || (out.support == SUPPORT_LEFT) == (side == SIDE_LEFT))
                ck_assert_double_eq(foot->pitch_rad, 0);
            most_rad = fmax(most_rad, foot->pitch_rad);
            least_rad = fmin(least_rad, foot->pitch_rad);
        }
    ck_assert_double_eq_tol(most_rad, 10 * DEG, 1e-3);
    ck_assert_double_eq_tol(least_rad, -10 * DEG, 1e-3);
    end();
}
END_TEST

// While a foot with a toe carries, its hinge lies where it is.
static double hinge_m(const struct walk_foot *foot, int axis)
{
    return axis == 2 ? foot->position_m[2] - HINGE_M * sin(foot->pitch_rad)
                     : foot->position_m[axis] + (axis == 0 ? HINGE_M * cos(foot->pitch_rad) : 0);
}

START_TEST(a_foot_turns_about_its_toe_as_spring_and_damper_say)
{
    struct walkgen_output last = {0};
    double most_rad = 0, least_m = 0, ahead_m = 0;
    begin_with(TOES);
    command(":doublesupporttime 0.1");
    command(":SetAlgoForZmpTrajectory Toe");
    command(":stepseq 0 -0.0885 0  0.3 0.177 0  0.3 -0.177 0  0.3 0.177 0  0 -0.177 0");
    while (tick(0.004)) {
        for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
            const struct walk_foot *foot = &out.foot[side];
            const double pitch_rad = foot->pitch_rad, was_rad = last.foot[side].pitch_rad;
            const bool carries = out.support == (side == SIDE_LEFT ? SUPPORT_LEFT : SUPPORT_RIGHT);
            ck_assert_double_gt(hinge_m(foot, 2), -1e-9);
            ck_assert_double_gt(out.toe_rad[side], pitch_rad - 1e-9);
            most_rad = fmax(most_rad, out.toe_rad[side]);
            if (!carries || last.support != out.support)
                continue;
            ck_assert_double_eq_tol(hinge_m(foot, 0), hinge_m(&last.foot[side], 0), 1e-9);
            ck_assert_double_eq_tol(hinge_m(foot, 2), 0, 1e-9);
            if (pitch_rad > 0) // equation 14, and what bends the toe: 42 kg beyond its joint
                ck_assert_double_eq_tol(10 * was_rad + 5 * (pitch_rad - was_rad) / 0.005,
                                        42.0 * 9.81 * fmax(0, out.zmp_m[0] - hinge_m(foot, 0)),
                                        0.01);
            least_m = fmin(least_m, out.zmp_m[0] - hinge_m(foot, 0) + HINGE_M);
            ahead_m = fmax(ahead_m, out.zmp_m[0] - hinge_m(foot, 0));
        }
        last = out;
    }
    ck_assert_double_eq_tol(most_rad, 0.55, 0.1);
    ck_assert_double_lt(least_m, -0.026);          // the heel
    ck_assert_double_eq_tol(ahead_m, 0.025, 1e-6); // on the toe
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        ck_assert_double_eq(out.foot[side].pitch_rad, 0);
    end();
}
END_TEST

START_TEST(joints_put_a_pitched_sole_where_it_is_said_to_be)
{
    struct walk_body body;
    begin();
    ck_assert_int_eq(walk_body_from_model(model, &body), STATUS_OK);
    command(":omega 10");
    command(STEPS);
    while (tick(0.004))
        for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
            double leg_rad[LEG_JOINTS], sole_m[3], R[9];
            for (int j = 0; j < LEG_JOINTS; j++)
                leg_rad[j] = out.joint_rad[body.leg[side].joint[j]];
            leg_forward(&body.leg[side], leg_rad, sole_m, R);
            ck_assert_double_eq_tol(asin(-R[6]), out.foot[side].pitch_rad, 1e-9);
            for (int k = 0; k < 3; k++)
                ck_assert_double_eq_tol(sole_m[k] + out.waist_m[k], out.foot[side].position_m[k],
                                        1e-9);
        }
    end();
}
END_TEST

// Two stairs of 5 cm up from x = 0.13 on, a landing, two down.
static double stair_m(double x_m)
{
    return x_m < 0.13 ? 0 : x_m < 0.41 ? 0.05 : x_m < 0.97 ? 0.1 : x_m < 1.25 ? 0.05 : 0;
}

START_TEST(stairs_are_walked_up_and_down_without_striking_an_edge)
{
    double top_m = 0;
    begin();
    command(":doublesupporttime 0.1");
    command(":stepheight 0.08");
    command(":stepstairseq 0 -0.0885 0 0  0.27 0.177 0.05 0  0.28 -0.177 0.05 0  0 0.177 0 0  "
            "0.28 -0.177 0 0  0.28 0.177 -0.05 0  0.28 -0.177 -0.05 0  0 0.177 0 0");
    while (tick(0.012)) {
        for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
            for (int i = -1; i <= 1; i++) {
                const double *at = out.foot[side].position_m;
                ck_assert_msg(at[2] - stair_m(at[0] + i * SOLE_M) > -1e-9,
                              "at %.3f s a sole is at %.4f m, %.4f m high", out.time_s, at[0],
                              at[2]);
            }
        top_m = fmax(top_m, out.waist_m[2]);
    }
    ck_assert_double_gt(out.com_m[0], 1.2);
    ck_assert_double_eq_tol(top_m - out.waist_m[2], 0.1, 1e-6);
    end();
}
END_TEST

// Up or down.
static void walk_on_slope(double slope_deg)
{
    const double rise = tan(slope_deg * DEG);
    double most_m = 0;
    char line[80];
    begin();
    snprintf(line, sizeof line, ":slope 0.15 %g 10", slope_deg);
    command(line);
    refused(":stepseq 0 -0.0885 0  0.2 0.177 0  0 -0.177 0", "across the slope's end");
    refused(":stepseq 0 -0.0885 0  0.29 0.177 6  0 -0.177 0", "turned by 6 degrees");
    command(":stepseq 0 -0.0885 0  0.28 0.177 0  0.2 -0.177 0  0.2 0.177 0  0 -0.177 0");
    while (tick(0.01))
        for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
            const struct walk_foot *foot = &out.foot[side];
            if (out.support != SUPPORT_BOTH || foot->position_m[0] < 0.15)
                continue;
            ck_assert_double_eq_tol(foot->pitch_rad, -slope_deg * DEG, 1e-12);
            ck_assert_double_eq_tol(foot->position_m[2], rise * (foot->position_m[0] - 0.15), 1e-9);
            most_m = fmax(most_m, fabs(foot->position_m[2]));
        }
    ck_assert_double_eq_tol(most_m, 0.53 * fabs(rise), 1e-6);
    end();
}

START_TEST(feet_lie_on_a_slope)
{
    walk_on_slope(6);
    walk_on_slope(-6);
}
END_TEST

START_TEST(the_waist_may_go_down_in_a_step)
{
    begin();
    command(":walkmode 1");
    command(":stepseq 0 -0.0885 0 0  0.2 0.177 0 -0.05  0.2 -0.177 0 -0.05  0 0.177 0 0");
    const double stood_m = (tick(0.01), out.waist_m[2]);
    double least_m = stood_m;
    while (tick(0.01))
        least_m = fmin(least_m, out.waist_m[2]);
    ck_assert_double_eq_tol(least_m, stood_m - 0.05, 1e-9);
    ck_assert_double_eq_tol(out.waist_m[2], stood_m, 1e-9);
    end();
}
END_TEST

// It is commanded before the first tick, of a robot that stands as it does.
START_TEST(the_waist_comes_smoothly_to_the_height_that_is_asked_for)
{
    char line[64];
    begin();
    (void)walkgen_tick(walkgen, &out);
    const double stood_m = out.waist_m[2];
    ck_assert_int_eq(walkgen_reset(walkgen, NULL), STATUS_OK);
    snprintf(line, sizeof line, ":comheight %.6f", walkgen_com_height_m(walkgen) - 0.04);
    command(line);
    command(STEPS);
    memset(&out, 0, sizeof out);
    ck_assert(tick(0.004));
    ck_assert_double_eq_tol(out.waist_m[2], stood_m, 1e-9);
    while (out.time_s < 2.5)
        ck_assert(tick(0.004));
    ck_assert_double_eq_tol(out.waist_m[2], stood_m - 0.04, 1e-5);
    end();
}
END_TEST

UNIT_MAIN("walk_moves", a_hand_goes_ahead_by_a_share_of_the_opposite_foot,
          a_given_upper_body_is_taken_during_a_step, limits_of_joints_are_looked_at_if_asked,
          a_foot_rolls_over_its_toes_and_on_its_heel,
          a_foot_turns_about_its_toe_as_spring_and_damper_say,
          joints_put_a_pitched_sole_where_it_is_said_to_be,
          stairs_are_walked_up_and_down_without_striking_an_edge, feet_lie_on_a_slope,
          the_waist_may_go_down_in_a_step, the_waist_comes_smoothly_to_the_height_that_is_asked_for)
