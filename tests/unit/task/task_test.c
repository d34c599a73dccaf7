// task: Jacobians against differences, tasks on the HUBO2: order, limits, changes, singular poses.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "model/spatial.h"
#include "task/stack.h"

#define PERIOD_S 0.005
#define ACCELERATION 120.0

static struct robot_model *model;
static struct task_stack *stack;
static double root[3], rotation[9], joint[ROBOT_JOINTS_MAX], velocity[TASK_UNKNOWNS_MAX];
static struct robot_pose pose;

static void look(void)
{
    robot_model_forward(model, root, rotation, joint, &pose);
}

static struct task new_task(const char *name, enum task_kind kind, unsigned level, const char *link)
{
    struct task task = {.kind = kind, .level = level, .gain = {5, 5, 0}};
    ck_assert_uint_lt(strlen(name), sizeof task.name);
    strcpy(task.name, name);
    task.link = link ? robot_model_link(model, link) : 0;
    if (link) {
        memcpy(task.place_m, pose.origin_m[task.link], sizeof task.place_m);
        memcpy(task.rotation, pose.rotation[task.link], sizeof task.rotation);
    } else {
        memcpy(task.place_m, pose.com_m, sizeof task.place_m);
    }
    memcpy(task.joint_rad, joint, model->joint_count * sizeof *joint);
    return task;
}

static void add(struct task task)
{
    ck_assert_int_eq(task_stack_add(stack, &task), STATUS_OK);
}

// Standing with the tasks of a walking robot that holds something.
static void begin(void)
{
    const struct task_limits limits = {7, ACCELERATION, 0.02};
    ck_assert_int_eq(robot_model_load("targets/hubo2/robot.xml", &model), STATUS_OK);
    ck_assert_int_eq(task_stack_create(model, &limits, &stack), STATUS_OK);
    memcpy(root, (double[]){0, 0, 0.62}, sizeof root);
    rotation_z(0, rotation);
    memcpy(joint, model->stand_rad, sizeof joint);
    look();
    add(new_task("left foot", TASK_POSE, 0, "left_foot_sensor"));
    add(new_task("right foot", TASK_POSE, 0, "right_foot_sensor"));
    add(new_task("com", TASK_COM, 1, NULL));
    add(new_task("waist", TASK_ORIENTATION, 2, "pelvis"));
    add(new_task("wrist", TASK_POSE, 3, "left_hand_sensor"));
    add(new_task("posture", TASK_POSTURE, 4, NULL));
}

static void end(void)
{
    task_stack_free(stack);
    robot_model_free(model);
}

// Runs the robot, and holds it to its limits.
static struct task_report go(unsigned periods)
{
    struct task_report report = {0};
    for (unsigned i = 0; i < periods; i++) {
        double before[TASK_UNKNOWNS_MAX];
        memcpy(before, velocity, sizeof before);
        report = task_stack_solve(stack, root, rotation, joint, PERIOD_S, velocity);
        ck_assert_int_eq(report.status, QP_OPTIMAL);
        for (unsigned j = 0; j < model->joint_count; j++) {
            double speed = velocity[TASK_ROOT + j], change = speed - before[TASK_ROOT + j];
            ck_assert_double_le(fabs(speed), 7 + 1e-6);
            ck_assert_double_le(fabs(change), ACCELERATION * PERIOD_S + 1e-6);
        }
        integrate_velocity(model, velocity, PERIOD_S, root, rotation, joint);
        for (unsigned j = 0; j < model->joint_count; j++) {
            ck_assert_double_ge(joint[j], model->joint[j].position_min_rad - 1e-6);
            ck_assert_double_le(joint[j], model->joint[j].position_max_rad + 1e-6);
        }
    }
    look();
    return report;
}

static double error_of(const char *name)
{
    return task_stack_find(stack, name)->error;
}

