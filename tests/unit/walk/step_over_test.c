// Stepping over: the spline, distances of legs from an obstacle, plans that touch nothing, and
// plans that are refused.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "model/spatial.h"
#include "walk/body/leg_clearance.h"
#include "walk/generator/swing_spline.h"
#include "walk/generator/walkgen.h"

#define HUBO2 "targets/hubo2/robot.xml"
#define HRP2 "targets/walkgen/hrp2.xml"
#define STEPS ":stepseq 0.0 -0.0885 0.0 0.2 0.177 0.0"

static struct walkgen *create_of(const char *path, struct walk_body *body)
{
    struct robot_model *model;
    struct walkgen *walkgen;
    ck_assert_int_eq(robot_model_load(path, &model), STATUS_OK);
    ck_assert_int_eq(walkgen_create(model, &walkgen), STATUS_OK);
    ck_assert_int_eq(walk_body_from_model(model, body), STATUS_OK);
    robot_model_free(model);
    return walkgen;
}

static struct walkgen *create(struct walk_body *body)
{
    return create_of(HUBO2, body);
}

static void command(struct walkgen *walkgen, const char *line)
{
    ck_assert_msg(walkgen_command(walkgen, line) == STATUS_OK, "%s: %s", line,
                  walkgen_reason(walkgen));
}

START_TEST(a_spline_meets_its_points_and_begins_and_ends_at_rest)
{
    static const double time_s[] = {0, 0.6, 1.1, 1.5}, value[] = {0, 0.17, 0.17, 0.02};
    const double h = 1e-4;
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq_tol(swing_spline_at(4, time_s, value, time_s[i]), value[i], 1e-12);
    double before[3] = {0};
    for (int k = 1; k < 15000; k++) {
        const double a = swing_spline_at(4, time_s, value, (k - 1) * h);
        const double b = swing_spline_at(4, time_s, value, k * h);
        const double c = swing_spline_at(4, time_s, value, (k + 1) * h);
        const double now[3] = {b, (c - a) / (2 * h), (c - 2 * b + a) / (h * h)};
        if (k > 1) // no jump of position, velocity, acceleration
            ck_assert(fabs(now[0] - before[0]) < 1e-4 && fabs(now[1] - before[1]) < 1e-3 &&
                      fabs(now[2] - before[2]) < 5e-3);
        memcpy(before, now, sizeof now);
        if (k == 1 || k == 14999)
            ck_assert(fabs(now[1]) < 1e-3 && fabs(now[2]) < 0.02);
    }
}
END_TEST

