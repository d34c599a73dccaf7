#include "task/kinematics.h"

#include <string.h>

#include "model/spatial.h"

static unsigned width_of(const struct robot_model *model)
{
    return TASK_ROOT + model->joint_count;
}

static void put(double *rows, unsigned width, unsigned column, const double vector[3])
{
    for (int i = 0; i < 3; i++)
        rows[i * width + column] = vector[i];
}

// Columns of the root: a point moves with it and is carried round it.
static void put_root(double *linear, unsigned width, const double arm[3])
{
    for (unsigned i = 0; i < 3; i++) {
        double axis[3] = {i == 0, i == 1, i == 2}, speed[3];
        vec_cross(axis, arm, speed);
        put(linear, width, i, axis);
        put(linear, width, 3 + i, speed);
    }
}

void jacobian_point(const struct robot_model *model, const struct robot_pose *pose, int link,
                    const double point_m[3], double *linear, double *angular)
{
    unsigned width = width_of(model);
    double arm[3], axis[3], speed[3];
    vec_subtract(point_m, pose->origin_m[0], arm);
    if (linear) {
        memset(linear, 0, 3 * width * sizeof *linear);
        put_root(linear, width, arm);
    }
    if (angular) {
        memset(angular, 0, 3 * width * sizeof *angular);
        for (unsigned i = 0; i < 3; i++)
            angular[i * width + 3 + i] = 1;
    }
    for (int at = link; at > 0; at = model->link[at].parent) {
        int joint = model->link[at].joint;
        if (joint < 0)
            continue;
        rotate(pose->rotation[at], model->link[at].axis, axis);
        vec_subtract(point_m, pose->origin_m[at], arm);
        vec_cross(axis, arm, speed);
        if (linear)
            put(linear, width, TASK_ROOT + (unsigned)joint, speed);
        if (angular)
            put(angular, width, TASK_ROOT + (unsigned)joint, axis);
    }
}

void jacobian_com(const struct robot_model *model, const struct robot_pose *pose, double *linear)
{
    unsigned width = width_of(model);
    double mass[ROBOT_LINKS_MAX] = {0}, moment[ROBOT_LINKS_MAX][3] = {{0}}, arm[3], axis[3];
    memset(linear, 0, 3 * width * sizeof *linear);
    for (unsigned at = model->link_count; at-- > 0;) { // children before parents
        const struct robot_link *link = &model->link[at];
        double com[3];
        rotate(pose->rotation[at], link->com_m, com);
        mass[at] += link->mass_kg;
        for (int i = 0; i < 3; i++)
            moment[at][i] += link->mass_kg * (com[i] + pose->origin_m[at][i]);
        if (link->joint >= 0) {
            double speed[3];
            rotate(pose->rotation[at], link->axis, axis);
            for (int i = 0; i < 3; i++)
                arm[i] = (moment[at][i] - mass[at] * pose->origin_m[at][i]) / model->mass_kg;
            vec_cross(axis, arm, speed);
            put(linear, width, TASK_ROOT + (unsigned)link->joint, speed);
        }
        if (link->parent < 0)
            continue;
        mass[link->parent] += mass[at];
        vec_add(moment[link->parent], moment[at], moment[link->parent]);
    }
    vec_subtract(pose->com_m, pose->origin_m[0], arm);
    put_root(linear, width, arm);
}

void rotation_error(const double R[9], const double S[9], double vector[3])
{
    double E[9], transposed[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            transposed[3 * i + j] = R[3 * j + i];
    rotation_product(S, transposed, E); // from R to S in the world frame
    double sine[3] = {(E[7] - E[5]) / 2, (E[2] - E[6]) / 2, (E[3] - E[1]) / 2};
    double s = sqrt(vec_dot(sine, sine)), c = (E[0] + E[4] + E[8] - 1) / 2, angle = atan2(s, c);
    if (s > 1e-6 || c > 0) {
        for (int i = 0; i < 3; i++)
            vector[i] = s > 1e-9 ? sine[i] * angle / s : sine[i];
        return;
    }
    // Half a turn: the axis is the longest column of E + 1.
    int best = E[0] > E[4] ? (E[0] > E[8] ? 0 : 2) : (E[4] > E[8] ? 1 : 2);
    double axis[3] = {E[best], E[3 + best], E[6 + best]};
    axis[best] += 1;
    double length = sqrt(vec_dot(axis, axis));
    for (int i = 0; i < 3; i++)
        vector[i] = axis[i] * angle / length;
}

void integrate_velocity(const struct robot_model *model, const double *velocity, double period_s,
                        double root_m[3], double root_rotation[9], double *joint_rad)
{
    double speed = sqrt(vec_dot(velocity + 3, velocity + 3));
    for (int i = 0; i < 3; i++)
        root_m[i] += velocity[i] * period_s;
    if (speed > 0) {
        double axis[3], turn[9], turned[9];
        for (int i = 0; i < 3; i++)
            axis[i] = velocity[3 + i] / speed;
        rotation_axis(axis, speed * period_s, turn);
        rotation_product(turn, root_rotation, turned);
        memcpy(root_rotation, turned, sizeof turned);
    }
    for (unsigned j = 0; j < model->joint_count; j++)
        joint_rad[j] += velocity[TASK_ROOT + j] * period_s;
}
