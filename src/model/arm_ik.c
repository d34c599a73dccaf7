#include "model/arm_ik.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "model/spatial.h"

static const struct {
    const char *name;
    int axis;
    bool coincident;
} chain[ARM_JOINTS] = {{"SP", 1, false}, {"SR", 0, true},  {"SY", 2, true},
                       {"EB", 1, false}, {"WY", 2, false}, {"WP", 1, true}};

static bool along_z(const double offset[3], double *length_m)
{
    *length_m = -offset[2];
    return fabs(offset[0]) < 1e-9 && fabs(offset[1]) < 1e-9 && offset[2] < 0.0;
}

enum status arm_from_model(const struct robot_model *model, enum side side, struct arm *arm)
{
    const struct robot_link *link[ARM_JOINTS];
    bool good = true;
    int parent = arm->torso = robot_model_link(model, "torso");
    for (int i = 0; i < ARM_JOINTS && good; i++) {
        char name[ROBOT_NAME_MAX];
        snprintf(name, sizeof name, "%c%s", side == SIDE_RIGHT ? 'R' : 'L', chain[i].name);
        arm->joint[i] = robot_model_joint(model, name);
        if (arm->joint[i] < 0) {
            log_error("robot model: joint %s is missing; an arm needs SP SR SY EB WY WP", name);
            return STATUS_INVALID;
        }
        const struct robot_joint *joint = &model->joint[arm->joint[i]];
        link[i] = &model->link[joint->link];
        arm->min_rad[i] = joint->position_min_rad;
        arm->max_rad[i] = joint->position_max_rad;
        good = link[i]->parent == parent && link[i]->axis[chain[i].axis] > 1.0 - 1e-9 &&
               (!chain[i].coincident || vec_dot(link[i]->offset_m, link[i]->offset_m) < 1e-18);
        parent = joint->link;
    }
    int hand = robot_model_site(model, side == SIDE_RIGHT ? "right_hand" : "left_hand");
    good = good && hand >= 0 && along_z(link[ARM_EB]->offset_m, &arm->upper_m) &&
           along_z(link[ARM_WY]->offset_m, &arm->fore_m) &&
           along_z(model->site[hand].position_m, &arm->hand_m) &&
           model->link[model->site[hand].link].parent == parent;
    if (!good) {
        log_error(
            "robot model: the %s arm is not pitch-roll-yaw at the shoulder, elbow pitch, yaw-pitch "
            "at the wrist with links along z and the hand below: there is no analytic solution "
            "for it",
            side == SIDE_RIGHT ? "right" : "left");
        return STATUS_INVALID;
    }
    memcpy(arm->shoulder_m, link[ARM_SP]->offset_m, sizeof arm->shoulder_m);
    return STATUS_OK;
}

void arm_forward(const struct arm *arm, const double angle_rad[ARM_JOINTS], double hand_m[3],
                 double hand_rotation[9])
{
    double A[9], B[9], R[9], upper[9];
    rotation_y(angle_rad[ARM_SP], A);
    rotation_x(angle_rad[ARM_SR], B);
    rotation_product(A, B, R);
    rotation_z(angle_rad[ARM_SY], A);
    rotation_product(R, A, upper);
    rotation_y(angle_rad[ARM_EB], A);
    rotation_product(upper, A, R); // forearm
    double fore[3] = {R[2], R[5], R[8]};
    rotation_z(angle_rad[ARM_WY], A);
    rotation_product(R, A, B);
    rotation_y(angle_rad[ARM_WP], A);
    rotation_product(B, A, hand_rotation);
    for (int i = 0; i < 3; i++)
        hand_m[i] = arm->shoulder_m[i] - arm->upper_m * upper[3 * i + 2] - arm->fore_m * fore[i] -
                    arm->hand_m * hand_rotation[3 * i + 2];
}

// Errors of an answer, and its distance to where the arm is.
struct quality {
    double position_m, rotation, travel_rad;
};

static bool better(struct quality a, struct quality b)
{
    if (fabs(a.position_m - b.position_m) > 1e-6)
        return a.position_m < b.position_m;
    if (fabs(a.rotation - b.rotation) > 1e-6)
        return a.rotation < b.rotation;
    return a.travel_rad < b.travel_rad;
}

