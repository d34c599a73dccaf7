// walk: preview gains, footsteps, the pattern generator's promises, the stabiliser's bounds, and
// walks in MuJoCo.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/spatial.h"
#include "qp/qp.h"
#include "tests/bench/walk_simulation.h"
#include "walk/steps/footsteps.h"
#include "walk/segments/pattern.h"
#include "walk/zmp/preview.h"
#include "walk/balance/stabilizer.h"
#include "walk/body/walk_body.h"

#define ROBOT_XML "targets/hubo2/robot.xml"
#define SAMPLES_MAX 12000
#define STEPS_MAX 64

// ---- preview control ----------------------------------------------------------------------------

START_TEST(preview_gains_equal_the_published_ones)
{
    FILE *file = fopen("tests/data/preview_gains_zc0.814.ini", "r");
    double zc, period, window, kx[3], ks, gain;
    struct preview_gains gains;
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%lf %lf %lf %lf %lf %lf %lf", &zc, &period, &window, &kx[0],
                            &kx[1], &kx[2], &ks),
                     7);
    unsigned count = (unsigned)lround(window / period);
    ck_assert_int_eq(preview_compute(zc, period, count, 1.0, 1e-6, &gains), STATUS_OK);
    ck_assert_double_eq_tol(gains.integral, ks, 0.05);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(gains.state[i], kx[i], 1e-4 * kx[i]);
    for (unsigned i = 0; i < count; i++) {
        ck_assert_int_eq(fscanf(file, "%lf", &gain), 1);
        ck_assert_double_eq_tol(gains.reference[i], gain, 1e-4 * gain);
    }
    ck_assert_int_eq(fclose(file), 0);
}
END_TEST

START_TEST(preview_of_bad_numbers_is_refused)
{
    struct preview_gains gains;
    ck_assert_int_eq(preview_compute(0.0, 0.005, 320, 1, 1e-6, &gains), STATUS_INVALID);
    ck_assert_int_eq(preview_compute(0.8, NAN, 320, 1, 1e-6, &gains), STATUS_INVALID);
    ck_assert_int_eq(preview_compute(0.8, 0.005, 100000, 1, 1e-6, &gains), STATUS_INVALID);
}
END_TEST

#define PLAN 400 // samples
#define AHEAD 160

// Equation 18 of Stasse et al. (2008): the jerks of a whole horizon at once, from rest in 0; Pu by
// its diagonals.
static void solve_horizon(double height_m, double period_s, const double *reference, double *jerk)
{
    static double pu[PLAN], hessian[PLAN * PLAN], factor[PLAN * PLAN], b[PLAN], y[PLAN];
    const double T = period_s;
    for (int d = 0; d < PLAN; d++)
        pu[d] = (1 + 3.0 * d + 3.0 * d * d) * T * T * T / 6 - T * height_m / PREVIEW_GRAVITY_M_S2;
    for (int i = 0; i < PLAN; i++) {
        b[i] = jerk[i] = y[i] = 0;
        for (int k = i; k < PLAN; k++)
            b[i] += pu[k - i] * reference[k + 1];
        for (int j = 0; j <= i; j++) {
            hessian[i * PLAN + j] = i == j ? 1e-6 : 0;
            for (int k = i; k < PLAN; k++)
                hessian[i * PLAN + j] += pu[k - i] * pu[k - j];
        }
    }
    ck_assert(qp_factor(hessian, PLAN, factor)); // L^-1, so x = L^-T L^-1 b
    for (int i = 0; i < PLAN; i++)
        for (int j = 0; j <= i; j++)
            y[i] += factor[i * PLAN + j] * b[j];
    for (int i = 0; i < PLAN; i++)
        for (int j = i; j < PLAN; j++)
            jerk[i] += factor[j * PLAN + i] * y[j];
}