START_TEST(jacobians_equal_differences)
{
    double linear[3 * TASK_UNKNOWNS_MAX], angular[3 * TASK_UNKNOWNS_MAX];
    double com[3 * TASK_UNKNOWNS_MAX], step = 1e-6, point[3];
    memset(velocity, 0, sizeof velocity);
    begin();
    rotation_rpy(0.1, -0.2, 0.5, rotation);
    for (unsigned j = 0; j < model->joint_count; j++)
        joint[j] += 0.05 * (j % 5);
    look();
    int link = robot_model_link(model, "left_hand_sensor");
    unsigned width = TASK_ROOT + model->joint_count;
    memcpy(point, pose.origin_m[link], sizeof point);
    jacobian_point(model, &pose, link, point, linear, angular);
    jacobian_com(model, &pose, com);
    struct robot_pose before = pose;
    for (unsigned i = 0; i < width; i++) {
        double r[3], R[9], q[ROBOT_JOINTS_MAX], unit[TASK_UNKNOWNS_MAX] = {0}, turned[3];
        memcpy(r, root, sizeof r);
        memcpy(R, rotation, sizeof R);
        memcpy(q, joint, sizeof q);
        unit[i] = 1;
        integrate_velocity(model, unit, step, r, R, q);
        robot_model_forward(model, r, R, q, &pose);
        rotation_error(before.rotation[link], pose.rotation[link], turned);
        for (unsigned k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(linear[k * width + i],
                                    (pose.origin_m[link][k] - point[k]) / step, 1e-5);
            ck_assert_double_eq_tol(com[k * width + i], (pose.com_m[k] - before.com_m[k]) / step,
                                    1e-5);
            ck_assert_double_eq_tol(angular[k * width + i], turned[k] / step, 1e-5);
        }
    }
    end();
}
END_TEST

START_TEST(tasks_that_agree_are_all_met)
{
    memset(velocity, 0, sizeof velocity);
    begin();
    struct task *wrist = task_stack_find(stack, "wrist"), *com = task_stack_find(stack, "com");
    wrist->place_m[0] += 0.08;
    wrist->place_m[2] += 0.05;
    com->place_m[1] += 0.03;
    go(500);
    ck_assert_double_lt(error_of("wrist"), 1e-3);
    ck_assert_double_lt(error_of("com"), 1e-3);
    ck_assert_double_lt(error_of("left foot") + error_of("right foot"), 1e-4);
    end();
}
END_TEST

START_TEST(a_task_out_of_reach_yields_to_those_above_and_speeds_stay_bounded)
{
    memset(velocity, 0, sizeof velocity);
    begin();
    task_stack_find(stack, "wrist")->place_m[0] += 2; // the arm ends stretched
    go(1500);
    ck_assert_double_gt(error_of("wrist"), 0.5);
    ck_assert_double_lt(error_of("com"), 2e-3);
    ck_assert_double_lt(error_of("waist"), 2e-3);
    ck_assert_double_lt(error_of("left foot") + error_of("right foot"), 1e-4);
    end();
}
END_TEST

START_TEST(of_two_contradicting_tasks_the_upper_one_wins_until_they_change_places)
{
    memset(velocity, 0, sizeof velocity);
    begin();
    struct task other = new_task("other", TASK_POSE, 5, "left_hand_sensor");
    other.place_m[0] += 0.08;
    other.place_m[2] += 0.05;
    add(other);
    go(300);
    ck_assert_double_lt(error_of("wrist"), 1e-3);
    ck_assert_double_gt(error_of("other"), 0.09);
    ck_assert_int_eq(task_stack_swap(stack, "wrist", "other"), STATUS_OK);
    go(500); // go() asserts that no speed jumps
    ck_assert_double_lt(error_of("other"), 1e-3);
    ck_assert_double_gt(error_of("wrist"), 0.09);
    ck_assert_int_eq(task_stack_remove(stack, "other"), STATUS_OK);
    go(500);
    ck_assert_double_lt(error_of("wrist"), 1e-3);
    end();
}
END_TEST

