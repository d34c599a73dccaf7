// walkgen's centre of mass in closed form: its equations, its ZMP in the feet, its end.
#include "tests/unit/walk/walkgen_begin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

#define PERIOD_S 0.005
#define HALF_LENGTH_M 0.105 // of a sole
#define HALF_WIDTH_M 0.065

// How far the ZMP is beyond a sole, in its frame; negative: within it.
static double beyond_m(const struct walk_foot *foot, const double zmp_m[2])
{
    const double dx = zmp_m[0] - foot->position_m[0], dy = zmp_m[1] - foot->position_m[1];
    const double c = cos(foot->yaw_rad), s = sin(foot->yaw_rad);
    return fmax(fabs(c * dx + s * dy) - HALF_LENGTH_M, fabs(c * dy - s * dx) - HALF_WIDTH_M);
}

// One tick: the pendulum's ZMP is the one meant, within the foot that carries, and the centre of
// mass goes on where it was, as it was.
static bool tick(struct walkgen *walkgen, struct walkgen_output *out, double *most_m)
{
    const struct walkgen_output was = *out;
    const bool more = walkgen_tick(walkgen, out);
    for (int a = 0; a < 2; a++) {
        ck_assert_double_lt(fabs(out->first_com_m[a] - was.first_com_m[a]), 0.006);
        ck_assert_double_eq_tol(out->first_zmp_m[a], out->zmp_m[a], 1e-9);
    }
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        if (out->support == (side == SIDE_RIGHT ? SUPPORT_RIGHT : SUPPORT_LEFT))
            *most_m = fmax(*most_m, beyond_m(&out->foot[side], out->zmp_m));
    return more;
}

static struct walkgen *by_morisawa(void)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    command(walkgen, ":SetAlgoForZmpTrajectory Morisawa");
    command(walkgen, ":doublesupporttime 0.1");
    return walkgen;
}

START_TEST(a_listing_is_walked_with_the_zmp_in_the_feet)
{
    struct walkgen *walkgen = by_morisawa();
    struct walkgen_output out = {0};
    double most_m = -1;
    command(walkgen, LISTING_1);
    while (tick(walkgen, &out, &most_m))
        continue;
    ck_assert_double_lt(most_m, -0.05);
    ck_assert_double_lt(hypot(out.com_m_s[0], out.com_m_s[1]), 1e-4);
    ck_assert_double_eq_tol(out.com_m[0], 1.0, 1e-4);
    command(walkgen, ":SetAlgoForZmpTrajectory Kajita"); // and steps after it
    command(walkgen, LISTING_1);
    while (walkgen_tick(walkgen, &out))
        ck_assert_double_lt(fabs(out.zmp_multibody_m[1] - out.zmp_m[1]), 0.004);
    ck_assert_double_eq_tol(out.com_m[0], 2.0, 1e-3);
    walkgen_free(walkgen);
}
END_TEST

// What may come in a walk: a step, or another time of single support.
static void say_something(struct walkgen *walkgen, struct random_stream *random)
{
    char line[64];
    if (random_uniform(random, 0, 1) < 0.2)
        snprintf(line, sizeof line, ":singlesupporttime %.3f", random_uniform(random, 0.5, 1.0));
    else
        snprintf(line, sizeof line, ":addstandardonlinestep %.3f %.3f %.1f",
                 random_uniform(random, -0.1, 0.25), random_uniform(random, 0, 0.02),
                 random_uniform(random, -10, 10));
    const enum status status = walkgen_command(walkgen, line);
    (void)status; // refused if the feet would be too close
}

START_TEST(steps_on_line_are_absorbed_within_the_feet)
{
    struct random_stream random;
    double way_m = 0;
    random_start(&random, 1, "steps");
    for (int trial = 0; trial < (SANITIZED ? 2 : 12); trial++) {
        struct walkgen *walkgen = by_morisawa();
        struct walkgen_output out = {0};
        double most_m = -1;
        command(walkgen, ":StartOnLineStepSequencing");
        for (unsigned n = 0; n < 4000; n++) {
            ck_assert(tick(walkgen, &out, &most_m));
            if (random_uniform(&random, 0, 1) < 0.005)
                say_something(walkgen, &random);
        }
        command(walkgen, ":StopOnLineStepSequencing");
        while (tick(walkgen, &out, &most_m))
            continue;
        ck_assert_double_lt(most_m, 0);
        ck_assert_double_lt(hypot(out.com_m_s[0], out.com_m_s[1]), 1e-4);
        ck_assert_uint_eq(walkgen_counts(walkgen).unreachable, 0);
        way_m += hypot(out.com_m[0], out.com_m[1]);
        walkgen_free(walkgen);
    }
    ck_assert_double_gt(way_m, 1); // it was not all refused
}
END_TEST

// A step that comes so late that only a ZMP outside the foot could make it waits for two steps on
// the spot.
START_TEST(a_step_that_comes_too_late_waits)
{
    struct walkgen *walkgen = by_morisawa();
    struct walkgen_output out = {0};
    const struct walk_step quick = {.x_m = 0.3, .y_m = 0.177, .single_s = 0.3, .double_s = 0.1};
    double most_m = -1;
    command(walkgen, ":singlesupporttime 0.9");
    command(walkgen, ":StartOnLineStepSequencing");
    for (unsigned n = 0; n < 1000; n++)
        ck_assert(tick(walkgen, &out, &most_m));
    struct walk_step step = quick;
    if (walkgen_step_add(walkgen, &step) != STATUS_OK) {
        step.y_m = -step.y_m; // it is the other foot's turn
        ck_assert_int_eq(walkgen_step_add(walkgen, &step), STATUS_OK);
    }
    const uint64_t dry = walkgen_counts(walkgen).dry;
    for (unsigned n = 0; n < 2000; n++)
        ck_assert(tick(walkgen, &out, &most_m));
    ck_assert_uint_gt(walkgen_counts(walkgen).dry, dry);
    ck_assert_double_gt(out.com_m[0], 0.25);
    ck_assert_double_lt(most_m, 0);
    walkgen_free(walkgen);
}
END_TEST

UNIT_MAIN("walkgen_analytic", a_listing_is_walked_with_the_zmp_in_the_feet,
          steps_on_line_are_absorbed_within_the_feet, a_step_that_comes_too_late_waits)
