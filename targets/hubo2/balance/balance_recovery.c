#include "targets/hubo2/balance/balance_recovery.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "model/spatial.h"
#include "targets/hubo2/balance/balance_reach.h"

#define SOLE_HALF_LENGTH_M 0.105
#define SOLE_HALF_WIDTH_M 0.065
#define LOADED_SHARE 0.8  // of the weight: this foot alone carries it
#define LIFTED_SHARE 0.05 // a foot with less is in the air
#define TILTED_RAD 0.02   // less may be the IMU's error or the floor's
#define EDGE_RAD 0.01     // likewise: less is no standing on an edge
#define FLAT_M 0.002      // soles in one plane: nothing to bring down
#define FLAT_RAD 0.005
#define FOOT_SPEED_M_S 0.18 // peak speeds: slow enough for the motion to be quasi-static
#define SHIFT_SPEED_M_S 0.15
#define TURN_SPEED_RAD_S 0.7
#define JOINT_SPEED_RAD_S 1.4
#define ANCHOR_MIN_S 2.0
#define LOWER_MIN_S 0.8
#define SHIFT_MIN_S 1.0
#define LATE_MAX_S 2.0     // joints at their speed limit may take so much longer
#define ARRIVED 1e-3       // see leg_follow
#define QUINTIC_PEAK 1.875 // peak speed of the minimum-jerk polynomial over the mean speed
#define SHIFT_MAX_M 0.06
#define RAISE_M 0.04
#define STRIDE_MAX_M 0.22 // where a lifted foot is set down, seen from the anchor
#define SIDEWAYS_MIN_M 0.15
#define SIDEWAYS_MAX_M 0.28
#define FOOT_TURN_MAX_RAD 0.3
#define APART_M 0.08 // so far beyond that a foot on the floor is stepped with

static enum side other_of(enum side side)
{
    expects(side < SIDE_COUNT);
    return side == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT;
}

enum side recovery_anchor(const double sole_z_m[SIDE_COUNT], const double sole_tilt_rad[SIDE_COUNT],
                          const double force_N[SIDE_COUNT], double weight_N)
{
    bool right = force_N[SIDE_RIGHT] > LOADED_SHARE * weight_N;
    bool left = force_N[SIDE_LEFT] > LOADED_SHARE * weight_N;
    if (right != left)
        return right ? SIDE_RIGHT : SIDE_LEFT;
    double flatter = sole_tilt_rad[SIDE_RIGHT] - sole_tilt_rad[SIDE_LEFT];
    if (fabs(flatter) > TILTED_RAD)
        return flatter < 0 ? SIDE_RIGHT : SIDE_LEFT;
    return sole_z_m[SIDE_LEFT] < sole_z_m[SIDE_RIGHT] ? SIDE_LEFT : SIDE_RIGHT;
}

static void angles_of(const double R[9], double rpy[3])
{
    rpy[0] = atan2(R[7], R[8]);
    rpy[1] = atan2(-R[6], hypot(R[7], R[8]));
    rpy[2] = atan2(R[3], R[0]);
}

static double tilt_of(const double R[9])
{
    return acos(fmax(-1, fmin(1, R[8])));
}

