// joints: requests become trajectories that arrive in time, or as soon as the limits allow.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "targets/bioloid/joints.h"

#define DEGREE (3.14159265358979323846 / 180)
#define SERVO 19

static struct joints joints;
static const struct joints_limits limits = {.method = KNEE_ACCELERATION_MIN,
                                            .velocity_max_rad_s = 281 * DEGREE,
                                            .acceleration_max_rad_s2 = 1400 * DEGREE};

static struct joint_request_message request_of(double start_s, double end_s, double angle_deg,
                                               double velocity_deg_s)
{
    struct joint_request_message request = {.start_ns = (int64_t)(start_s * 1e9),
                                            .end_ns = (int64_t)(end_s * 1e9),
                                            .servos = 1u << SERVO};
    request.angle_rad[SERVO] = angle_deg * DEGREE;
    request.velocity_rad_s[SERVO] = velocity_deg_s * DEGREE;
    return request;
}

static void ask(double start_s, double end_s, double angle_deg, double velocity_deg_s)
{
    const struct joint_request_message request =
        request_of(start_s, end_s, angle_deg, velocity_deg_s);
    joints_ask(&joints, &request);
}

static double angle_deg(double t_s)
{
    joints_advance(&joints, t_s);
    return joints.joint[SERVO].angle_rad / DEGREE;
}

static void start(void)
{
    joints_start(&joints, &limits);
    joints_hold(&joints, SERVO, 0);
}

// The paper's Fig. 17: 0 45 90 -45 -90, at rest at each, a second each.
START_TEST(requests_follow_each_other_without_a_jump)
{
    static const double points[] = {45, 90, -45, -90};
    start();
    for (int i = 0; i < 4; i++)
        ask(i, i + 1, points[i], 0);
    double before = 0, t_s = 0;
    for (int k = 1; k <= 4000; k++) {
        t_s = k * 1e-3;
        const double now = angle_deg(t_s);
        ck_assert_double_lt(fabs(now - before), 0.281);
        before = now;
        if (k % 1000 == 0)
            ck_assert_double_eq_tol(now, points[k / 1000 - 1], 1e-9);
    }
    ck_assert_uint_eq(joints.late, 0);
    ck_assert_uint_eq(joints.waiting_count, 0);
    ck_assert_double_eq_tol(angle_deg(9), -90, 1e-9);
}
END_TEST

START_TEST(what_is_too_fast_comes_later_within_the_limits)
{
    start();
    ask(0, 0.1, 90, 0);
    double before = 0, before_rate = 0;
    for (int k = 1; k <= 1000; k++) {
        const double now = angle_deg(k * 1e-3), rate = (now - before) / 1e-3;
        ck_assert_double_le(rate, 281 + 1e-6);
        ck_assert_double_le(fabs(rate - before_rate) / 1e-3, 1400 + 1e-3);
        before = now;
        before_rate = rate;
    }
    ck_assert_uint_eq(joints.late, 1);
    ck_assert_double_eq_tol(before, 90, 1e-9);
}
END_TEST

START_TEST(a_request_in_between_starts_from_where_the_joint_is)
{
    start();
    ask(0, 1, 45, 0);
    const double before = angle_deg(0.5);
    ask(0.1, 1.5, 0, 0); // late: it begins now
    ck_assert_double_eq_tol(angle_deg(0.501), before, 0.2);
    ck_assert_double_eq_tol(angle_deg(1.5), 0, 1e-9);
}
END_TEST

START_TEST(requests_that_are_no_motions_are_refused)
{
    start();
    ask(1, 1, 10, 0);
    ask(2, 1, 10, 0);
    ask(-1, 1, 10, 0);
    ask(0, 1, NAN, 0);
    ask(0, 1, 10, INFINITY);
    ck_assert_uint_eq(joints.refused, 5);
    for (int i = 0; i <= JOINTS_WAITING_MAX; i++)
        ask(1, 2, 10, 0);
    ck_assert_uint_eq(joints.refused, 6);
    ck_assert_double_eq(angle_deg(0.5), 0);
}
END_TEST

START_TEST(a_servo_that_nobody_has_heard_of_is_not_moved)
{
    joints_start(&joints, &limits);
    ask(0, 1, 10, 0);
    ck_assert_double_eq(angle_deg(1), 0);
    ck_assert_uint_eq(joints.known, 0);
}
END_TEST

START_TEST(a_servo_that_was_forgotten_is_held_where_it_is_found)
{
    start();
    joints_forget(&joints, SERVO);
    ask(0, 1, 10, 0);
    ck_assert_double_eq(angle_deg(1), 0);
    joints_hold(&joints, SERVO, 5 * DEGREE);
    ck_assert_double_eq_tol(angle_deg(2), 5, 1e-9);
    ask(2, 3, 10, 0);
    ck_assert_double_eq_tol(angle_deg(3), 10, 1e-9);
}
END_TEST

UNIT_MAIN("joints", requests_follow_each_other_without_a_jump,
          what_is_too_fast_comes_later_within_the_limits,
          a_request_in_between_starts_from_where_the_joint_is,
          requests_that_are_no_motions_are_refused, a_servo_that_nobody_has_heard_of_is_not_moved,
          a_servo_that_was_forgotten_is_held_where_it_is_found)