// A standing leg's shank is 0.05 m thick, its foot 0.105 m before and behind the ankle.
START_TEST(a_box_before_the_feet_is_as_far_as_it_is)
{
    static const double level[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    struct walk_body body;
    struct walkgen *walkgen = create(&body);
    struct walk_body_soles soles = {.position_m = {{0, -0.0885, 0}, {0, 0.0885, 0}}};
    struct walk_body_pose pose = {.pelvis_m = {-0.0278, 0, 0.605}};
    struct leg_clearance clearance;
    for (int side = 0; side < 2; side++)
        memcpy(soles.rotation[side], level, sizeof level);
    ck_assert_int_eq(walk_body_place(&body, level, &soles, &pose), STATUS_OK);
    struct walk_obstacle box = {.centre_m = {0.105 + 0.025 + 0.06, 0, 0.05},
                                .half_m = {0.025, 0.5, 0.05}};
    leg_clearance(&body, &pose, &box, &clearance);
    ck_assert_double_eq_tol(clearance.distance_m, 0.06, 1e-4);
    ck_assert_str_eq(clearance.link, "foot");
    box.centre_m[2] = 0.13; // its lower edge is 5 cm above the foot: 6 and 5 cm away
    leg_clearance(&body, &pose, &box, &clearance);
    ck_assert_double_lt(clearance.distance_m, hypot(0.06, 0.05) + 1e-4);
    box.centre_m[0] = 0.1;
    box.centre_m[2] = 0.35; // as high as the knees, which are before the ankles
    leg_clearance(&body, &pose, &box, &clearance);
    ck_assert_double_le(clearance.distance_m, 0);
    box.centre_m[1] = 0.5 + 0.0885 + 0.055 + 0.02; // 2 cm to the left of the left thigh
    leg_clearance(&body, &pose, &box, &clearance);
    ck_assert_double_eq_tol(clearance.distance_m, 0.02, 1e-3);
    ck_assert_int_eq(clearance.side, SIDE_LEFT);
    walkgen_free(walkgen);
}
END_TEST

// Whether a sole's rectangle, 0.03 m thick, reaches into the box: by points of it.
static bool sole_enters(const struct walk_foot *foot, const struct walk_obstacle *box)
{
    for (int i = 0; i <= 20; i++)
        for (int j = 0; j <= 4; j++) {
            const double x = -0.105 + 0.0105 * i, y = -0.065 + 0.0325 * j;
            const double c = cos(foot->yaw_rad), s = sin(foot->yaw_rad);
            const double point_m[2] = {foot->position_m[0] + c * x - s * y - box->centre_m[0],
                                       foot->position_m[1] + s * x + c * y - box->centre_m[1]};
            const double bc = cos(box->yaw_rad), bs = sin(box->yaw_rad);
            if (fabs(bc * point_m[0] + bs * point_m[1]) < box->half_m[0] &&
                fabs(bc * point_m[1] - bs * point_m[0]) < box->half_m[1] &&
                foot->position_m[2] < box->centre_m[2] + box->half_m[2])
                return true;
        }
    return false;
}

// Walks to the end; nothing enters the box, both feet come to stand beyond it, nothing jumps.
static void walk_over(struct walkgen *walkgen, const struct walk_obstacle *box)
{
    struct walkgen_output out, before = {0};
    unsigned ticks = 0;
    for (bool more = true; more; ticks++) {
        more = walkgen_tick(walkgen, &out);
        ck_assert_uint_lt(ticks, 10000);
        ck_assert(out.reachable);
        for (int side = 0; side < SIDE_COUNT; side++)
            ck_assert_msg(!sole_enters(&out.foot[side], box), "side %d at %.3f s", side,
                          out.time_s);
        for (int a = 0; a < 2 && ticks > 0; a++) {
            ck_assert_double_lt(fabs(out.com_m[a] - before.com_m[a]), 0.005);
            ck_assert_double_lt(fabs(out.zmp_multibody_m[a] - out.zmp_m[a]), 0.006);
        }
        before = out;
    }
    for (int side = 0; side < SIDE_COUNT; side++) {
        const double beyond_m =
            cos(box->yaw_rad) * (out.foot[side].position_m[0] - box->centre_m[0]) +
            sin(box->yaw_rad) * (out.foot[side].position_m[1] - box->centre_m[1]);
        ck_assert_double_gt(beyond_m, box->half_m[0] + 0.105);
        ck_assert_double_lt(beyond_m, box->half_m[0] + 0.25);
        ck_assert_double_eq(out.foot[side].position_m[2], 0);
    }
}

static bool ask_deep(struct walkgen *walkgen, double x_m, double y_m, double yaw_deg, double high_m,
                     double deep_m, struct walk_obstacle *box)
{
    char line[200];
    ck_assert_int_eq(walkgen_reset(walkgen, NULL), STATUS_OK);
    snprintf(line, sizeof line, ":obstacleparameters %.17g %.17g 0 %.17g %.17g 1 %.17g", x_m, y_m,
             yaw_deg, high_m, deep_m);
    *box = (struct walk_obstacle){.centre_m = {x_m, y_m, high_m / 2},
                                  .yaw_rad = yaw_deg * M_PI / 180,
                                  .half_m = {deep_m / 2, 0.5, high_m / 2}};
    command(walkgen, ":walkmode 2");
    command(walkgen, line);
    return walkgen_command(walkgen, STEPS) == STATUS_OK;
}

static bool ask(struct walkgen *walkgen, double x_m, double y_m, double yaw_deg, double high_m,
                struct walk_obstacle *box)
{
    return ask_deep(walkgen, x_m, y_m, yaw_deg, high_m, 0.05, box);
}

// The waist goes lower where that is what it takes.
START_TEST(what_is_lower_than_what_can_be_stepped_over_can_be_too)
{
    static const double highest_m[][2] = {{0.05, 0.15}, {0.1, 0.13}, {0.15, 0.11}}; // deep, high
    struct walk_body body;
    struct walk_obstacle box;
    struct walkgen *walkgen = create(&body);
    for (size_t i = 0; i < sizeof highest_m / sizeof highest_m[0]; i++)
        for (double high_m = 0.01; high_m < highest_m[i][1] + 0.001; high_m += 0.02) {
            ck_assert_msg(ask_deep(walkgen, 0.6, 0, 0, high_m, highest_m[i][0], &box),
                          "%.2f deep, %.2f high: %s", highest_m[i][0], high_m,
                          walkgen_reason(walkgen));
            walk_over(walkgen, &box);
        }
    walkgen_free(walkgen);
}
END_TEST

// As the paper's robot did, whose ankles do not bend far enough for a foot that stays level.
START_TEST(hrp2_steps_over_15_cm)
{
    const struct walk_obstacle box = {.centre_m = {0.8, 0, 0.075}, .half_m = {0.025, 0.5, 0.075}};
    struct walk_body body;
    struct walkgen *walkgen = create_of(HRP2, &body);
    command(walkgen, ":walkmode 2");
    command(walkgen, ":obstacleparameters 0.8 0 0 0 0.15 1 0.05");
    command(walkgen, ":stepseq 0 -0.095 0 0.2 0.19 0");
    walk_over(walkgen, &box);
    walkgen_free(walkgen);
}
END_TEST

START_TEST(the_second_listing_is_taken_as_printed_and_touches_nothing)
{
    static const char *const time[] = {":TimeDistributeParameters 2.0 3.7 1.5 3.0",
                                       ":TimeDistributionParameters 2.0 3.7 1.5 3.0"};
    const struct walk_obstacle box = {.centre_m = {1, 0, 0.06}, .half_m = {0.025, 0.5, 0.06}};
    struct walk_body body;
    struct walkgen *walkgen = create(&body);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(walkgen_reset(walkgen, NULL), STATUS_OK);
        command(walkgen, ":walkmode 2");
        command(walkgen, time[i]);
        command(walkgen, ":obstacleparameters 1.0 0.0 0.0 0.0 0.12 1.0 0.05");
        command(walkgen, ":stepseq 0.0 -0.095 0.0 0.2 0.19 0.0 0.2 -0.19 0.0 0.0 0.19 0.0 ");
        walk_over(walkgen, &box);
    }
    walkgen_free(walkgen);
}
END_TEST