static void transpose(const double R[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = R[3 * j + i];
}

// Where a point of a sole (in its frame) is.
static void sole_point(const struct body_pose *pose, int side, const double point[3], double at[3])
{
    double R[9];
    const double *rpy = pose->sole_rpy[side];
    rotation_rpy(rpy[0], rpy[1], rpy[2], R);
    rotate(R, point, at);
    vec_add(pose->sole_m[side], at, at);
}

// The point of a sole nearest to the floor: in the middle of an edge, a corner, or the centre of a
// flat sole.
static void lowest_point(const double rpy[3], double point[3])
{
    point[0] = fabs(rpy[1]) < EDGE_RAD ? 0 : copysign(SOLE_HALF_LENGTH_M, rpy[1]);
    point[1] = fabs(rpy[0]) < EDGE_RAD ? 0 : copysign(SOLE_HALF_WIDTH_M, -rpy[0]);
    point[2] = 0;
}

// Pelvis and soles with the pelvis' attitude given by R; the anchor's sole comes to its place on
// the floor.
static void place(struct rest *rest, const double pelvis[9], const double sole_m[SIDE_COUNT][3],
                  const double sole_rotation[SIDE_COUNT][9], struct pose2d at)
{
    struct body_pose *pose = &rest->pose;
    double R[9], lowest[SIDE_COUNT], point[3];
    angles_of(pelvis, pose->pelvis_rpy);
    for (int side = 0; side < SIDE_COUNT; side++) {
        rotation_product(pelvis, sole_rotation[side], R);
        rotate(pelvis, sole_m[side], pose->sole_m[side]);
        angles_of(R, pose->sole_rpy[side]);
        lowest_point(pose->sole_rpy[side], rest->contact_m[side]);
        sole_point(pose, side, rest->contact_m[side], point);
        lowest[side] = point[2];
    }
    enum side other = other_of(rest->anchor);
    double shift[3] = {
        at.x_m - pose->sole_m[rest->anchor][0], at.y_m - pose->sole_m[rest->anchor][1],
        rest->touches || rest->lifted ? -lowest[rest->anchor] : -fmin(lowest[0], lowest[1])};
    memcpy(pose->pelvis_m, shift, sizeof shift);
    for (int side = 0; side < SIDE_COUNT; side++)
        vec_add(pose->sole_m[side], shift, pose->sole_m[side]);
    if (rest->lifted)
        memset(rest->contact_m[other], 0, sizeof rest->contact_m[other]);
}

static double limit(double value, double lowest, double highest)
{
    return fmax(lowest, fmin(highest, value));
}

void recovery_flat(const struct rest *rest, struct pose2d foot[SIDE_COUNT])
{
    for (int side = 0; side < SIDE_COUNT; side++) {
        double at[3], yaw = rest->pose.sole_rpy[side][2];
        const double *contact = rest->contact_m[side];
        sole_point(&rest->pose, side, contact, at);
        foot[side] = (struct pose2d){at[0] - cos(yaw) * contact[0] + sin(yaw) * contact[1],
                                     at[1] - sin(yaw) * contact[0] - cos(yaw) * contact[1], yaw};
    }
}

// Where the other foot is to be set down.
static struct pose2d foothold(enum side side, struct pose2d anchor, struct pose2d other)
{
    double c = cos(anchor.yaw_rad), s = sin(anchor.yaw_rad);
    double dx = other.x_m - anchor.x_m, dy = other.y_m - anchor.y_m;
    double outwards = side == SIDE_RIGHT ? 1 : -1;
    double forward = limit(c * dx + s * dy, -STRIDE_MAX_M, STRIDE_MAX_M);
    double sideways =
        outwards * limit(outwards * (c * dy - s * dx), SIDEWAYS_MIN_M, SIDEWAYS_MAX_M);
    return (struct pose2d){anchor.x_m + c * forward - s * sideways,
                           anchor.y_m + s * forward + c * sideways,
                           anchor.yaw_rad + limit(angle_wrap(other.yaw_rad - anchor.yaw_rad),
                                                  -FOOT_TURN_MAX_RAD, FOOT_TURN_MAX_RAD)};
}

void recovery_observe(const struct leg leg[SIDE_COUNT], const struct recovery_senses *senses,
                      const struct pose2d foot[SIDE_COUNT], struct rest *rest)
{
    double sole_m[SIDE_COUNT][3], sole_rotation[SIDE_COUNT][9]; // in the pelvis' frame
    double imu[9], level[9], R[9], height[SIDE_COUNT], tilt[SIDE_COUNT], at[3];
    rotation_rpy(senses->imu_valid ? senses->roll_rad : 0,
                 senses->imu_valid ? senses->pitch_rad : 0, 0, imu);
    for (int side = 0; side < SIDE_COUNT; side++) {
        leg_forward(&leg[side], senses->angle_rad[side], sole_m[side], sole_rotation[side]);
        rotate(imu, sole_m[side], at);
        rotation_product(imu, sole_rotation[side], R);
        height[side] = at[2];
        tilt[side] = tilt_of(R);
    }
    rest->anchor = recovery_anchor(height, tilt, senses->force_N, senses->weight_N);
    enum side anchor = rest->anchor;
    rest->lifted = senses->force_N[anchor] > LOADED_SHARE * senses->weight_N &&
                   senses->force_N[other_of(anchor)] < LIFTED_SHARE * senses->weight_N;
    rest->touches = senses->force_N[other_of(anchor)] >= LIFTED_SHARE * senses->weight_N;
    if (senses->imu_valid && tilt[anchor] > TILTED_RAD)
        memcpy(level, imu, sizeof level);
    else
        transpose(sole_rotation[anchor], level);
    rotation_product(level, sole_rotation[anchor], R);
    double yaw[9], pelvis[9];
    rotation_z(foot[anchor].yaw_rad - atan2(R[3], R[0]), yaw);
    rotation_product(yaw, level, pelvis);
    place(rest, pelvis, sole_m, sole_rotation, foot[anchor]);
    struct pose2d flat[SIDE_COUNT];
    recovery_flat(rest, flat);
    const struct pose2d *other = &flat[other_of(anchor)];
    struct pose2d wanted = foothold(anchor, flat[anchor], *other);
    rest->apart =
        !rest->lifted && hypot(wanted.x_m - other->x_m, wanted.y_m - other->y_m) > APART_M;
}

void recovery_feet(const struct rest *rest, struct pose2d foot[SIDE_COUNT])
{
    enum side other = other_of(rest->anchor);
    recovery_flat(rest, foot);
    if (rest->lifted || rest->apart)
        foot[other] = foothold(rest->anchor, foot[rest->anchor], foot[other]);
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

static void pelvis_to(struct body_pose *pose, const double pelvis_m[3], double yaw_rad)
{
    memcpy(pose->pelvis_m, pelvis_m, sizeof pose->pelvis_m);
    pose->pelvis_rpy[0] = 0;
    pose->pelvis_rpy[1] = 0;
    pose->pelvis_rpy[2] += angle_wrap(yaw_rad - pose->pelvis_rpy[2]);
}

static void sole_to(struct body_pose *pose, enum side side, struct pose2d at)
{
    double *rpy = pose->sole_rpy[side];
    memcpy(pose->sole_m[side], (double[3]){at.x_m, at.y_m, 0}, sizeof pose->sole_m[side]);
    rpy[0] = 0;
    rpy[1] = 0;
    rpy[2] += angle_wrap(at.yaw_rad - rpy[2]);
}

// Lays a sole flat about its contact. Angles that may be the IMU's error remain, and so does the
// height of a foot that carries weight: on three corners, a robot is tipped over by a millimetre.
static void lay_flat(const struct rest *rest, enum side side, struct pose2d at,
                     struct body_pose *pose)
{
    const double *found = rest->pose.sole_rpy[side];
    double contact[3];
    sole_point(&rest->pose, (int)side, rest->contact_m[side], contact);
    sole_to(pose, side, at);
    for (int i = 0; i < 2; i++)
        pose->sole_rpy[side][i] = fabs(found[i]) < EDGE_RAD ? found[i] : 0;
    if (side == rest->anchor || rest->touches)
        pose->sole_m[side][2] = contact[2];
}

// Appends a pose, to be reached at the speeds above but in no less than least_s; a pose that is no
// motion is left out.
static void append(struct recovery *recovery, const struct body_pose *next, double least_s)
{
    invariant(recovery->keys >= 1);
    invariant(recovery->keys < sizeof recovery->key / sizeof recovery->key[0]);
    const struct body_pose *last = &recovery->key[recovery->keys - 1];
    double walk = distance(last->pelvis_m, next->pelvis_m) / SHIFT_SPEED_M_S,
           angle = turn(last->pelvis_rpy, next->pelvis_rpy);
    for (int side = 0; side < SIDE_COUNT; side++) {
        walk = fmax(walk, distance(last->sole_m[side], next->sole_m[side]) / FOOT_SPEED_M_S);
        angle = fmax(angle, turn(last->sole_rpy[side], next->sole_rpy[side]));
    }
    if (walk * FOOT_SPEED_M_S < FLAT_M && angle < FLAT_RAD)
        return;
    recovery->duration_s[recovery->keys - 1] =
        fmax(least_s, QUINTIC_PEAK * fmax(walk, angle / TURN_SPEED_RAD_S));
    recovery->key[recovery->keys++] = *next;
}

// The other foot half way to where it is to be set down, above the floor.
static void append_raised(struct recovery *recovery, const struct body_pose *from, enum side side,
                          struct pose2d to)
{
    struct body_pose raised = *from;
    sole_to(&raised, side, to);
    for (int i = 0; i < 3; i++) {
        raised.sole_m[side][i] = 0.5 * (raised.sole_m[side][i] + from->sole_m[side][i]);
        raised.sole_rpy[side][i] = 0.5 * (raised.sole_rpy[side][i] + from->sole_rpy[side][i]);
    }
    raised.sole_m[side][2] = RAISE_M;
    append(recovery, &raised, LOWER_MIN_S);
}

// Moves the pelvis as far as the line between the points of contact moves when it becomes the line
// between the soles' centres: a robot on the edges of its feet stands on little more than that
// line.
static void off_the_edges(const struct rest *rest, const struct pose2d flat[SIDE_COUNT],
                          double pelvis_m[3])
{
    enum side a = rest->anchor, b = other_of(a);
    double from[SIDE_COUNT][3], shift[2];
    for (int side = 0; side < SIDE_COUNT; side++)
        sole_point(&rest->pose, side, rest->contact_m[side], from[side]);
    double along[2] = {from[b][0] - from[a][0], from[b][1] - from[a][1]};
    double share = ((pelvis_m[0] - from[a][0]) * along[0] + (pelvis_m[1] - from[a][1]) * along[1]) /
                   (along[0] * along[0] + along[1] * along[1] + 1e-6);
    share = limit(share, 0, 1);
    shift[0] = (1 - share) * (flat[a].x_m - from[a][0]) + share * (flat[b].x_m - from[b][0]);
    shift[1] = (1 - share) * (flat[a].y_m - from[a][1]) + share * (flat[b].y_m - from[b][1]);
    double length = hypot(shift[0], shift[1]);
    for (int i = 0; i < 2; i++)
        pelvis_m[i] += length > SHIFT_MAX_M ? shift[i] * SHIFT_MAX_M / length : shift[i];
}

void recovery_start(struct recovery *recovery, const struct recovery_senses *senses,
                    const struct rest *rest, const double anchored_m[3],
                    const struct segment_sample *stand)
{
    enum side other = other_of(rest->anchor);
    struct pose2d flat[SIDE_COUNT], foot[SIDE_COUNT];
    recovery_flat(rest, flat);
    recovery_feet(rest, foot);
    memset(recovery, 0, sizeof *recovery);
    memcpy(recovery->contact_m, rest->contact_m, sizeof recovery->contact_m);
    memcpy(recovery->angle_rad, senses->angle_rad, sizeof recovery->angle_rad);
    recovery->key[0] = rest->pose;
    recovery->keys = 1;
    struct body_pose next = rest->pose;
    if (!rest->lifted) {
        lay_flat(rest, rest->anchor, flat[rest->anchor], &next);
        append(recovery, &next, LOWER_MIN_S);
        off_the_edges(rest, flat, next.pelvis_m);
        lay_flat(rest, other, flat[other], &next);
        append(recovery, &next, LOWER_MIN_S);
    }
    if (rest->lifted || rest->apart) {
        pelvis_to(&next, anchored_m, next.pelvis_rpy[2]);
        append(recovery, &next, ANCHOR_MIN_S);
        if (rest->apart)
            append_raised(recovery, &next, other, foot[other]);
        sole_to(&next, other, foot[other]);
        append(recovery, &next, LOWER_MIN_S);
    }
    sole_to(&next, rest->anchor, foot[rest->anchor]);
    sole_to(&next, other, foot[other]);
    pelvis_to(&next, stand->pelvis_m, stand->pelvis_yaw_rad);
    append(recovery, &next, SHIFT_MIN_S);
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

// The pose between two keys; each sole turns about its point of contact.
static void between(const struct recovery *recovery, const struct body_pose *from,
                    const struct body_pose *to, double s, struct body_pose *pose)
{
    blend(from->pelvis_m, to->pelvis_m, s, pose->pelvis_m);
    blend(from->pelvis_rpy, to->pelvis_rpy, s, pose->pelvis_rpy);
    for (int side = 0; side < SIDE_COUNT; side++) {
        double before[3], after[3], at[3], R[9], offset[3];
        const double *contact = recovery->contact_m[side], *rpy = pose->sole_rpy[side];
        sole_point(from, side, contact, before);
        sole_point(to, side, contact, after);
        blend(before, after, s, at);
        blend(from->sole_rpy[side], to->sole_rpy[side], s, pose->sole_rpy[side]);
        rotation_rpy(rpy[0], rpy[1], rpy[2], R);
        rotate(R, contact, offset);
        vec_subtract(at, offset, pose->sole_m[side]);
    }
}

// One cycle of both legs towards a pose; returns how far off they are.
static double follow(struct recovery *recovery, const struct leg leg[SIDE_COUNT],
                     const struct body_pose *pose, double step_max_rad)
{
    double pelvis[9], sole[9], relative[9], arm[3], at[3], off = 0;
    rotation_rpy(pose->pelvis_rpy[0], pose->pelvis_rpy[1], pose->pelvis_rpy[2], pelvis);
    for (int side = 0; side < SIDE_COUNT; side++) {
        const double *rpy = pose->sole_rpy[side];
        rotation_rpy(rpy[0], rpy[1], rpy[2], sole);
        rotation_relative(pelvis, sole, relative);
        vec_subtract(pose->sole_m[side], pose->pelvis_m, arm);
        rotate_back(pelvis, arm, at);
        off = fmax(off,
                   leg_follow(&leg[side], at, relative, step_max_rad, recovery->angle_rad[side]));
    }
    return off;
}

bool recovery_step(struct recovery *recovery, const struct leg leg[SIDE_COUNT], double period_s,
                   double angle_rad[SIDE_COUNT][LEG_JOINTS])
{
    recovery->time_s += period_s;
    struct body_pose pose = recovery->key[recovery->keys - 1];
    double since = recovery->time_s;
    for (unsigned part = 0; part + 1 < recovery->keys; part++) {
        if (since < recovery->duration_s[part]) {
            between(recovery, &recovery->key[part], &recovery->key[part + 1],
                    quintic(since / recovery->duration_s[part]), &pose);
            since = -1;
            break;
        }
        since -= recovery->duration_s[part];
    }
    double off = follow(recovery, leg, &pose, JOINT_SPEED_RAD_S * period_s);
    memcpy(angle_rad, recovery->angle_rad, sizeof recovery->angle_rad);
    return since >= LATE_MAX_S || (since >= 0 && off < ARRIVED);
}
