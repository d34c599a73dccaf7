// motion: whatever is commanded, the references of a joint keep the bounds; and they get where they
// are sent.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdbool.h>

#include "base/random.h"
#include "motion/joint_filter.h"

#define PERIOD_S 0.01
#define ROUNDING_RAD_S 1e-9 // (finite differences of numbers near 3)
#define ROUNDING_RAD_S2 1e-7

static const struct joint_limits LIMITS = {
    .position_min_rad = -2.0,
    .position_max_rad = 2.0,
    .velocity_max_rad_s = 6.0,
    .acceleration_max_rad_s2 = 15.0,
    .velocity_nominal_rad_s = 0.75,
    .acceleration_nominal_rad_s2 = 0.4,
    .acceleration_wind_down_rad_s2 = 10.0,
};

// ---- the checker: finite differences of references against bounds -------------------------------

struct checker {
    double reference[3]; // newest last
    unsigned count;
    double velocity_max, acceleration_max, low, high; // seen so far
};

static void check_reference(struct checker *checker, double reference)
{
    checker->reference[0] = checker->reference[1];
    checker->reference[1] = checker->reference[2];
    checker->reference[2] = reference;
    const double *r = checker->reference;
    if (++checker->count >= 2)
        checker->velocity_max = fmax(checker->velocity_max, fabs(r[2] - r[1]) / PERIOD_S);
    if (checker->count >= 3)
        checker->acceleration_max =
            fmax(checker->acceleration_max, fabs(r[2] - 2 * r[1] + r[0]) / (PERIOD_S * PERIOD_S));
    checker->low = checker->count == 1 ? reference : fmin(checker->low, reference);
    checker->high = checker->count == 1 ? reference : fmax(checker->high, reference);
}

static bool within(const struct checker *checker, double velocity, double acceleration)
{
    return checker->velocity_max <= velocity + ROUNDING_RAD_S &&
           checker->acceleration_max <= acceleration + ROUNDING_RAD_S2 &&
           checker->low >= LIMITS.position_min_rad && checker->high <= LIMITS.position_max_rad;
}

// ---- helpers ------------------------------------------------------------------------------------

static instant at_step(int step)
{
    return instant_ns((int64_t)step * 10000000);
}

static void command(struct joint_filter *filter, enum joint_mode mode, double value,
                    double acceleration, instant expires)
{
    const struct joint_command c = {
        .mode = mode, .value = value, .acceleration_nominal_rad_s2 = acceleration};
    ck_assert_int_eq(joint_filter_command(filter, &LIMITS, &c, expires), STATUS_OK);
}

static void goal(struct joint_filter *filter, double position)
{
    command(filter, JOINT_MODE_POSITION, position, 0, INSTANT_NEVER);
}

static struct joint_filter started_at(double position)
{
    struct joint_filter filter;
    joint_filter_restart(&filter, &LIMITS, position);
    return filter;
}

// ---- position mode ------------------------------------------------------------------------------

START_TEST(a_position_sent_once_is_reached_exactly_without_overshoot)
{
    for (double target = -1.9; target <= 1.9; target += 0.0137) {
        struct joint_filter filter = started_at(0.3);
        struct checker checker = {0};
        check_reference(&checker, filter.reference_rad);
        goal(&filter, target);
        for (int step = 0; step < 1000; step++)
            check_reference(&checker, joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(step)));
        ck_assert_double_eq(filter.reference_rad, target);
        ck_assert(within(&checker, 0.75, 0.4));
        ck_assert_double_ge(checker.low, fmin(0.3, target));
        ck_assert_double_le(checker.high, fmax(0.3, target));
    }
}
END_TEST

START_TEST(a_move_takes_the_time_of_a_parabola_trapezoid_and_one_period)
{
    // 1.5 rad at 0.75 rad/s, 0.4 rad/s2: 1.5 / 0.75 + 0.75 / 0.4 = 3.875 s.
    struct joint_filter filter = started_at(0);
    goal(&filter, 1.5);
    int step = 0;
    while (filter.reference_rad < 1.5 && step < 1000)
        joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(step++));
    ck_assert_double_eq_tol(step * PERIOD_S, 3.875, 0.011);
}
END_TEST

START_TEST(sending_a_position_again_changes_nothing)
{
    struct joint_filter once = started_at(0), again = started_at(0);
    goal(&once, 1.2);
    for (int step = 0; step < 600; step++) {
        goal(&again, 1.2);
        ck_assert_double_eq(joint_filter_step(&once, &LIMITS, PERIOD_S, at_step(step)),
                            joint_filter_step(&again, &LIMITS, PERIOD_S, at_step(step)));
    }
}
END_TEST

