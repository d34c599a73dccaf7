// classifier of the failure table: what the robot was seen to do, from made-up motions.
#include "tests/unit/common/synthetic.h"

#include "walk/zmp/geometry.h"

static void expect_cell(struct made_up *m, const char *motion, const char *text)
{
    ck_assert_str_eq(observed(m, "motion")->text, motion);
    ck_assert_str_eq(observed(m, "behaviour")->text, text);
    forget(m);
}

START_TEST(a_robot_that_stands_and_goes_on_standing_shows_no_effect)
{
    struct made_up *m = make_up();
    request_kill(m, "Control", -1);
    until(m, 5);
    killed(m, "control", "Control");
    until(m, 10);
    expect_cell(m, "Static", "No Effect");
}
END_TEST

static struct made_up *moving_robot(const char *component)
{
    struct made_up *m = make_up();
    request_kill(m, component, -1);
    swing_until(m, 4.3, true, true);
    killed(m, "any", component);
    return m;
}

START_TEST(set_points_that_freeze_are_a_sudden_stop_of_all_joints)
{
    struct made_up *m = moving_robot("Control");
    swing_until(m, 4.31, true, true); // the last reference was on its way
    swing(m, false, false);
    until(m, 10);
    expect_cell(m, "Quasi-Static", "Sudden Stop in All Joints");
}
END_TEST

START_TEST(a_stop_at_walking_pace_is_sudden_too_however_slow_the_joints_were)
{
    struct made_up *m = make_up();
    request_kill(m, "Hardware", -1);
    swing_until(m, 5.04, true, true); // 0.04 rad/s: stopping within a cycle is only 4 rad/s2
    killed(m, "hardware", "Hardware");
    swing(m, false, false);
    until(m, 10);
    m->scenario.watch_s = 3;
    expect_cell(m, "Quasi-Static", "Sudden Stop in All Joints");
}
END_TEST

START_TEST(legs_that_hold_their_speed_and_wind_down_are_a_smooth_stop_in_legs)
{
    struct made_up *m = moving_robot("Balance");
    double leg = m->speed_rad_s[joint_named(m, "RHP")];
    while (made_up_time_s(m) < 10) {
        swing(m, true, false); // arms go on
        if (made_up_time_s(m) > 4.8)
            leg = fmax(0, leg - 10 * TICK_S);
        m->speed_rad_s[joint_named(m, "RHP")] = m->speed_rad_s[joint_named(m, "LKN")] = leg;
        one_tick(m);
    }
    ck_assert_double_eq_tol(observed(m, "reaction_s")->value, 0.5, 0.03);
    ck_assert_double_le(observed(m, "deceleration_max_rad_s2")->value, 10.1);
    expect_cell(m, "Quasi-Static", "Smooth Stop in Legs");
}
END_TEST

START_TEST(arms_that_arrive_while_the_legs_go_on_are_a_smooth_stop_in_arms)
{
    struct made_up *m = moving_robot("Manipulator");
    double arm = m->speed_rad_s[joint_named(m, "RSP")];
    while (made_up_time_s(m) < 10) {
        swing(m, false, true);
        arm = fmax(0, arm - 0.4 * TICK_S);
        m->speed_rad_s[joint_named(m, "RSP")] = m->speed_rad_s[joint_named(m, "LSP")] = arm;
        one_tick(m);
    }
    expect_cell(m, "Quasi-Static", "Smooth Stop in Arms");
}
END_TEST

START_TEST(a_motion_that_goes_on_continues)
{
    struct made_up *m = moving_robot("Perception");
    swing_until(m, 10, true, true);
    expect_cell(m, "Quasi-Static", "Continues");
}
END_TEST

START_TEST(a_robot_that_falls_within_the_watch_falls_over)
{
    struct made_up *m = moving_robot("Control");
    swing(m, false, false);
    until(m, 5.3);
    lie_down(m);
    until(m, 10);
    ck_assert_double_eq_tol(observed(m, "fall_after_s")->value, 1.01, 0.011);
    expect_cell(m, "Quasi-Static", "Falls over");
}
END_TEST

START_TEST(motion_is_dynamic_when_the_centre_of_mass_left_the_support_polygon)
{
    struct made_up *m = make_up();
    request_kill(m, "Perception", -1);
    swing_until(m, 4.5, true, true);
    m->truth.com_m[0] = 0.13;
    swing_until(m, 4.6, true, true);
    m->truth.com_m[0] = 0;
    swing_until(m, 5.3, true, true);
    killed(m, "perception", "Perception");
    swing_until(m, 10, true, true);
    ck_assert_double_eq_tol(observed(m, "com_margin_worst_m")->value, -0.03, 1e-9);
    ck_assert_double_eq_tol(observed(m, "com_margin_m")->value, 0.1, 1e-9);
    expect_cell(m, "Dynamic", "Continues");
}
END_TEST