START_TEST(the_head_looks_at_a_point_and_the_hand_keeps_away_from_one)
{
    memset(velocity, 0, sizeof velocity);
    begin();
    struct task gaze = new_task("gaze", TASK_GAZE, 3, "head");
    memcpy(gaze.point_m, (double[]){1, 0, 0}, sizeof gaze.point_m);
    memcpy(gaze.place_m, (double[]){2, 0.8, 0.8}, sizeof gaze.place_m);
    add(gaze);
    struct task away = new_task("away", TASK_DISTANCE, 2, "left_hand_sensor");
    away.place_m[0] += 0.1; // where the wrist wants to go
    away.distance_m = 0.06;
    add(away);
    task_stack_find(stack, "wrist")->place_m[0] += 0.1;
    go(800);
    ck_assert_double_lt(error_of("gaze"), 1e-3);
    ck_assert_double_lt(error_of("away"), 1e-3);
    ck_assert_double_gt(error_of("wrist"), 0.05);
    end();
}
END_TEST

// How far a point is from a stretch.
static double off_m(const double point[3], const double from[3], const double along[3])
{
    double away[3];
    vec_subtract(point, from, away);
    const double share = fmin(fmax(vec_dot(away, along) / vec_dot(along, along), 0), 1);
    for (int i = 0; i < 3; i++)
        away[i] -= share * along[i];
    return sqrt(vec_dot(away, away));
}

START_TEST(a_hand_keeps_off_a_stretch_of_the_thigh)
{
    const double thigh_m[3] = {0, 0, -0.15};
    double along[3], from[3];
    memset(velocity, 0, sizeof velocity);
    begin();
    struct task away = new_task("away", TASK_DISTANCE, 0, "left_hand_sensor");
    away.based = true;
    away.base = robot_model_link(model, "left_thigh");
    memcpy(away.place_m, (double[]){0, 0, -0.05}, sizeof away.place_m);
    memcpy(away.along_m, (double[]){0, 0, -0.19}, sizeof away.along_m);
    away.distance_m = 0.12;
    add(away);
    double *wanted = task_stack_find(stack, "wrist")->place_m;
    rotate(pose.rotation[away.base], thigh_m, wanted); // into the thigh
    vec_add(wanted, pose.origin_m[away.base], wanted);
    go(800);
    ck_assert_double_lt(error_of("away"), 1e-3);
    ck_assert_double_gt(error_of("wrist"), 0.1);
    // It is as near as it may be, and no nearer.
    rotate(pose.rotation[away.base], away.along_m, along);
    rotate(pose.rotation[away.base], away.place_m, from);
    vec_add(from, pose.origin_m[away.base], from);
    ck_assert_double_eq_tol(off_m(pose.origin_m[away.link], from, along), 0.12, 2e-3);
    end();
}
END_TEST

START_TEST(a_task_seen_from_a_link_asks_nothing_of_what_carries_that_link)
{
    double before[ROBOT_JOINTS_MAX];
    memset(velocity, 0, sizeof velocity);
    begin();
    ck_assert_int_eq(task_stack_remove(stack, "wrist"), STATUS_OK);
    ck_assert_int_eq(task_stack_remove(stack, "posture"), STATUS_OK);
    const int torso = robot_model_link(model, "torso");
    struct task wrist = new_task("wrist", TASK_POSITION, 3, "left_hand_sensor");
    wrist.based = true;
    wrist.base = torso;
    vec_subtract(wrist.place_m, pose.origin_m[torso], wrist.place_m); // the torso is upright
    wrist.place_m[0] += 0.04;
    wrist.place_m[2] += 0.03;
    add(wrist);
    memcpy(before, joint, sizeof before);
    go(500);
    ck_assert_double_lt(error_of("wrist"), 1e-3);
    // In the world it would be reached by leaning and turning, too.
    ck_assert_double_lt(
        fabs(joint[robot_model_joint(model, "WST")] - before[robot_model_joint(model, "WST")]),
        1e-4);
    ck_assert_double_lt(
        fabs(joint[robot_model_joint(model, "RSP")] - before[robot_model_joint(model, "RSP")]),
        0.02);
    // Where the robot goes, the hand goes: turned, it is still at its place.
    struct task *waist = task_stack_find(stack, "waist");
    rotation_z(0.2, waist->rotation);
    go(500);
    double arm[3], wanted[3];
    vec_subtract(pose.origin_m[wrist.link], pose.origin_m[torso], arm);
    rotate(pose.rotation[torso], wrist.place_m, wanted);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(arm[i], wanted[i], 1e-3);
    ck_assert_double_gt(fabs(arm[1] - wrist.place_m[1]), 0.01);
    struct task other = new_task("other", TASK_POSE, 3, "left_hand_sensor");
    other.based = true;
    other.base = 99;
    ck_assert_int_eq(task_stack_add(stack, &other), STATUS_INVALID);
    end();
}
END_TEST