START_TEST(alternating_extreme_positions_never_break_the_nominal_bounds)
{
    for (int every = 1; every < 400; every = every * 3 / 2 + 1) {
        struct joint_filter filter = started_at(0.1);
        struct checker checker = {0};
        for (int step = 0; step < 4000; step++) {
            if (step % every == 0)
                goal(&filter, step / every % 2 == 0 ? 2.0 : -2.0);
            check_reference(&checker, joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(step)));
        }
        ck_assert(within(&checker, 0.75, 0.4));
    }
}
END_TEST

START_TEST(a_random_stream_of_positions_never_breaks_the_nominal_bounds)
{
    struct random_stream random;
    random_start(&random, 1, "positions");
    struct joint_filter filter = started_at(0);
    struct checker checker = {0};
    for (int step = 0; step < 100000; step++) {
        if (random_uniform(&random, 0, 1) < 0.1)
            goal(&filter, random_uniform(&random, -3, 3)); // beyond the limits too
        check_reference(&checker, joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(step)));
    }
    ck_assert(within(&checker, 0.75, 0.4));
    ck_assert_double_gt(checker.velocity_max, 0.7); // the bound was really met
    ck_assert_double_gt(checker.acceleration_max, 0.39);
}
END_TEST

// ---- velocity mode ------------------------------------------------------------------------------

START_TEST(a_velocity_is_held_until_it_expires_and_then_winds_down)
{
    struct joint_filter filter = started_at(0);
    command(&filter, JOINT_MODE_VELOCITY, 1.0, 10.0, at_step(60));
    for (int step = 0; step < 10; step++)
        joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(step)); // up at 10 rad/s2
    ck_assert_double_eq_tol(filter.velocity_rad_s, 1.0, 1e-12);
    for (int step = 10; step < 60; step++) {
        joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(step));
        ck_assert_double_eq_tol(filter.velocity_rad_s, 1.0, 1e-12);
    }
    for (int step = 60; step < 70; step++) {
        const double before = filter.velocity_rad_s;
        joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(step));
        ck_assert_double_eq_tol(before - filter.velocity_rad_s, 0.1, 1e-12);
    }
    const double held = filter.reference_rad;
    for (int step = 70; step < 200; step++)
        ck_assert_double_eq_tol(joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(step)), held,
                                1e-12);
}
END_TEST

START_TEST(an_unlimited_velocity_lands_where_its_sender_wanted)
{
    struct joint_filter filter = started_at(0.5);
    const double wanted = 0.5003;
    command(&filter, JOINT_MODE_VELOCITY, (wanted - filter.reference_rad) / PERIOD_S, 15,
            INSTANT_NEVER);
    ck_assert_double_eq_tol(joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(0)), wanted,
                            1e-15);
}
END_TEST

START_TEST(a_velocity_into_a_limit_stops_at_the_limit_within_the_bounds)
{
    for (double velocity = 0.1; velocity <= 8; velocity += 0.1)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct joint_filter filter = started_at(0);
            struct checker checker = {0};
            check_reference(&checker, filter.reference_rad);
            command(&filter, JOINT_MODE_VELOCITY, sign * velocity, 12, INSTANT_NEVER);
            for (int step = 0; step < 3000; step++)
                check_reference(&checker,
                                joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(step)));
            ck_assert(within(&checker, fmin(velocity, 6.0), 12));
            ck_assert_double_eq_tol(filter.reference_rad, sign * 2.0, 1e-9);
        }
}
END_TEST

// ---- all modes ----------------------------------------------------------------------------------

START_TEST(any_mix_of_modes_keeps_the_limits)
{
    struct random_stream random;
    random_start(&random, 2, "modes");
    struct joint_filter filter = started_at(0);
    struct checker checker = {0};
    for (int step = 0; step < 100000; step++) {
        const double draw = random_uniform(&random, 0, 1);
        const double acceleration = random_uniform(&random, 0.01, 30);
        if (draw < 0.05)
            command(&filter, JOINT_MODE_POSITION, random_uniform(&random, -3, 3), acceleration,
                    INSTANT_NEVER);
        else if (draw < 0.1)
            command(&filter, JOINT_MODE_VELOCITY, random_uniform(&random, -9, 9), acceleration,
                    at_step(step + (int)random_uniform(&random, 0, 60)));
        check_reference(&checker, joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(step)));
    }
    ck_assert(within(&checker, LIMITS.velocity_max_rad_s, LIMITS.acceleration_max_rad_s2));
    ck_assert_double_gt(checker.velocity_max, 3);
    ck_assert_double_gt(checker.acceleration_max, 14.9);
}
END_TEST