START_TEST(preview_control_goes_as_equation_18_does)
{
    const double height_m = 0.814, T = 0.01;
    static double reference[PLAN + AHEAD], jerk[PLAN];
    double horizon[3] = {0};
    struct preview_gains gains;
    struct preview_state preview = {0};
    for (int i = 0; i < PLAN + AHEAD; i++)
        reference[i] = i < 160 ? 0 : i < 220 ? 0.095 : -0.095;
    ck_assert_int_eq(preview_compute(height_m, T, AHEAD, 1.0, 1e-6, &gains), STATUS_OK);
    solve_horizon(height_m, T, reference, jerk);
    for (int i = 0; i < PLAN - AHEAD; i++) { // what is nearer to its end knows nothing of after
        preview_step(&gains, &reference[i], &preview);
        horizon[0] += T * (horizon[1] + T * (horizon[2] / 2 + T * jerk[i] / 6));
        horizon[1] += T * (horizon[2] + T * jerk[i] / 2);
        horizon[2] += T * jerk[i];
        ck_assert_double_eq_tol(preview.com[0], horizon[0], i < 80 ? 1e-3 : 2e-4);
    }
}
END_TEST

START_TEST(the_zmp_of_the_cart_follows_a_step_of_its_reference)
{
    struct preview_gains gains;
    double reference[700] = {0};
    ck_assert_int_eq(preview_compute(0.62, 0.01, 160, 1, 1e-6, &gains), STATUS_OK);
    for (int i = 250; i < 700; i++)
        reference[i] = 0.2;
    struct preview_state state = {0};
    for (int i = 0; i < 500; i++) {
        if (i < 235 || i > 265)
            ck_assert_double_eq_tol(preview_zmp(&gains, &state), reference[i], 0.01);
        preview_step(&gains, reference + i, &state);
    }
    ck_assert_double_eq_tol(state.com[0], 0.2, 1e-4);
}
END_TEST

// ---- footsteps ----------------------------------------------------------------------------------

static double lateral_distance(const struct stance *stance)
{
    const struct pose2d *r = &stance->foot[SIDE_RIGHT], *l = &stance->foot[SIDE_LEFT];
    return -sin(r->yaw_rad) * (l->x_m - r->x_m) + cos(r->yaw_rad) * (l->y_m - r->y_m);
}

START_TEST(commanded_steps_alternate_and_go_where_they_should)
{
    static const struct {
        enum balance_command_kind kind;
        double x_m, y_m,
            yaw_rad; // of the stance's centre after 6 steps and closing, per step length
    } expected[] = {{BALANCE_WALK_FORWARD, 6, 0, 0},
                    {BALANCE_WALK_BACKWARD, -6, 0, 0},
                    {BALANCE_WALK_LEFT, 0, 3, 0}, // every other step opens, the next closes
                    {BALANCE_WALK_RIGHT, 0, -3, 0},
                    {BALANCE_TURN, 0, 0, 0.9}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct gait_parameters *gait = gait_parameters(GAIT_DYNAMIC);
        struct stance stance = footsteps_stance((struct pose2d){0.3, -0.1, 0.0});
        struct footstep step[STEPS_MAX];
        unsigned count = footsteps_walk(gait, &stance, expected[i].kind, 6, 0.9, step, STEPS_MAX);
        ck_assert_uint_gt(count, 0);
        for (unsigned n = 0; n < count; n++) {
            ck_assert(n == 0 || step[n].side != step[n - 1].side);
            stance = footsteps_after(stance, step[n]);
            ck_assert_double_gt(lateral_distance(&stance), 0.13);
        }
        struct footstep closing;
        if (footsteps_close(&stance, &closing))
            stance = footsteps_after(stance, closing);
        ck_assert(!footsteps_close(&stance, &closing));
        struct pose2d centre = footsteps_centre(&stance);
        double length = expected[i].x_m > 0 ? gait->forward_m : gait->backward_m;
        ck_assert_double_eq_tol(centre.x_m, 0.3 + expected[i].x_m * length, 0.03);
        ck_assert_double_eq_tol(centre.y_m, -0.1 + expected[i].y_m * gait->sideways_m, 0.03);
        ck_assert_double_eq_tol(centre.yaw_rad, expected[i].yaw_rad, 1e-6);
    }
}
END_TEST