START_TEST(wherever_it_lies_it_is_stepped_over_untouched)
{
    struct random_stream stream;
    struct walk_body body;
    struct walk_obstacle box;
    struct walkgen *walkgen = create(&body);
    random_start(&stream, 17, "obstacles");
    for (int i = 0; i < CASES(20); i++) {
        const double x_m = 0.4 + 0.8 * random_uniform(&stream, 0, 1),
                     y_m = random_uniform(&stream, 0, 1) - 0.5;
        const double yaw_deg = 50 * (random_uniform(&stream, 0, 1) - 0.5);
        const double high_m = 0.04 + 0.11 * random_uniform(&stream, 0, 1);
        ck_assert_msg(ask(walkgen, x_m, y_m, yaw_deg, high_m, &box),
                      "%.3f %.3f, %.1f deg, %.3f: %s", x_m, y_m, yaw_deg, high_m,
                      walkgen_reason(walkgen));
        walk_over(walkgen, &box);
    }
    walkgen_free(walkgen);
}
END_TEST

// How far the ZMP is ahead on the foot that carries when a swing begins, over the box and
// elsewhere.
static void ahead_on_sole(const char *line, double over_m[2], double *else_m)
{
    struct walk_body body;
    struct walkgen *walkgen = create(&body);
    struct walkgen_output out;
    unsigned over = 0;
    bool was = false;
    command(walkgen, line);
    command(walkgen, ":walkmode 2");
    command(walkgen, ":obstacleparameters 0.6 0 0 0 0.06 1 0.05");
    command(walkgen, STEPS);
    over_m[0] = over_m[1] = *else_m = 0;
    while (walkgen_tick(walkgen, &out)) {
        const enum side carries = out.support == SUPPORT_LEFT ? SIDE_LEFT : SIDE_RIGHT;
        const double ahead_m = out.zmp_m[0] - out.foot[carries].position_m[0];
        over += out.over && !was;
        was = out.over;
        if (out.over) // the last one stays
            over_m[over - 1] = ahead_m;
        else if (out.support != SUPPORT_BOTH)
            *else_m = fmax(*else_m, fabs(ahead_m));
    }
    ck_assert_uint_eq(over, 2);
    walkgen_free(walkgen);
}

