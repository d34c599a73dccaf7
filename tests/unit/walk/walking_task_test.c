// walking_task: the feedback that steps to a goal, and the lean against a force.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "walk/steps/walking_task.h"

static const struct walking_task_parameters *const usual = &walking_task_default;

START_TEST(a_step_is_the_gains_times_the_error_in_the_body_s_frame)
{
    struct walking_task task = {0};
    const struct pose2d at = {0.05, -0.06, M_PI / 2}, goal = {0, 0, M_PI / 2 + 0.02};
    double step[TASK_AXES];
    walking_task_step(&task, usual, at, goal, step);
    const double far = hypot(0.05, 0.06), gain = 0.3 * exp(-3 * far) + 0.5;
    ck_assert_double_eq_tol(step[TASK_X], gain * 0.06, 1e-12); // world y is forward
    ck_assert_double_eq_tol(step[TASK_Y], gain * 0.05, 1e-12); // world -x is left
    ck_assert_double_eq_tol(step[TASK_YAW], (0.3 * exp(-0.06) + 0.5) * 0.02, 1e-12);
}
END_TEST

START_TEST(the_gain_falls_from_near_to_far_with_the_slope_at_zero)
{
    const struct pose2d goal = {0, 0, 0};
    double near[TASK_AXES], far[TASK_AXES];
    struct walking_task_parameters free = *usual;
    free.limit[TASK_X] = 1000;
    struct walking_task task = {0}, other = {0};
    walking_task_step(&task, &free, (struct pose2d){-1e-6, 0, 0}, goal, near);
    walking_task_step(&other, &free, (struct pose2d){-100, 0, 0}, goal, far);
    ck_assert_double_eq_tol(near[TASK_X] / 1e-6, free.gain_near, 1e-4);
    ck_assert_double_eq_tol(far[TASK_X] / 100, free.gain_far, 1e-9);
}
END_TEST

START_TEST(steps_are_limited_and_a_limited_axis_does_not_wind_up)
{
    struct walking_task task = {0};
    double step[TASK_AXES];
    for (int i = 0; i < 100; i++)
        walking_task_step(&task, usual, (struct pose2d){-4, 3, 2}, (struct pose2d){0, 0, 0}, step);
    ck_assert(fabs(step[TASK_X]) <= 0.10 && fabs(step[TASK_Y]) <= 0.15);
    ck_assert_double_eq_tol(step[TASK_YAW], -5 * M_PI / 180, 1e-12);
    for (int i = 0; i < TASK_AXES; i++)
        ck_assert_double_eq(task.integral[i], 0);
}
END_TEST

START_TEST(the_integral_overcomes_a_drift_that_the_gain_alone_does_not)
{
    const struct pose2d goal = {0, 0, 0};
    struct walking_task task = {0};
    struct pose2d with = {0, 0, 0}, without = {0, 0, 0};
    struct walking_task_parameters plain = *usual;
    plain.integral_gain = 0;
    double step[TASK_AXES];
    for (int i = 0; i < 400; i++) { // each step drifts by 1 cm to the left
        struct walking_task none = {0};
        walking_task_step(&task, usual, with, goal, step);
        with.y_m += step[TASK_Y] + 0.01;
        walking_task_step(&none, &plain, without, goal, step);
        without.y_m += step[TASK_Y] + 0.01;
    }
    ck_assert(fabs(with.y_m) < 1e-4);
    ck_assert(without.y_m > 0.01);
}
END_TEST

START_TEST(it_is_there_when_every_error_is_within_its_tolerance)
{
    double error[TASK_AXES];
    const struct pose2d goal = {1, 1.5, M_PI};
    walking_task_error((struct pose2d){1.02, 1.48, -M_PI + 0.04}, goal, error);
    ck_assert(walking_task_reached(usual, error));
    walking_task_error((struct pose2d){1.04, 1.5, M_PI}, goal, error);
    ck_assert(!walking_task_reached(usual, error));
    walking_task_error((struct pose2d){NAN, 1.5, M_PI}, goal, error);
    ck_assert(!walking_task_reached(usual, error));
}
END_TEST

START_TEST(what_is_not_a_number_makes_no_step)
{
    struct walking_task task = {0};
    double step[TASK_AXES];
    walking_task_step(&task, usual, (struct pose2d){0, NAN, 0}, (struct pose2d){4, 0, 0}, step);
    for (int i = 0; i < TASK_AXES; i++)
        ck_assert(step[i] == 0 && task.integral[i] == 0);
}
END_TEST

START_TEST(a_lean_comes_without_a_jump_and_without_overshoot)
{
    struct lean lean = {0};
    const double target_m[2] = {0.05, 0};
    double before_m = 0;
    for (int i = 0; i < 200; i++) {
        lean_step(&lean, target_m, 0.01);
        ck_assert(lean.offset_m[0] >= before_m && lean.offset_m[0] < 0.05 + 1e-9);
        ck_assert(lean.offset_m[0] - before_m < 0.002);
        before_m = lean.offset_m[0];
        if (i == 30) // like a low pass of 0.3 s
            ck_assert(0.5 * 0.05 < before_m && before_m < 0.75 * 0.05);
    }
    ck_assert_double_eq_tol(before_m, 0.05, 1e-4);
}
END_TEST

UNIT_MAIN("walking_task", a_step_is_the_gains_times_the_error_in_the_body_s_frame,
          the_gain_falls_from_near_to_far_with_the_slope_at_zero,
          steps_are_limited_and_a_limited_axis_does_not_wind_up,
          the_integral_overcomes_a_drift_that_the_gain_alone_does_not,
          it_is_there_when_every_error_is_within_its_tolerance, what_is_not_a_number_makes_no_step,
          a_lean_comes_without_a_jump_and_without_overshoot)