START_TEST(steps_toward_a_goal_arrive_from_anywhere)
{
    for (enum gait kind = GAIT_QUASI_STATIC; kind < GAIT_COUNT; kind++) {
        const struct gait_parameters *gait = gait_parameters(kind);
        for (int i = 0; i < 60; i++) {
            struct pose2d goal = {2.0 * cos(i * 0.7) + 0.1 * i / 60, 1.5 * sin(i * 1.1),
                                  i * 0.5 - 3.0};
            struct stance stance = footsteps_stance((struct pose2d){0, 0, 0.3});
            struct footstep step;
            unsigned count = 0;
            while (count < 400 && footsteps_toward(gait, &stance, &goal, &step)) {
                stance = footsteps_after(stance, step);
                ck_assert_double_gt(lateral_distance(&stance), 0.12);
                count++;
            }
            ck_assert_uint_lt(count, 150);
            if (footsteps_close(&stance, &step))
                stance = footsteps_after(stance, step);
            struct pose2d centre = footsteps_centre(&stance);
            ck_assert_double_lt(hypot(centre.x_m - goal.x_m, centre.y_m - goal.y_m), 0.08);
            ck_assert_double_lt(fabs(angle_wrap(centre.yaw_rad - goal.yaw_rad)), 0.12);
        }
    }
}
END_TEST

// ---- pattern ------------------------------------------------------------------------------------

struct plan {
    struct robot_model *model;
    struct walk_body body;
    struct pattern *pattern;
    unsigned count; // samples
    struct segment_sample sample[SAMPLES_MAX];
};

static struct plan *plan_create(enum gait gait)
{
    struct plan *plan = calloc(1, sizeof *plan);
    ck_assert_ptr_nonnull(plan);
    ck_assert_int_eq(robot_model_load(ROBOT_XML, &plan->model), STATUS_OK);
    ck_assert_int_eq(walk_body_from_model(plan->model, &plan->body), STATUS_OK);
    ck_assert_int_eq(pattern_create(plan->model, gait_parameters(gait), &plan->pattern), STATUS_OK);
    return plan;
}

static void plan_free(struct plan *plan)
{
    pattern_free(plan->pattern);
    robot_model_free(plan->model);
    free(plan);
}

static void check_ends_at_rest(const struct segment_message *segment)
{
    const struct segment_sample *last = &segment->sample[segment->count - 1];
    ck_assert_uint_eq(last->support, SUPPORT_BOTH);
    for (int k = 0; k < 2; k++) {
        double middle = 0.5 * (last->foot_m[SIDE_RIGHT][k] + last->foot_m[SIDE_LEFT][k]);
        ck_assert_double_eq_tol(last->com_m[k], middle, 0.002);
        ck_assert_double_eq_tol(last->com_velocity_m_s[k], 0.0, 1e-3);
        ck_assert_double_eq_tol(last->pelvis_m[k], last[-1].pelvis_m[k], 1e-5);
    }
    for (int side = 0; side < SIDE_COUNT; side++)
        ck_assert_double_eq_tol(last->foot_m[side][2], 0.0, 1e-9);
}

// Where the new samples take over: what was to come and what now comes differ little.
static void check_splice(const struct plan *plan, const struct segment_message *segment)
{
    const struct segment_sample *old = &plan->sample[segment->first];
    for (int n = 0; n < 2; n++) {
        const struct segment_sample *new = &segment->sample[n];
        for (int k = 0; k < 2; k++) {
            ck_assert_double_eq_tol(new->pelvis_m[k], old[n].pelvis_m[k], 1e-4);
            ck_assert_double_eq_tol(new->com_velocity_m_s[k], old[n].com_velocity_m_s[k], 5e-3);
        }
        for (int side = 0; side < SIDE_COUNT; side++)
            for (int k = 0; k < 3; k++)
                ck_assert_double_eq_tol(new->foot_m[side][k], old[n].foot_m[side][k], 1e-9);
    }
}

static void plan_take(struct plan *plan, const struct segment_message *segment)
{
    ck_assert_int_le(segment->first, plan->count);
    ck_assert_uint_lt((unsigned)segment->first + segment->count, SAMPLES_MAX);
    check_ends_at_rest(segment);
    if (segment->first > 0)
        check_splice(plan, segment);
    memcpy(plan->sample + segment->first, segment->sample, segment->count * sizeof plan->sample[0]);
    plan->count = (unsigned)segment->first + segment->count;
}

