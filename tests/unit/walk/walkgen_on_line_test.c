// walkgen: steps on line at any time.
#include "tests/unit/walk/walkgen_begin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

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
    for (unsigned at = 900; at < 1180; at += SANITIZED ? 93 : 31) { // two steps on the spot
        const unsigned ticks = ticks_to_step(walkgen, at, ":addstandardonlinestep 0.2 0 0");
        ck_assert_uint_ge(ticks, 240);
        ck_assert_uint_le(ticks, 240 + 2 * 140);
    }
    ck_assert_uint_eq(ticks_to_step(walkgen, 900, ":stepheight 0.06"), 0);
    walkgen_free(walkgen);
}
END_TEST

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

static uint64_t walk_at_random(uint64_t seed, const char *strategy)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct random_stream random;
    random_start(&random, seed, "walk");
    struct walkgen_output out[3];
    uint64_t hash = 0;
    const double period_s = walkgen_period_s(walkgen);
    bool moves = true;
    command(walkgen, strategy);
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
        ck_assert_uint_ge(walkgen_counts(walkgen).references_ahead, walkgen_window(walkgen) - 2);
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

// Walks that stretched a leg too far (11, 16, 162), or did not end (63).
static const uint64_t once_wrong[] = {1, 11, 16, 63, 162};

START_TEST(whatever_is_said_on_line_the_motion_is_smooth_and_ends_at_rest)
{
    const char *more = getenv("UKEMI_WALKS");
    const size_t few = SANITIZED ? 1 : sizeof once_wrong / sizeof once_wrong[0];
    const size_t seeds = more != NULL ? strtoull(more, NULL, 10) : few;
    for (size_t i = 0; i < seeds; i++) {
        const uint64_t seed = more != NULL ? i + 1 : once_wrong[i];
        const uint64_t hash = walk_at_random(seed, ":SetAlgoForZmpTrajectory Kajita");
        (void)walk_at_random(seed, ":SetAlgoForZmpTrajectory Morisawa");
        if (i == 0)
            ck_assert_uint_eq(walk_at_random(seed, ":SetAlgoForZmpTrajectory Kajita"), hash);
    }
}
END_TEST

// The feet stand too narrow for a step on the spot.
START_TEST(a_walk_on_line_can_always_be_stopped)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out;
    command(walkgen, ":stepseq 0 -0.0885 0  0 0.125 0");
    while (walkgen_tick(walkgen, &out))
        ;
    command(walkgen, ":StartOnLineStepSequencing");
    for (int i = 0; i < 1000; i++)
        ck_assert(walkgen_tick(walkgen, &out));
    command(walkgen, ":addstandardonlinestep 0.3 0 0");
    command(walkgen, ":StopOnLineStepSequencing");
    unsigned ticks = 0;
    while (walkgen_tick(walkgen, &out))
        ck_assert_uint_lt(ticks++, 2000);
    ck_assert_int_eq(out.support, SUPPORT_BOTH);
    ck_assert_uint_eq(walkgen_counts(walkgen).unreachable, 0);
    walkgen_free(walkgen);
}
END_TEST

START_TEST(the_last_step_of_a_walk_must_let_the_hips_come_to_rest)
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    ck_assert_int_eq(walkgen_command(walkgen, ":stepseq 0 -0.0885 0  0.38 0.177 0"),
                     STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(walkgen_reason(walkgen), "too long for the last of a walk"));
    command(walkgen, ":stepseq 0 -0.0885 0  0.38 0.177 0  0 -0.177 0");
    walkgen_free(walkgen);
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

// Where a foot of a walk on line comes down that a line has changed; NAN: nowhere but on the spot.
static void changed(const char *frame, const char *waits, const char *line, double place_m[2])
{
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out;
    command(walkgen, ":doublesupporttime 0.1");
    command(walkgen, frame);
    command(walkgen, ":StartOnLineStepSequencing");
    command(walkgen, waits);
    command(walkgen, line);
    place_m[0] = place_m[1] = NAN;
    for (uint32_t step = 0; step < 3;) {
        ck_assert(walkgen_tick(walkgen, &out));
        step = out.step;
        if (step == 2 && out.support == SUPPORT_BOTH && isnan(place_m[0]))
            memcpy(place_m, out.foot[SIDE_LEFT].position_m, 2 * sizeof *place_m);
    }
    walkgen_free(walkgen);
}

// The left foot stands at 0.0885 m; a step to 0.1 m waits.
START_TEST(a_step_is_changed_in_the_frame_that_was_chosen)
{
    double place_m[2];
    changed(":onlinechangestepframe spot", ":addstandardonlinestep 0.1 0 0",
            ":ChangeNextStep 0.05 0.02 0", place_m);
    ck_assert_double_eq_tol(place_m[0], 0.05, 1e-3);
    ck_assert_double_eq_tol(place_m[1], 0.1085, 1e-3);
    changed(":onlinechangestepframe relative", ":addstandardonlinestep 0.1 0 0",
            ":ChangeOnLineStep 0.05 0.02 0", place_m);
    ck_assert_double_eq_tol(place_m[0], 0.15, 1e-3);
    ck_assert_double_eq_tol(place_m[1], 0.1085, 1e-3);
    changed(":onlinechangestepframe absolute", ":addstandardonlinestep 0.1 0 0",
            ":ChangeNextStep 0.12 0.1 8", place_m);
    ck_assert_double_eq_tol(place_m[0], 0.12, 1e-3);
    ck_assert_double_eq_tol(place_m[1], 0.1, 1e-3);
}
END_TEST

UNIT_MAIN("walkgen_on_line", a_walk_on_line_begins_where_the_feet_stand,
          a_step_takes_the_place_of_one_on_the_spot, a_step_is_changed_in_the_frame_that_was_chosen,
          whatever_is_said_on_line_the_motion_is_smooth_and_ends_at_rest,
          a_walk_on_line_can_always_be_stopped,
          the_last_step_of_a_walk_must_let_the_hips_come_to_rest, a_step_has_times_of_its_own)
