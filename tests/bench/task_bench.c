// What a period of whole-body control costs: forward kinematics, rows and solution of five levels
// for root and joints of the HUBO2, processor time; and what a solution of the velocity-driven walk
// costs, which walks as fast as the fire hose is pulled. Prints a line per figure (see
// harness/bench/compare/figures.h); tests/bench/task has the table.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/spatial.h"
#include "targets/firehose/clearance.h"
#include "task/stack.h"
#include "walk/zmp/velocity_walk.h"

#define PERIODS 2000
#define PERIOD_S 0.005
#define WALK_M_S 0.125 // steps of 0.1 m in 0.8 s
#define WALK_BEGINS 32 // periods until it walks evenly

static double us[PERIODS];

static double now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(const char *name)
{
    qsort(us, PERIODS, sizeof *us, by_size);
    printf("%s\tp50\tus\tless\t%.1f\n%s\tp99\tus\tless\t%.1f\n", name, us[PERIODS / 2], name,
           us[PERIODS * 99 / 100]);
}

static bool add(struct task_stack *stack, const struct robot_model *model,
                const struct robot_pose *pose, const char *name, enum task_kind kind,
                unsigned level, const char *link)
{
    struct task task = {.kind = kind, .level = level, .gain = {5, 5, 0}};
    (void)snprintf(task.name, sizeof task.name, "%s", name);
    task.link = link ? robot_model_link(model, link) : 0;
    if (task.link < 0)
        return false;
    memcpy(task.place_m, kind == TASK_COM ? pose->com_m : pose->origin_m[task.link],
           sizeof task.place_m);
    memcpy(task.rotation, pose->rotation[task.link], sizeof task.rotation);
    memcpy(task.joint_rad, model->stand_rad, sizeof task.joint_rad);
    return task_stack_add(stack, &task) == STATUS_OK;
}

// One series: the wrist circles, `reach_m` wide; beyond the arm's reach joints meet their limits.
static bool series(const struct robot_model *model, const char *name, double reach_m, bool cold)
{
    const struct task_limits limits = {7, 120, 0.02};
    struct task_stack *stack;
    struct robot_pose pose;
    double root[3] = {0, 0, 0.62}, rotation[9], joint[ROBOT_JOINTS_MAX];
    double velocity[TASK_UNKNOWNS_MAX];
    if (task_stack_create(model, &limits, &stack) != STATUS_OK)
        return false;
    rotation_z(0, rotation);
    memcpy(joint, model->stand_rad, sizeof joint);
    robot_model_forward(model, root, rotation, joint, &pose);
    bool ok = add(stack, model, &pose, "left foot", TASK_POSE, 0, "left_foot_sensor") &&
              add(stack, model, &pose, "right foot", TASK_POSE, 0, "right_foot_sensor") &&
              clearance_add(stack, model, 0) == STATUS_OK &&
              add(stack, model, &pose, "com", TASK_COM, 1, NULL) &&
              add(stack, model, &pose, "waist", TASK_ORIENTATION, 2, "pelvis") &&
              add(stack, model, &pose, "wrist", TASK_POSE, 3, "left_hand_sensor") &&
              add(stack, model, &pose, "posture", TASK_POSTURE, 4, NULL);
    struct task *wrist = task_stack_find(stack, "wrist");
    double x = ok ? wrist->place_m[0] : 0, z = ok ? wrist->place_m[2] : 0;
    unsigned solved = 0, approximated = 0;
    for (unsigned i = 0; ok && i < PERIODS; i++) {
        wrist->place_m[0] = x + reach_m * sin(i * PERIOD_S);
        wrist->place_m[2] = z + reach_m * (1 - cos(i * PERIOD_S));
        if (cold)
            task_stack_forget(stack);
        double begin = now_us();
        struct task_report report =
            task_stack_solve(stack, root, rotation, joint, PERIOD_S, velocity);
        us[i] = now_us() - begin;
        solved += report.status == QP_OPTIMAL;
        approximated += report.approximated;
        integrate_velocity(model, velocity, PERIOD_S, root, rotation, joint);
    }
    print_times(name);
    printf("%s\tsolved\tperiods\tmore\t%u\n%s\tapproximated\tlevels\tless\t%u\n", name, solved,
           name, approximated);
    task_stack_free(stack);
    return ok;
}

// Straight on; its speed is that of the centre of mass over whole cycles of two steps.
static bool walk(const struct robot_model *model)
{
    struct robot_pose pose;
    struct velocity_walk walk;
    const double root[3] = {0, 0, 0.62}, wanted_m_s[3] = {WALK_M_S, 0, 0};
    double rotation[9], begin_m = 0;
    rotation_z(0, rotation);
    robot_model_forward(model, root, rotation, model->stand_rad, &pose);
    const struct velocity_walk_config config = velocity_walk_defaults(pose.com_m[2]);
    const double half_m = config.stance_width_m / 2;
    if (velocity_walk_create(&config, (struct pose2d){0, -half_m, 0}, (struct pose2d){0, half_m, 0},
                             &walk) != STATUS_OK ||
        !velocity_walk_set(&walk, wanted_m_s))
        return false;
    const unsigned cycle = 2 * config.step_samples;
    const unsigned last = PERIODS - (PERIODS - WALK_BEGINS) % cycle;
    double end_m = 0;
    for (unsigned i = 0; i < PERIODS; i++) {
        begin_m = i == WALK_BEGINS ? walk.com[0][0] : begin_m;
        end_m = i == last ? walk.com[0][0] : end_m;
        const double begin_us = now_us();
        (void)velocity_walk_step(&walk);
        us[i] = now_us() - begin_us;
    }
    end_m = last == PERIODS ? walk.com[0][0] : end_m;
    print_times("generator, warm");
    printf("generator, warm\tspeed of that asked for\tratio\tmore\t%.4f\n",
           (end_m - begin_m) / ((last - WALK_BEGINS) * VELOCITY_WALK_PERIOD_S * WALK_M_S));
    velocity_walk_free(&walk);
    return true;
}

int main(void)
{
    struct robot_model *model;
    if (robot_model_load("targets/hubo2/robot.xml", &model) != STATUS_OK)
        return 2;
    bool ok = series(model, "free", 0.05, false) && series(model, "limits, warm", 0.6, false) &&
              series(model, "limits, cold", 0.6, true) && series(model, "free, cold", 0.05, true) &&
              walk(model);
    robot_model_free(model);
    return ok ? 0 : 3;
}