START_TEST(passthrough_is_unfiltered_but_never_passes_a_limit)
{
    struct joint_filter filter = started_at(0);
    command(&filter, JOINT_MODE_PASSTHROUGH, 1.5, 0, INSTANT_NEVER);
    ck_assert_double_eq(joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(0)), 1.5);
    command(&filter, JOINT_MODE_PASSTHROUGH, -7, 0, INSTANT_NEVER);
    ck_assert_double_eq(joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(1)), -2.0);
}
END_TEST

START_TEST(what_is_not_a_number_is_refused_and_changes_nothing)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (unsigned mode = JOINT_MODE_POSITION; mode <= JOINT_MODE_PASSTHROUGH; mode++)
        for (unsigned i = 0; i < 3; i++) {
            struct joint_filter filter = started_at(0.25);
            goal(&filter, 0.25);
            struct joint_command c = {.mode = mode, .value = bad[i]};
            ck_assert_int_eq(joint_filter_command(&filter, &LIMITS, &c, at_step(9)),
                             STATUS_INVALID);
            c = (struct joint_command){.mode = mode, .acceleration_nominal_rad_s2 = bad[i]};
            ck_assert_int_eq(joint_filter_command(&filter, &LIMITS, &c, at_step(9)),
                             STATUS_INVALID);
            c = (struct joint_command){.mode = mode, .velocity_nominal_rad_s = -1};
            ck_assert_int_eq(joint_filter_command(&filter, &LIMITS, &c, at_step(9)),
                             STATUS_INVALID);
            ck_assert_double_eq(joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(0)), 0.25);
        }
    struct joint_filter filter = started_at(0);
    const struct joint_command unknown = {.mode = 17};
    ck_assert_int_eq(joint_filter_command(&filter, &LIMITS, &unknown, at_step(9)), STATUS_INVALID);
}
END_TEST

START_TEST(a_restart_outside_the_limits_starts_at_the_limit_and_at_rest)
{
    struct joint_filter filter = started_at(2.2);
    ck_assert_double_eq(filter.reference_rad, 2.0);
    ck_assert_double_eq(joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(0)), 2.0);
}
END_TEST

// ---- canaries: the checker must see a broken filter ---------------------------------------------

START_TEST(canary_a_filter_that_ignores_acceleration_is_caught)
{
    struct joint_filter filter = started_at(0);
    struct checker checker = {0};
    for (int step = 0; step < 400; step++) {
        goal(&filter, step / 50 % 2 == 0 ? 2.0 : -2.0);
        filter.velocity_rad_s = filter.target > 0 ? 0.75 : -0.75; // the defect
        check_reference(&checker, joint_filter_step(&filter, &LIMITS, PERIOD_S, at_step(step)));
    }
    ck_assert(!within(&checker, 0.75, 0.4));
}
END_TEST

START_TEST(canary_a_filter_whose_braking_ignores_discrete_time_is_caught)
{
    // v = sqrt(2 a d), the continuous law, brakes one period too late.
    double reference = 0, velocity = 0;
    struct checker checker = {0};
    for (int step = 0; step < 1000; step++) {
        const double distance = 1.0 - reference;
        const double wanted = copysign(fmin(sqrt(2 * 0.4 * fabs(distance)), 0.75), distance);
        velocity = distance == 0 ? 0 : fmin(wanted, velocity + 0.4 * PERIOD_S);
        reference += velocity * PERIOD_S;
        check_reference(&checker, reference);
    }
    ck_assert(!within(&checker, 0.75, 0.4) || checker.high > 1.0);
}
END_TEST

UNIT_MAIN("motion", a_position_sent_once_is_reached_exactly_without_overshoot,
          a_move_takes_the_time_of_a_parabola_trapezoid_and_one_period,
          sending_a_position_again_changes_nothing,
          alternating_extreme_positions_never_break_the_nominal_bounds,
          a_random_stream_of_positions_never_breaks_the_nominal_bounds,
          a_velocity_is_held_until_it_expires_and_then_winds_down,
          an_unlimited_velocity_lands_where_its_sender_wanted,
          a_velocity_into_a_limit_stops_at_the_limit_within_the_bounds,
          any_mix_of_modes_keeps_the_limits, passthrough_is_unfiltered_but_never_passes_a_limit,
          what_is_not_a_number_is_refused_and_changes_nothing,
          a_restart_outside_the_limits_starts_at_the_limit_and_at_rest,
          canary_a_filter_that_ignores_acceleration_is_caught,
          canary_a_filter_whose_braking_ignores_discrete_time_is_caught)
