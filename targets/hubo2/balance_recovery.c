#include "targets/hubo2/balance_recovery.h"

#include <math.h>

#include "model/spatial.h"

#define LOADED_SHARE 0.8 // of the weight: this foot alone carries it
#define FLAT_M 0.002     // soles in one plane: nothing to bring down
#define FLAT_RAD 0.005
#define LOWER_SPEED_M_S 0.05 // peak speeds: slow enough for the motion to be quasi-static
#define SHIFT_SPEED_M_S 0.08
#define TURN_SPEED_RAD_S 0.25
#define LOWER_MIN_S 0.6
#define SHIFT_MIN_S 1.0
#define QUINTIC_PEAK 1.875 // peak speed of the minimum-jerk polynomial over the mean speed

enum side recovery_anchor(const double sole_z_m[SIDE_COUNT], const double force_N[SIDE_COUNT],
                          double weight_N)
{
    bool right = force_N[SIDE_RIGHT] > LOADED_SHARE * weight_N;
    bool left = force_N[SIDE_LEFT] > LOADED_SHARE * weight_N;
    if (right != left)
        return right ? SIDE_RIGHT : SIDE_LEFT;
    return sole_z_m[SIDE_LEFT] < sole_z_m[SIDE_RIGHT] ? SIDE_LEFT : SIDE_RIGHT;
}

static void angles_of(const double R[9], double rpy[3])
{
    rpy[0] = atan2(R[7], R[8]);
    rpy[1] = atan2(-R[6], hypot(R[7], R[8]));
    rpy[2] = atan2(R[3], R[0]);
}

void recovery_observe(const struct leg leg[SIDE_COUNT],
                      const double angle_rad[SIDE_COUNT][LEG_JOINTS], enum side anchor,
                      struct pose2d anchor_at, struct body_pose *pose)
{
    double sole_m[SIDE_COUNT][3], sole_rotation[SIDE_COUNT][9]; // in the pelvis' frame
    for (int side = 0; side < SIDE_COUNT; side++)
        leg_forward(&leg[side], angle_rad[side], sole_m[side], sole_rotation[side]);
    double ground[9], back[9], pelvis[9], offset[3];
    rotation_z(anchor_at.yaw_rad, ground);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            back[3 * i + j] = sole_rotation[anchor][3 * j + i];
    rotation_product(ground, back, pelvis);
    rotate(pelvis, sole_m[anchor], offset);
    double at[3] = {anchor_at.x_m, anchor_at.y_m, 0};
    vec_subtract(at, offset, pose->pelvis_m);
    angles_of(pelvis, pose->pelvis_rpy);
    for (int side = 0; side < SIDE_COUNT; side++) {
        double R[9], relative[3];
        rotation_product(pelvis, sole_rotation[side], R);
        rotate(pelvis, sole_m[side], relative);
        vec_add(pose->pelvis_m, relative, pose->sole_m[side]);
        angles_of(R, pose->sole_rpy[side]);
    }
}

void recovery_feet(const struct body_pose *pose, struct pose2d foot[SIDE_COUNT])
{
    for (int side = 0; side < SIDE_COUNT; side++)
        foot[side] =
            (struct pose2d){pose->sole_m[side][0], pose->sole_m[side][1], pose->sole_rpy[side][2]};
}

static void inverse(const struct leg leg[SIDE_COUNT], const struct body_pose *pose,
                    double angle_rad[SIDE_COUNT][LEG_JOINTS])
{
    double pelvis[9], sole[9];
    rotation_rpy(pose->pelvis_rpy[0], pose->pelvis_rpy[1], pose->pelvis_rpy[2], pelvis);
    for (int side = 0; side < SIDE_COUNT; side++) {
        const double *rpy = pose->sole_rpy[side];
        rotation_rpy(rpy[0], rpy[1], rpy[2], sole);
        // A leg that does not reach comes as near as it can: the best there is in a recovery.
        enum status reached = leg_inverse(&leg[side], pose->pelvis_m, pelvis, pose->sole_m[side],
                                          sole, angle_rad[side]);
        (void)reached;
    }
}

static double distance(const double a[3], const double b[3])
{
    double d[3];
    vec_subtract(a, b, d);
    return sqrt(vec_dot(d, d));
}