// Walks a command with receding-horizon segments, as the planner does.
static void plan_walk(struct plan *plan, enum gait gait, enum balance_command_kind kind,
                      unsigned steps)
{
    static struct segment_message segment;
    struct stance stance = footsteps_stance((struct pose2d){0});
    struct footstep step[STEPS_MAX];
    unsigned total =
        footsteps_walk(gait_parameters(gait), &stance, kind, steps, 0.8, step, STEPS_MAX);
    unsigned given = 0, portion = gait == GAIT_DYNAMIC ? 3 : 2;
    pattern_begin(plan->pattern, &stance);
    for (unsigned executed = 0; given < total; executed++) {
        int64_t earliest = executed == 0 ? 0 : pattern_landing(plan->pattern, executed - 1) + 15;
        unsigned first = executed == 0 ? 0 : pattern_free_step(plan->pattern, earliest);
        unsigned count = total - first < portion ? total - first : portion;
        ck_assert_int_eq(
            pattern_extend(plan->pattern, earliest, first, step + first, count, &segment),
            STATUS_OK);
        plan_take(plan, &segment);
        given = first + count;
    }
}

START_TEST(every_segment_ends_at_rest_and_splices_smoothly)
{
    for (enum gait gait = GAIT_QUASI_STATIC; gait < GAIT_COUNT; gait++) {
        for (enum balance_command_kind kind = BALANCE_WALK_FORWARD; kind <= BALANCE_TURN; kind++) {
            struct plan *plan = plan_create(gait);
            plan_walk(plan, gait, kind, 8);
            plan_free(plan);
        }
    }
}
END_TEST

START_TEST(a_plan_moves_without_jumps)
{
    for (enum gait gait = GAIT_QUASI_STATIC; gait < GAIT_COUNT; gait++) {
        struct plan *plan = plan_create(gait);
        plan_walk(plan, gait, BALANCE_WALK_FORWARD, 8);
        for (unsigned i = 2; i < plan->count; i++) {
            const struct segment_sample *s = &plan->sample[i];
            for (int k = 0; k < 3; k++) {
                double bend = s->pelvis_m[k] - 2.0 * s[-1].pelvis_m[k] + s[-2].pelvis_m[k];
                ck_assert_double_lt(fabs(bend) / 1e-4, 4.0); // m/s2
                for (int side = 0; side < SIDE_COUNT; side++) {
                    bend = s->foot_m[side][k] - 2.0 * s[-1].foot_m[side][k] + s[-2].foot_m[side][k];
                    ck_assert_double_lt(fabs(bend) / 1e-4, 13.0);
                }
            }
            ck_assert_double_lt(fabs(s->phase - 0.5), 0.5 + 1e-9);
            ck_assert_uint_ge(s->step, s[-1].step);
        }
        plan_free(plan);
    }
}
END_TEST

START_TEST(the_multi_body_zmp_stays_near_its_reference)
{
    struct plan *plan = plan_create(GAIT_DYNAMIC);
    plan_walk(plan, GAIT_DYNAMIC, BALANCE_WALK_FORWARD, 8);
    struct walk_body_pose pose[3];
    struct walk_body_momentum momentum[3];
    double worst = 0.0, sum = 0.0;
    memset(pose, 0, sizeof pose);
    for (unsigned i = 0; i < plan->count; i++) {
        const struct segment_sample *s = &plan->sample[i];
        memcpy(pose[i % 3].pelvis_m, s->pelvis_m, sizeof s->pelvis_m);
        ck_assert_int_eq(walk_body_solve(&plan->body, s->com_m, s->pelvis_yaw_rad, s->foot_m,
                                         s->foot_yaw_rad, &pose[i % 3]),
                         STATUS_OK);
        if (i > 0)
            walk_body_momentum(&plan->body, &pose[(i - 1) % 3], &pose[i % 3], 0.01,
                               &momentum[i % 3]);
        if (i < 2)
            continue;
        double zmp[2];
        walk_body_zmp(&plan->body, pose[(i - 1) % 3].com_m, &momentum[(i - 1) % 3],
                      &momentum[i % 3], 0.01, 0, zmp);
        double error = hypot(zmp[0] - s[-1].zmp_m[0], zmp[1] - s[-1].zmp_m[1]);
        worst = fmax(worst, error);
        sum += error;
    }
    ck_assert_double_lt(sum / plan->count, 0.008);
    ck_assert_double_lt(worst,
                        0.08); // in the 0.1 s of double support the reference itself jumps 0.3 m
    plan_free(plan);
}
END_TEST

static bool over_sole(const struct segment_sample *s, int side, const double point[2],
                      double margin_m)
{
    double c = cos(s->foot_yaw_rad[side]), d = sin(s->foot_yaw_rad[side]);
    double x = point[0] - s->foot_m[side][0], y = point[1] - s->foot_m[side][1];
    return fabs(c * x + d * y) < 0.105 - margin_m && fabs(-d * x + c * y) < 0.065 - margin_m;
}