// The robot walks 2 m by the plan; in the end its feet are `miss_m` from where the plan puts them.
static struct made_up *walk_by_plan(double miss_m, bool final)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", -1);
    struct segment_message *segment = calloc(1, sizeof *segment);
    segment->plan_id = segment->segment_number = 1;
    segment->count = 700;
    segment->final = final;
    for (int i = 0; i < 700; i++) {
        struct segment_sample *s = &segment->sample[i];
        s->com_m[0] = s->foot_m[0][0] = s->foot_m[1][0] = fmin(1, i / 600.0);
        s->foot_m[SIDE_LEFT][1] = 0.1;
        s->foot_m[SIDE_RIGHT][1] = -0.1;
        s->phase = fmod(i / 240.0, 1);
    }
    publish(m, "segment", segment,
            offsetof(struct segment_message, sample) + 700 * sizeof segment->sample[0]);
    for (int i = 0; i < 700 + 300; i++) {
        int sample = i < 700 ? i : 699;
        struct balance_status_message status = {.phase = i < 700 ? BALANCE_PHASE_EXECUTING
                                                                 : BALANCE_PHASE_STANDING,
                                                .plan_id = 1,
                                                .sample = sample,
                                                .last_sample = 699};
        status.time = instant_s(made_up_time_s(m));
        publish(m, "balance-status", &status, sizeof status);
        for (int side = 0; side < 2; side++)
            m->truth.foot_m[side][0] = segment->sample[sample].foot_m[side][0] * (1 - miss_m);
        m->truth.com_m[0] = m->truth.foot_m[0][0];
        for (int c = 0; c < 8; c++)
            m->truth.contact_m[c][0] = m->truth.foot_m[0][0] + (c % 4 < 2 ? 0.1 : -0.1);
        swing(m, false, i < 620);
        if (i == 450)
            killed(m, "planner", "Planner");
        one_tick(m);
    }
    free(segment);
    m->scenario.watch_s = 4;
    return m;
}

START_TEST(a_walk_to_the_end_of_what_was_planned_finishes_the_last_plan)
{
    struct made_up *m = walk_by_plan(0, false);
    ck_assert_double_eq_tol(observed(m, "gait_phase")->value, fmod(450 / 240.0, 1), 0.01);
    expect_cell(m, "Quasi-Static", "Finishes last plan provided");
}
END_TEST

START_TEST(a_robot_that_stops_short_of_its_plan_does_not_finish_it)
{
    struct made_up *m = walk_by_plan(0.5, false);
    ck_assert_str_ne(observed(m, "behaviour")->text, "Finishes last plan provided");
    forget(m);
}
END_TEST

START_TEST(the_distance_to_the_edge_is_positive_inside_and_negative_outside)
{
    struct point2 corner[5] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0.5}}, hull[6];
    ck_assert_uint_eq(convex_hull(corner, 5, hull), 4);
    ck_assert_double_eq_tol(polygon_margin(hull, 4, (struct point2){0.5, 0.8}), 0.2, 1e-12);
    ck_assert_double_eq_tol(polygon_margin(hull, 4, (struct point2){1.3, 1.4}), -0.5, 1e-12);
    ck_assert(isnan(polygon_margin(hull, 0, (struct point2){0, 0})));
    struct point2 line[2] = {{0, 0}, {1, 0}};
    ck_assert_double_eq_tol(polygon_margin(line, 2, (struct point2){0.5, 0}), 0, 1e-12);
}
END_TEST

START_TEST(the_capture_point_lies_ahead_by_the_speed_over_omega)
{
    double com_m[3] = {0.1, 0, 0.981}, velocity_m_s[3] = {0.5, -0.2, 0};
    struct point2 point = capture_point(com_m, velocity_m_s); // omega = sqrt(10)
    ck_assert_double_eq_tol(point.x, 0.1 + 0.5 / sqrt(10), 1e-12);
    ck_assert_double_eq_tol(point.y, -0.2 / sqrt(10), 1e-12);
}
END_TEST

START_TEST(tilt_is_the_angle_of_the_body_to_the_vertical)
{
    double quaternion[4] = {cos(0.4), 0, sin(0.4), 0};
    ck_assert_double_eq_tol(tilt_rad(quaternion), 0.8, 1e-12);
    double turned[4] = {cos(0.4), 0, 0, sin(0.4)};
    ck_assert_double_eq_tol(tilt_rad(turned), 0, 1e-12);
    ck_assert_double_eq_tol(yaw_rad(turned), 0.8, 1e-12);
}
END_TEST

UNIT_MAIN("behaviour", a_robot_that_stands_and_goes_on_standing_shows_no_effect,
          set_points_that_freeze_are_a_sudden_stop_of_all_joints,
          a_stop_at_walking_pace_is_sudden_too_however_slow_the_joints_were,
          legs_that_hold_their_speed_and_wind_down_are_a_smooth_stop_in_legs,
          arms_that_arrive_while_the_legs_go_on_are_a_smooth_stop_in_arms,
          a_motion_that_goes_on_continues, a_robot_that_falls_within_the_watch_falls_over,
          motion_is_dynamic_when_the_centre_of_mass_left_the_support_polygon,
          a_walk_to_the_end_of_what_was_planned_finishes_the_last_plan,
          a_robot_that_stops_short_of_its_plan_does_not_finish_it,
          the_distance_to_the_edge_is_positive_inside_and_negative_outside,
          the_capture_point_lies_ahead_by_the_speed_over_omega,
          tilt_is_the_angle_of_the_body_to_the_vertical)