START_TEST(the_zmp_is_shifted_where_a_foot_goes_over_and_nowhere_else)
{
    double plain_m[2], shifted_m[2], plain_else_m, shifted_else_m;
    ahead_on_sole(":ZMPShiftParameters 0 0 0 0", plain_m, &plain_else_m);
    ahead_on_sole(":ZMPShiftParameters 0 0.01 0 -0.01", shifted_m, &shifted_else_m);
    ck_assert_double_eq_tol(shifted_m[0] - plain_m[0], 0.01, 0.004); // smoothed
    ck_assert_double_eq_tol(shifted_m[1] - plain_m[1], -0.01, 0.004);
    ck_assert_double_eq_tol(shifted_else_m, plain_else_m, 0.003);
}
END_TEST

// Asks in pieces, with ticks between them. Returns how many ticks went by.
static unsigned ask_in_pieces(struct walkgen *walkgen, const char *obstacle, enum status *status)
{
    struct walkgen_output out;
    unsigned ticks = 0;
    ck_assert_int_eq(walkgen_reset(walkgen, NULL), STATUS_OK);
    (void)walkgen_tick(walkgen, &out);
    command(walkgen, ":walkmode 2");
    command(walkgen, obstacle);
    *status = walkgen_begin(walkgen, STEPS);
    for (; *status == STATUS_BUSY; ticks++) {
        ck_assert(!walkgen_tick(walkgen, &out)); // it stands
        *status = walkgen_go_on(walkgen, 100);
    }
    return ticks;
}

START_TEST(a_plan_in_pieces_is_the_plan_at_once)
{
    static const char *const low = ":obstacleparameters 0.6 0 0 0 0.1 1 0.05",
                             *const high = ":obstacleparameters 0.6 0 0 0 0.3 1 0.05";
    const struct walk_obstacle box = {.centre_m = {0.6, 0, 0.05}, .half_m = {0.025, 0.5, 0.05}};
    struct walk_body body;
    struct walk_obstacle other;
    struct walkgen *walkgen = create(&body);
    enum status status;
    char reason[240];
    ck_assert_uint_gt(ask_in_pieces(walkgen, low, &status), 3);
    ck_assert_int_eq(status, STATUS_OK);
    walk_over(walkgen, &box);
    (void)ask_in_pieces(walkgen, high, &status);
    ck_assert_int_eq(status, STATUS_INVALID);
    snprintf(reason, sizeof reason, "%s", walkgen_reason(walkgen));
    ck_assert(!ask(walkgen, 0.6, 0, 0, 0.3, &other));
    ck_assert_str_eq(walkgen_reason(walkgen), reason);
    command(walkgen, low);
    ck_assert_int_eq(walkgen_begin(walkgen, STEPS), STATUS_BUSY);
    command(walkgen, ":omega 0"); // gives the plan up
    ck_assert_int_eq(walkgen_go_on(walkgen, 100), STATUS_INVALID);
    walkgen_free(walkgen);
}
END_TEST