START_TEST(the_quasi_static_gait_swings_only_with_the_centre_of_mass_over_the_standing_sole)
{
    struct plan *plan = plan_create(GAIT_QUASI_STATIC);
    plan_walk(plan, GAIT_QUASI_STATIC, BALANCE_WALK_FORWARD, 6);
    unsigned single = 0;
    for (unsigned i = 0; i < plan->count; i++) {
        const struct segment_sample *s = &plan->sample[i];
        if (s->support == SUPPORT_BOTH)
            continue;
        single++;
        ck_assert(
            over_sole(s, s->support == SUPPORT_RIGHT ? SIDE_RIGHT : SIDE_LEFT, s->com_m, 0.03));
    }
    ck_assert_uint_gt(single, 600);
    plan_free(plan);
}
END_TEST

START_TEST(a_bad_extension_is_refused_and_changes_nothing)
{
    static struct segment_message segment;
    struct plan *plan = plan_create(GAIT_DYNAMIC);
    struct stance stance = footsteps_stance((struct pose2d){0});
    struct footstep step[3];
    ck_assert_uint_eq(
        footsteps_walk(gait_parameters(GAIT_DYNAMIC), &stance, BALANCE_WALK_FORWARD, 3, 0, step, 3),
        3);
    pattern_begin(plan->pattern, &stance);
    ck_assert_int_eq(pattern_extend(plan->pattern, 0, 0, step, 3, &segment), STATUS_OK);
    int64_t last = pattern_last_sample(plan->pattern);
    struct footstep long_step = {SIDE_LEFT, {1.5, 0.0885, 0.0}};
    struct footstep same_foot = {SIDE_RIGHT, {0.6, -0.0885, 0.0}};
    struct footstep closing_side = {SIDE_LEFT, {0.9, 0.0885, 0.0}};
    ck_assert_int_eq(pattern_extend(plan->pattern, 10, 3, &long_step, 1, &segment),
                     STATUS_UNREACHABLE);
    ck_assert_int_eq(pattern_extend(plan->pattern, 10, 3, &same_foot, 1, &segment), STATUS_INVALID);
    ck_assert_int_eq(pattern_extend(plan->pattern, 10, 9, &closing_side, 1, &segment),
                     STATUS_INVALID);
    ck_assert_int_eq(pattern_extend(plan->pattern, last - 10, 0, step, 3, &segment),
                     STATUS_INVALID);
    ck_assert_int_eq(pattern_extend(plan->pattern, -1, 0, step, 3, &segment), STATUS_INVALID);
    ck_assert_int_eq(pattern_last_sample(plan->pattern), last);
    ck_assert_uint_eq(pattern_step_count(plan->pattern), 4);
    ck_assert_int_eq(pattern_extend(plan->pattern, 10, 3, NULL, 0, &segment), STATUS_OK);
    ck_assert_int_eq(pattern_last_sample(plan->pattern), last);
    plan_free(plan);
}
END_TEST

START_TEST(a_walk_can_start_anew_after_its_end)
{
    static struct segment_message segment;
    struct plan *plan = plan_create(GAIT_DYNAMIC);
    struct stance stance = footsteps_stance((struct pose2d){0, 0, 0.5});
    struct footstep step[3];
    footsteps_walk(gait_parameters(GAIT_DYNAMIC), &stance, BALANCE_WALK_FORWARD, 3, 0, step, 3);
    pattern_begin(plan->pattern, &stance);
    ck_assert_int_eq(pattern_extend(plan->pattern, 0, 0, step, 3, &segment), STATUS_OK);
    plan_take(plan, &segment);
    int64_t earliest = pattern_last_sample(plan->pattern) - 60;
    unsigned first = pattern_free_step(plan->pattern, earliest);
    ck_assert_uint_eq(first, pattern_step_count(plan->pattern));
    stance = pattern_stance(plan->pattern, first);
    footsteps_walk(gait_parameters(GAIT_DYNAMIC), &stance, BALANCE_WALK_FORWARD, 3, 0, step, 3);
    ck_assert_int_eq(pattern_extend(plan->pattern, earliest, first, step, 3, &segment), STATUS_OK);
    plan_take(plan, &segment);
    struct stance end = pattern_stance(plan->pattern, pattern_step_count(plan->pattern));
    struct pose2d centre = footsteps_centre(&end);
    ck_assert_double_eq_tol(hypot(centre.x_m, centre.y_m), 1.5, 1e-6);
    plan_free(plan);
}
END_TEST

