#include "model/leg_ik.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "model/spatial.h"

#define SOLE_HALF_LENGTH_M 0.105 // of a model that draws none
#define SOLE_HALF_WIDTH_M 0.065

// The chain a leg must have: axis of each joint and whether its origin coincides with the previous
// joint's.
static const struct {
    const char *name;
    int axis; // 0 x, 1 y, 2 z
    bool coincident;
} chain[LEG_JOINTS] = {{"HY", 2, false}, {"HR", 0, true},  {"HP", 1, true},
                       {"KN", 1, false}, {"AP", 1, false}, {"AR", 0, true}};

static bool along_z(const double offset[3], double *length_m)
{
    *length_m = -offset[2];
    return fabs(offset[0]) < 1e-9 && fabs(offset[1]) < 1e-9 && offset[2] < 0.0;
}

static struct sole sole_of(const struct robot_model *model, int site)
{
    const struct robot_link *link = &model->link[model->site[site].link];
    const double *under_m = model->site[site].position_m;
    if (!link->boxed)
        return (struct sole){-SOLE_HALF_LENGTH_M, SOLE_HALF_LENGTH_M, -SOLE_HALF_WIDTH_M,
                             SOLE_HALF_WIDTH_M};
    return (struct sole){link->box_m[0][0] - under_m[0], link->box_m[0][1] - under_m[0],
                         link->box_m[1][0] - under_m[1], link->box_m[1][1] - under_m[1]};
}

enum status leg_from_model(const struct robot_model *model, enum side side, struct leg *leg)
{
    const struct robot_link *link[LEG_JOINTS];
    bool good = true;
    int parent = 0;
    for (int i = 0; i < LEG_JOINTS && good; i++) {
        char name[ROBOT_NAME_MAX];
        snprintf(name, sizeof name, "%c%s", side == SIDE_RIGHT ? 'R' : 'L', chain[i].name);
        leg->joint[i] = robot_model_joint(model, name);
        if (leg->joint[i] < 0) {
            log_error("robot model: joint %s is missing; a leg needs HY HR HP KN AP AR", name);
            return STATUS_INVALID;
        }
        const struct robot_joint *joint = &model->joint[leg->joint[i]];
        link[i] = &model->link[joint->link];
        leg->min_rad[i] = joint->position_min_rad;
        leg->max_rad[i] = joint->position_max_rad;
        good = link[i]->parent == parent && link[i]->axis[chain[i].axis] > 1.0 - 1e-9 &&
               (!chain[i].coincident || vec_dot(link[i]->offset_m, link[i]->offset_m) < 1e-18);
        parent = joint->link;
    }
    int sole = robot_model_site(model, side == SIDE_RIGHT ? "ft_right_foot" : "ft_left_foot");
    good = good && sole >= 0 && along_z(link[LEG_KN]->offset_m, &leg->thigh_m) &&
           along_z(link[LEG_AP]->offset_m, &leg->shank_m) &&
           along_z(model->site[sole].position_m, &leg->ankle_m) &&
           model->link[model->site[sole].link].parent == parent;
    if (!good) {
        log_error(
            "robot model: the %s leg is not yaw-roll-pitch at the hip, knee pitch, pitch-roll at "
            "the ankle with links along z and the sole below the ankle: there is no analytic "
            "solution for it",
            side == SIDE_RIGHT ? "right" : "left");
        return STATUS_INVALID;
    }
    memcpy(leg->hip_m, link[LEG_HY]->offset_m, sizeof leg->hip_m);
    leg->sole = sole_of(model, sole);
    return STATUS_OK;
}

// Knee angle for a hip-ankle distance; the distance is clamped to what the knee's range allows.
// Returns false if it was.
static bool knee_angle(const struct leg *leg, double *distance_m, double *knee_rad)
{
    double a = leg->thigh_m, b = leg->shank_m;
    double cosine = (*distance_m * *distance_m - a * a - b * b) / (2.0 * a * b);
    double knee = acos(fmax(-1.0, fmin(1.0, cosine)));
    double clamped = fmax(leg->min_rad[LEG_KN], fmin(leg->max_rad[LEG_KN], knee));
    // 1e-6 m: a straight leg's round-off is no failure
    double reached = sqrt(a * a + b * b + 2.0 * a * b * cos(clamped));
    bool inside = fabs(reached - *distance_m) < 1e-6;
    *distance_m = reached;
    *knee_rad = clamped;
    return inside;
}