START_TEST(while_it_walks_a_plan_is_refused_at_once)
{
    struct walk_body body;
    struct walkgen_output out;
    struct walkgen *walkgen = create(&body);
    (void)walkgen_tick(walkgen, &out);
    command(walkgen, ":stepseq 0 -0.0885 0 0.1 0.177 0 0.1 -0.177 0 0 0.177 0");
    command(walkgen, ":walkmode 2");
    command(walkgen, ":obstacleparameters 0.6 0 0 0 0.1 1 0.05");
    enum status status;
    unsigned refused = 0;
    while ((status = walkgen_begin(walkgen, STEPS)) == STATUS_INVALID) {
        ck_assert_ptr_nonnull(strstr(walkgen_reason(walkgen), "a sequence is under way"));
        (void)walkgen_tick(walkgen, &out);
        ck_assert_uint_lt(++refused, 3000);
    }
    ck_assert_int_eq(status, STATUS_BUSY); // as soon as its end is known
    ck_assert_uint_gt(refused, 100);
    walkgen_free(walkgen);
}
END_TEST

START_TEST(what_cannot_be_stepped_over_is_refused_by_its_criterion)
{
    static const struct {
        const char *line, *reason;
    } refused[] = {
        {":obstacleparameters 1 0 0 0 0 1 0.05", "0 m high"},
        {":obstacleparameters 9 0 0 0 0.1 1 0.05", "9 m away"},
        {":obstacleparameters 1 0 0 200 0.1 1 0.05", "a yaw of 200 degrees"},
        {":obstacleparameters 1 0 0 0 0.1 1", "1 number is missing"},
    };
    struct walk_body body;
    struct walk_obstacle box;
    struct walkgen *walkgen = create(&body);
    struct walkgen_output out;
    command(walkgen, ":walkmode 2");
    ck_assert_int_eq(walkgen_command(walkgen, STEPS), STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(walkgen_reason(walkgen), "first :obstacleparameters"));
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        ck_assert_int_eq(walkgen_command(walkgen, refused[i].line), STATUS_INVALID);
        ck_assert_msg(strstr(walkgen_reason(walkgen), refused[i].reason) != NULL, "%s",
                      walkgen_reason(walkgen));
    }
    ck_assert(!ask(walkgen, 1, 0, 0, 0.3, &box)); // too high
    ck_assert_ptr_nonnull(strstr(walkgen_reason(walkgen), "no way over the obstacle; "));
    ck_assert(!ask(walkgen, 1, 0, 60, 0.1, &box));
    ck_assert_ptr_nonnull(strstr(walkgen_reason(walkgen), "60 degrees askew"));
    ck_assert(!ask(walkgen, 0.08, 0, 0, 0.1, &box)); // the feet stand in it
    ck_assert_ptr_nonnull(strstr(walkgen_reason(walkgen), "collision: "));
    ck_assert(!walkgen_tick(walkgen, &out)); // nothing has begun
    const struct walk_step step = {.y_m = 0.177, .over = 1};
    ck_assert_int_eq(walkgen_step_add(walkgen, &step), STATUS_INVALID);
    walkgen_free(walkgen);
}
END_TEST

UNIT_MAIN("step_over", a_spline_meets_its_points_and_begins_and_ends_at_rest,
          a_box_before_the_feet_is_as_far_as_it_is,
          what_is_lower_than_what_can_be_stepped_over_can_be_too, hrp2_steps_over_15_cm,
          the_second_listing_is_taken_as_printed_and_touches_nothing,
          wherever_it_lies_it_is_stepped_over_untouched,
          the_zmp_is_shifted_where_a_foot_goes_over_and_nowhere_else,
          a_plan_in_pieces_is_the_plan_at_once, while_it_walks_a_plan_is_refused_at_once,
          what_cannot_be_stepped_over_is_refused_by_its_criterion)