// ---- stabiliser ---------------------------------------------------------------------------------

static void stabilizer_standing(struct plan *plan, struct stabilizer *stabilizer,
                                struct segment_sample *sample)
{
    static struct segment_message segment;
    struct stabilizer_parameters parameters =
        stabilizer_defaults(pattern_com_height_m(plan->pattern));
    ck_assert_int_eq(stabilizer_init(stabilizer, plan->model, &parameters), STATUS_OK);
    ck_assert_int_eq(pattern_extend(plan->pattern, 0, 0, NULL, 0, &segment), STATUS_OK);
    ck_assert_uint_ge(segment.count, 1);
    *sample = segment.sample[0];
}

START_TEST(when_nothing_is_wrong_the_stabiliser_changes_nothing)
{
    struct plan *plan = plan_create(GAIT_DYNAMIC);
    struct stabilizer stabilizer;
    struct segment_sample sample;
    stabilizer_standing(plan, &stabilizer, &sample);
    double leg[SIDE_COUNT][LEG_JOINTS], joint[ROBOT_JOINTS_MAX];
    ck_assert_int_eq(stabilizer_feedforward(&stabilizer, &sample, leg), STATUS_OK);
    memcpy(joint, plan->model->stand_rad, sizeof joint);
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            joint[stabilizer.leg[side].joint[i]] = leg[side][i];
    struct stabilizer_input input = {.desired = &sample,
                                     .joint_rad = joint,
                                     .imu_valid = true,
                                     .foot = {{0, 0, 206, true}, {0, 0, 206, true}}};
    struct stabilizer_output output;
    for (int i = 0; i < 300; i++)
        stabilizer_step(&stabilizer, &input, &output);
    ck_assert(!output.unreachable);
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            ck_assert_double_eq_tol(output.leg_rad[side][i], leg[side][i], 2e-3);
    plan_free(plan);
}
END_TEST

START_TEST(wild_or_missing_sensors_move_the_legs_only_a_little_and_never_suddenly)
{
    struct plan *plan = plan_create(GAIT_DYNAMIC);
    struct stabilizer stabilizer;
    struct segment_sample sample;
    stabilizer_standing(plan, &stabilizer, &sample);
    double leg[SIDE_COUNT][LEG_JOINTS], before[SIDE_COUNT][LEG_JOINTS];
    ck_assert_int_eq(stabilizer_feedforward(&stabilizer, &sample, leg), STATUS_OK);
    memcpy(before, leg, sizeof before);
    for (int i = 0; i < 600; i++) {
        double sign = (i / 50) % 2 == 0 ? 1.0 : -1.0;
        struct stabilizer_input input = {.desired = &sample,
                                         .joint_rad = plan->model->stand_rad,
                                         .roll_rad = 0.5 * sign,
                                         .pitch_rad = -0.5 * sign,
                                         .imu_valid = i % 3 != 0};
        for (int side = 0; side < SIDE_COUNT; side++)
            input.foot[side] = (struct stabilizer_foot){900 * sign, -900 * sign,
                                                        side == 0 ? 4000 : -300, i % 7 != 0};
        struct stabilizer_output output;
        stabilizer_step(&stabilizer, &input, &output);
        for (int side = 0; side < SIDE_COUNT; side++)
            for (int n = 0; n < LEG_JOINTS; n++) {
                ck_assert_double_lt(fabs(output.leg_rad[side][n] - leg[side][n]), 0.35);
                ck_assert_double_lt(fabs(output.leg_rad[side][n] - before[side][n]),
                                    0.03); // 3 rad/s
                before[side][n] = output.leg_rad[side][n];
            }
    }
    plan_free(plan);
}
END_TEST

// ---- walks in MuJoCo ----------------------------------------------------------------------------

static struct simulation_options simulated(enum gait gait)
{
    return (struct simulation_options){.robot_xml = ROBOT_XML,
                                       .gait = gait,
                                       .stabilise = true,
                                       .arms_move = true,
                                       .noise = true,
                                       .velocity_max_rad_s = 7.0,
                                       .acceleration_max_rad_s2 = 120.0,
                                       .loss_sample = -1};
}