static double turn(const double a[3], const double b[3])
{
    double largest = 0;
    for (int i = 0; i < 3; i++)
        largest = fmax(largest, fabs(angle_wrap(a[i] - b[i])));
    return largest;
}

static double time_for(double distance_m, double speed_m_s, double angle_rad)
{
    return QUINTIC_PEAK * fmax(distance_m / speed_m_s, angle_rad / TURN_SPEED_RAD_S);
}

void recovery_start(struct recovery *recovery, const struct leg leg[SIDE_COUNT],
                    const double angle_rad[SIDE_COUNT][LEG_JOINTS], const struct body_pose *found,
                    enum side anchor, const struct segment_sample *stand)
{
    enum side other = anchor == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT;
    recovery->anchor = anchor;
    recovery->time_s = 0;
    recovery->key[0] = *found;
    recovery->key[1] = *found;
    recovery->key[1].sole_m[other][2] = 0;
    recovery->key[1].sole_rpy[other][0] = 0;
    recovery->key[1].sole_rpy[other][1] = 0;
    recovery->key[2] = recovery->key[1];
    struct body_pose *standing = &recovery->key[2];
    for (int i = 0; i < 3; i++)
        standing->pelvis_m[i] = stand->pelvis_m[i];
    standing->pelvis_rpy[0] = 0;
    standing->pelvis_rpy[1] = 0;
    standing->pelvis_rpy[2] += angle_wrap(stand->pelvis_yaw_rad - found->pelvis_rpy[2]);
    double height = fabs(found->sole_m[other][2]),
           tilt = turn(found->sole_rpy[other], recovery->key[1].sole_rpy[other]);
    bool flat = height < FLAT_M && tilt < FLAT_RAD;
    recovery->duration_s[0] = flat ? 0 : fmax(LOWER_MIN_S, time_for(height, LOWER_SPEED_M_S, tilt));
    recovery->duration_s[1] =
        fmax(SHIFT_MIN_S, time_for(distance(found->pelvis_m, standing->pelvis_m), SHIFT_SPEED_M_S,
                                   turn(found->pelvis_rpy, standing->pelvis_rpy)));
    if (flat)
        recovery->key[0] = recovery->key[1];
    inverse(leg, &recovery->key[0], recovery->offset_rad);
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int j = 0; j < LEG_JOINTS; j++)
            recovery->offset_rad[side][j] = angle_rad[side][j] - recovery->offset_rad[side][j];
}

static double quintic(double s)
{
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    return s * s * s * (10 - 15 * s + 6 * s * s);
}

static void blend(const double a[3], const double b[3], double s, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] + (b[i] - a[i]) * s;
}

bool recovery_step(struct recovery *recovery, const struct leg leg[SIDE_COUNT], double period_s,
                   double angle_rad[SIDE_COUNT][LEG_JOINTS])
{
    recovery->time_s += period_s;
    double total = recovery->duration_s[0] + recovery->duration_s[1];
    bool lowering = recovery->time_s < recovery->duration_s[0];
    const struct body_pose *from = &recovery->key[lowering ? 0 : 1],
                           *to = &recovery->key[lowering ? 1 : 2];
    double s =
        lowering ? quintic(recovery->time_s / recovery->duration_s[0])
                 : quintic((recovery->time_s - recovery->duration_s[0]) / recovery->duration_s[1]);
    struct body_pose pose;
    blend(from->pelvis_m, to->pelvis_m, s, pose.pelvis_m);
    blend(from->pelvis_rpy, to->pelvis_rpy, s, pose.pelvis_rpy);
    for (int side = 0; side < SIDE_COUNT; side++) {
        blend(from->sole_m[side], to->sole_m[side], s, pose.sole_m[side]);
        blend(from->sole_rpy[side], to->sole_rpy[side], s, pose.sole_rpy[side]);
    }
    inverse(leg, &pose, angle_rad);
    double fade = 1 - quintic(recovery->time_s / total);
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int j = 0; j < LEG_JOINTS; j++)
            angle_rad[side][j] += fade * recovery->offset_rad[side][j];
    return recovery->time_s >= total;
}