static struct quality judge(const struct arm *arm, const double angle[ARM_JOINTS],
                            const double hand_m[3], const double hand_rotation[9],
                            const double *near_rad)
{
    double reached_m[3], reached[9], difference[3];
    struct quality quality = {0};
    arm_forward(arm, angle, reached_m, reached);
    vec_subtract(reached_m, hand_m, difference);
    quality.position_m = sqrt(vec_dot(difference, difference));
    for (int i = 0; i < 9; i++)
        quality.rotation = fmax(quality.rotation, fabs(reached[i] - hand_rotation[i]));
    for (int i = 0; i < ARM_JOINTS; i++)
        quality.travel_rad += fabs(angle[i] - (near_rad != NULL ? near_rad[i] : 0.0));
    return quality;
}

// Shoulder angles of the two branches (roll b or pi - b) of R = Ry(SP) Rx(SR) Rz(SY).
static void shoulder_angles(const double R[9], int branch, const double *near_rad,
                            double angle[ARM_JOINTS])
{
    double cosine = hypot(R[3], R[4]);
    if (cosine < 1e-9) { // pitch and yaw axes in line: only their sum matters, keep the yaw
        angle[ARM_SR] = R[5] < 0.0 ? 0.5 * M_PI : -0.5 * M_PI;
        angle[ARM_SY] = near_rad != NULL ? near_rad[ARM_SY] : 0.0;
        double sum = atan2(-R[6], R[0]); // of SP and, with its sign, SY
        angle[ARM_SP] = angle_wrap(sum + (R[5] < 0.0 ? angle[ARM_SY] : -angle[ARM_SY]));
        return;
    }
    double sign = branch == 0 ? 1.0 : -1.0;
    angle[ARM_SR] = atan2(-R[5], sign * cosine);
    angle[ARM_SY] = atan2(sign * R[3], sign * R[4]);
    angle[ARM_SP] = atan2(sign * R[2], sign * R[8]);
}

static double clamp(double value, double low, double high)
{
    return fmax(low, fmin(high, value));
}

// One of four branches: bit 0 the wrist's, bit 1 the shoulder's. `s` is the shoulder's position in
// the hand's frame, at the wrist.
static void solve_branch(const struct arm *arm, const double s[3], const double hand_rotation[9],
                         int branch, const double *near_rad, double angle[ARM_JOINTS])
{
    double u = arm->upper_m, f = arm->fore_m;
    double cosine = clamp((vec_dot(s, s) - u * u - f * f) / (2.0 * u * f), -1.0, 1.0);
    double elbow = clamp(-acos(cosine), arm->min_rad[ARM_EB], arm->max_rad[ARM_EB]);
    double across = -u * sin(elbow),
           along = f + u * cos(elbow); // shoulder seen from the forearm's end
    double sine = across > 1e-9 ? clamp(-s[1] / across, -1.0, 1.0) : 0.0;
    double yaw = asin(sine);
    if (branch & 1)
        yaw = angle_wrap(M_PI - yaw);
    double pitch = angle_wrap(atan2(across * cos(yaw), along) - atan2(s[0], s[2]));
    angle[ARM_EB] = elbow;
    angle[ARM_WY] = clamp(yaw, arm->min_rad[ARM_WY], arm->max_rad[ARM_WY]);
    angle[ARM_WP] = clamp(pitch, arm->min_rad[ARM_WP], arm->max_rad[ARM_WP]);

    double back[9], A[9], B[9], R[9];
    rotation_y(-angle[ARM_WP], back);
    rotation_product(hand_rotation, back, A);
    rotation_z(-angle[ARM_WY], back);
    rotation_product(A, back, B);
    rotation_y(-angle[ARM_EB], back);
    rotation_product(B, back, R);
    shoulder_angles(R, branch >> 1, near_rad, angle);
    for (int i = 0; i < ARM_JOINTS; i++)
        angle[i] = clamp(angle[i], arm->min_rad[i], arm->max_rad[i]);
}

enum status arm_inverse(const struct arm *arm, const double hand_m[3],
                        const double hand_rotation[9], const double *near_rad,
                        double angle_rad[ARM_JOINTS])
{
    double up[3] = {0, 0, arm->hand_m}, wrist[3], difference[3], s[3];
    rotate(hand_rotation, up, wrist);
    vec_add(hand_m, wrist, wrist);
    vec_subtract(arm->shoulder_m, wrist, difference);
    rotate_back(hand_rotation, difference, s);

    struct quality best = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int branch = 0; branch < 4; branch++) {
        double candidate[ARM_JOINTS];
        solve_branch(arm, s, hand_rotation, branch, near_rad, candidate);
        struct quality quality = judge(arm, candidate, hand_m, hand_rotation, near_rad);
        if (better(quality, best)) {
            best = quality;
            memcpy(angle_rad, candidate, sizeof candidate);
        }
    }
    return best.position_m < 1e-5 && best.rotation < 1e-5 ? STATUS_OK : STATUS_UNREACHABLE;
}