static struct simulation_result simulate(const struct simulation_options *options, unsigned steps)
{
    struct footstep step[STEPS_MAX];
    struct stance stance = footsteps_stance((struct pose2d){0});
    unsigned count = footsteps_walk(gait_parameters(options->gait), &stance, BALANCE_WALK_FORWARD,
                                    steps, 0, step, STEPS_MAX);
    struct simulation *simulation = simulation_create(options);
    ck_assert_ptr_nonnull(simulation);
    struct simulation_result result = simulation_walk(simulation, step, count, 2.0);
    simulation_free(simulation);
    return result;
}

START_TEST(the_robot_walks_quasi_statically_with_its_centre_of_mass_inside_always)
{
    struct simulation_options options = simulated(GAIT_QUASI_STATIC);
    struct simulation_result result = simulate(&options, 6);
    ck_assert(!result.fell);
    ck_assert_uint_eq(result.steps, 7);
    ck_assert_double_gt(result.com_margin_m, 0.03);
    ck_assert_uint_eq(result.limited, 0);
}
END_TEST

START_TEST(the_robot_walks_dynamically_with_its_centre_of_mass_outside_at_times)
{
    struct simulation_options options = simulated(GAIT_DYNAMIC);
    struct simulation_result result = simulate(&options, 20);
    ck_assert(!result.fell);
    ck_assert_uint_eq(result.steps, 21);
    ck_assert_double_lt(result.com_margin_m, 0.0);
    ck_assert_double_gt(result.outside_share, 0.03);
    ck_assert_uint_eq(result.limited, 0);
    ck_assert_double_lt(result.tilt_max_rad, 0.05);
}
END_TEST

START_TEST(two_walks_are_the_same_to_the_bit)
{
    struct simulation_options options = simulated(GAIT_DYNAMIC);
    struct simulation_result a = simulate(&options, 4), b = simulate(&options, 4);
    // NOLINTBEGIN(bugprone-suspicious-memory-comparison): every bit is what is claimed
    ck_assert(memcmp(&a.com_margin_m, &b.com_margin_m, sizeof a.com_margin_m) == 0);
    ck_assert(memcmp(&a.position_error_m, &b.position_error_m, sizeof a.position_error_m) == 0);
    // NOLINTEND(bugprone-suspicious-memory-comparison)
}
END_TEST

START_TEST(joints_frozen_in_early_single_support_of_the_dynamic_gait_let_the_robot_fall)
{
    const struct gait_parameters *gait = gait_parameters(GAIT_DYNAMIC);
    struct simulation_options options = simulated(GAIT_DYNAMIC);
    double step_begin = gait->wait_s + gait->initial_double_support_s - gait->double_support_s +
                        4.0 * gait->period_s;
    options.loss = LOSS_FREEZE;
    options.loss_sample = (int64_t)lround((step_begin + 0.36) / PATTERN_PERIOD_S);
    ck_assert(simulate(&options, 8).fell);
}
END_TEST

UNIT_MAIN("walk", preview_gains_equal_the_published_ones, preview_of_bad_numbers_is_refused,
          preview_control_goes_as_equation_18_does,
          the_zmp_of_the_cart_follows_a_step_of_its_reference,
          commanded_steps_alternate_and_go_where_they_should,
          steps_toward_a_goal_arrive_from_anywhere, every_segment_ends_at_rest_and_splices_smoothly,
          a_plan_moves_without_jumps, the_multi_body_zmp_stays_near_its_reference,
          the_quasi_static_gait_swings_only_with_the_centre_of_mass_over_the_standing_sole,
          a_bad_extension_is_refused_and_changes_nothing, a_walk_can_start_anew_after_its_end,
          when_nothing_is_wrong_the_stabiliser_changes_nothing,
          wild_or_missing_sensors_move_the_legs_only_a_little_and_never_suddenly,
          the_robot_walks_quasi_statically_with_its_centre_of_mass_inside_always,
          the_robot_walks_dynamically_with_its_centre_of_mass_outside_at_times,
          two_walks_are_the_same_to_the_bit,
          joints_frozen_in_early_single_support_of_the_dynamic_gait_let_the_robot_fall)
