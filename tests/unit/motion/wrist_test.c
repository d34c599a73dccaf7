// wrist: the hybrid controller against its closed form.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "motion/wrist.h"

static const struct wrist_parameters plain = {.mass_kg = 10,
                                              .damping_Ns_m = 200,
                                              .reach_m = 1,
                                              .leak_1_s = 0,
                                              .beta_Ns_m = -60,
                                              .reference_max_m_s = 0.2};
static const double none[WRIST_AXES] = {0};

START_TEST(a_constant_force_moves_it_as_mass_and_damper)
{
    struct wrist wrist = {0};
    const double force_N[WRIST_AXES] = {-10, 4};
    for (int i = 0; i < 50; i++)
        wrist_step(&wrist, &plain, force_N, none, 0, 0.01);
    for (int i = 0; i < WRIST_AXES; i++) { // x(t) = F/c (t - m/c (1 - e^(-c t/m)))
        const double tau = 10.0 / 200;
        const double wanted_m = force_N[i] / 200 * (0.5 - tau * (1 - exp(-0.5 / tau)));
        ck_assert_double_eq_tol(wrist.shift_m[i], wanted_m, 1e-9);
        ck_assert_double_eq_tol(wrist.velocity_m_s[i], force_N[i] / 200 * (1 - exp(-0.5 / tau)),
                                1e-9);
    }
}
END_TEST

START_TEST(a_hose_that_pulls_as_desired_does_not_move_it_and_one_that_pulls_more_draws_it_back)
{
    struct wrist wrist = {0};
    const double desired_N[WRIST_AXES] = {-37, -30}, more_N[WRIST_AXES] = {-45, -30};
    wrist_step(&wrist, &plain, desired_N, desired_N, 0, 0.01);
    ck_assert_double_eq(wrist.shift_m[WRIST_X], 0);
    wrist_step(&wrist, &plain, more_N, desired_N, 0, 0.01);
    ck_assert(wrist.shift_m[WRIST_X] < 0);
    ck_assert_double_eq(wrist.shift_m[WRIST_Z], 0);
}
END_TEST

START_TEST(it_pulls_in_double_support_only_and_harder_the_faster_it_walks)
{
    ck_assert_double_eq(wrist_pull_N(&plain, 0.125, false), 0);
    ck_assert_double_eq_tol(wrist_pull_N(&plain, 0.125, true), -7.5, 1e-12);
    ck_assert_double_eq(wrist_pull_N(&plain, NAN, true), 0);
    ck_assert_double_eq(wrist_pull_N(&plain, 1.25, true), 0);
    struct wrist wrist = {0}; // a desired pull backwards on the hand moves it forward
    wrist_step(&wrist, &plain, none, none, wrist_pull_N(&plain, 0.125, true), 0.01);
    ck_assert(wrist.shift_m[WRIST_X] > 0);
    ck_assert_double_eq(wrist.shift_m[WRIST_Z], 0);
}
END_TEST

START_TEST(it_stops_at_the_end_of_its_reach_and_comes_back)
{
    struct wrist_parameters parameters = plain;
    parameters.reach_m = 0.1;
    struct wrist wrist = {0};
    const double much_N[WRIST_AXES] = {-400, 400}, back_N[WRIST_AXES] = {10, 0};
    for (int i = 0; i < 200; i++)
        wrist_step(&wrist, &parameters, much_N, none, 0, 0.01);
    ck_assert_double_eq(wrist.shift_m[WRIST_X], -0.1);
    ck_assert_double_eq(wrist.shift_m[WRIST_Z], 0.1);
    wrist_step(&wrist, &parameters, back_N, none, 0, 0.01);
    ck_assert(wrist.shift_m[WRIST_X] > -0.1);
    const struct wrist before = wrist;
    wrist_step(&wrist, &parameters, (const double[]){NAN, INFINITY}, none, 0, 0.01);
    ck_assert_double_eq(wrist.shift_m[WRIST_X], before.shift_m[WRIST_X]);
    ck_assert_double_eq(wrist.velocity_m_s[WRIST_X], 0);
}
END_TEST

START_TEST(a_leak_brings_it_back)
{
    struct wrist_parameters parameters = plain;
    parameters.leak_1_s = 0.5;
    struct wrist wrist = {.shift_m = {0.1, -0.1}};
    for (int i = 0; i < 200; i++)
        wrist_step(&wrist, &parameters, none, none, 0, 0.01);
    ck_assert_double_eq_tol(wrist.shift_m[WRIST_X], 0.1 * exp(-1), 1e-9);
}
END_TEST

START_TEST(force_at_the_grip_comes_of_the_moments_that_it_makes)
{
    const double grip_m = 0.0707, f[3] = {-38, 5, -30};
    double force_N[3]; // moments of f at (0, 0, -grip)
    wrist_grip_force(grip_m * f[1], -grip_m * f[0], f[2], grip_m, force_N);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(force_N[i], f[i], 1e-9);
}
END_TEST

START_TEST(six_axes_of_a_force_at_the_grip_agree_and_an_axis_that_is_off_shows)
{
    const double grip_m = 0.0707, f[3] = {-38, 5, -30}, own_Nm[3] = {0.1, -0.2, 0.05};
    const double moment_Nm[3] = {grip_m * f[1] + own_Nm[0], -grip_m * f[0] + own_Nm[1], own_Nm[2]};
    double rest_Nm[3];
    wrist_grip_moment(f, moment_Nm, grip_m, rest_Nm);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(rest_Nm[i], own_Nm[i], 1e-9);
    const double swapped[3] = {f[1], f[0], f[2]};
    wrist_grip_moment(swapped, moment_Nm, grip_m, rest_Nm);
    ck_assert_double_gt(hypot(rest_Nm[0], rest_Nm[1]), 3);
}
END_TEST

UNIT_MAIN("wrist", a_constant_force_moves_it_as_mass_and_damper,
          a_hose_that_pulls_as_desired_does_not_move_it_and_one_that_pulls_more_draws_it_back,
          it_pulls_in_double_support_only_and_harder_the_faster_it_walks,
          it_stops_at_the_end_of_its_reach_and_comes_back, a_leak_brings_it_back,
          force_at_the_grip_comes_of_the_moments_that_it_makes,
          six_axes_of_a_force_at_the_grip_agree_and_an_axis_that_is_off_shows)