enum status leg_inverse(const struct leg *leg, const double root_m[3],
                        const double root_rotation[9], const double sole_m[3],
                        const double sole_rotation[9], double angle_rad[LEG_JOINTS])
{
    double hip[3], ankle[3], up[3] = {0, 0, leg->ankle_m}, r[3], difference[3];
    rotate(root_rotation, leg->hip_m, hip);
    vec_add(root_m, hip, hip);
    rotate(sole_rotation, up, ankle);
    vec_add(sole_m, ankle, ankle);
    vec_subtract(hip, ankle, difference);
    rotate_back(sole_rotation, difference, r); // hip seen from the foot

    double distance = sqrt(vec_dot(r, r)), knee;
    bool reachable = knee_angle(leg, &distance, &knee);
    double sine = fmax(-1.0, fmin(1.0, leg->thigh_m / distance * sin(knee)));
    double fold = asin(sine); // between shank and the line hip-ankle
    double roll = atan2(r[1], r[2]);
    if (roll > 0.5 * M_PI)
        roll -= M_PI;
    else if (roll < -0.5 * M_PI)
        roll += M_PI;
    double pitch = -atan2(r[0], copysign(hypot(r[1], r[2]), r[2])) - fold;

    // what rotation is left belongs to the hip: R = Rz(HY) Rx(HR) Ry(HP)
    double relative[9], back_roll[9], back_pitch[9], half[9], R[9];
    rotation_relative(root_rotation, sole_rotation, relative);
    rotation_x(-roll, back_roll);
    rotation_y(-pitch - knee, back_pitch);
    rotation_product(relative, back_roll, half);
    rotation_product(half, back_pitch, R);
    angle_rad[LEG_HY] = atan2(-R[1], R[4]);
    angle_rad[LEG_HR] = atan2(R[7], hypot(R[1], R[4]));
    angle_rad[LEG_HP] = atan2(-R[6], R[8]);
    angle_rad[LEG_KN] = knee;
    angle_rad[LEG_AP] = pitch;
    angle_rad[LEG_AR] = roll;
    for (int i = 0; i < LEG_JOINTS; i++) {
        double clamped = fmax(leg->min_rad[i], fmin(leg->max_rad[i], angle_rad[i]));
        reachable = reachable && fabs(clamped - angle_rad[i]) < 1e-9;
        angle_rad[i] = clamped;
    }
    return reachable ? STATUS_OK : STATUS_UNREACHABLE;
}

void leg_forward(const struct leg *leg, const double angle_rad[LEG_JOINTS], double sole_m[3],
                 double sole_rotation[9])
{
    double Rz[9], Rx[9], Ry[9], A[9], hip[9], shank[9], ankle[9];
    rotation_z(angle_rad[LEG_HY], Rz);
    rotation_x(angle_rad[LEG_HR], Rx);
    rotation_y(angle_rad[LEG_HP], Ry);
    rotation_product(Rz, Rx, A);
    rotation_product(A, Ry, hip);
    rotation_y(angle_rad[LEG_KN], Ry);
    rotation_product(hip, Ry, shank);
    rotation_y(angle_rad[LEG_AP], Ry);
    rotation_x(angle_rad[LEG_AR], Rx);
    rotation_product(shank, Ry, ankle);
    rotation_product(ankle, Rx, sole_rotation);
    for (int i = 0; i < 3; i++)
        sole_m[i] = leg->hip_m[i] - leg->thigh_m * hip[3 * i + 2] -
                    leg->shank_m * shank[3 * i + 2] - leg->ankle_m * sole_rotation[3 * i + 2];
}