START_TEST(a_posture_follows_speeds_that_are_given_it)
{
    memset(velocity, 0, sizeof velocity);
    begin();
    const unsigned elbow = (unsigned)robot_model_joint(model, "REB");
    struct task *posture = task_stack_find(stack, "posture");
    posture->joint_rad_s[elbow] = -0.5;
    for (unsigned i = 0; i < 200; i++) {
        posture->joint_rad[elbow] -= 0.5 * PERIOD_S;
        go(1);
    }
    ck_assert_double_eq_tol(joint[elbow], posture->joint_rad[elbow], 0.01); // without: 0.1 behind
    end();
}
END_TEST

START_TEST(bad_tasks_are_refused)
{
    const struct task_limits limits = {0, 1, 0};
    struct task_stack *none;
    memset(velocity, 0, sizeof velocity);
    begin();
    struct task task = new_task("wrist", TASK_POSE, 3, "left_hand_sensor");
    ck_assert_int_eq(task_stack_add(stack, &task), STATUS_INVALID); // the name is taken
    strcpy(task.name, "new");
    task.link = 99;
    ck_assert_int_eq(task_stack_add(stack, &task), STATUS_INVALID);
    task.link = 1;
    task.gain.far = -1;
    ck_assert_int_eq(task_stack_add(stack, &task), STATUS_INVALID);
    task.gain.far = 1;
    task.place_m[1] = NAN;
    ck_assert_int_eq(task_stack_add(stack, &task), STATUS_INVALID);
    ck_assert_int_eq(task_stack_remove(stack, "nobody"), STATUS_NOT_FOUND);
    ck_assert_int_eq(task_stack_swap(stack, "wrist", "nobody"), STATUS_NOT_FOUND);
    ck_assert_int_eq(task_stack_create(model, &limits, &none), STATUS_INVALID);
    // A target that goes bad later costs its level and those below, not the limits.
    task_stack_find(stack, "wrist")->place_m[0] = NAN;
    struct task_report report = task_stack_solve(stack, root, rotation, joint, PERIOD_S, velocity);
    ck_assert_int_eq(report.status, QP_INVALID);
    ck_assert_uint_eq(report.levels, 3);
    for (unsigned i = 0; i < TASK_ROOT + model->joint_count; i++)
        ck_assert(isfinite(velocity[i]));
    end();
}
END_TEST

UNIT_MAIN("task", jacobians_equal_differences, tasks_that_agree_are_all_met,
          a_task_out_of_reach_yields_to_those_above_and_speeds_stay_bounded,
          of_two_contradicting_tasks_the_upper_one_wins_until_they_change_places,
          the_head_looks_at_a_point_and_the_hand_keeps_away_from_one,
          a_hand_keeps_off_a_stretch_of_the_thigh,
          a_task_seen_from_a_link_asks_nothing_of_what_carries_that_link,
          a_posture_follows_speeds_that_are_given_it, bad_tasks_are_refused)
