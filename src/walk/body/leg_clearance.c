#include "walk/body/leg_clearance.h"

#include <math.h>
#include <string.h>

#include "model/spatial.h"

#define SHANK_RADIUS_M 0.05
#define THIGH_RADIUS_M 0.055
#define ANKLE_RADIUS_M 0.045
#define FOOT_HALF_HEIGHT_M 0.015
#define ROUNDS 24 // of a search: a segment's nearest point to a ten-thousandth of its length

struct box {
    double centre_m[3], rotation[9], half_m[3];
};

// As the box sees it.
static void seen_from(const struct box *box, const double point_m[3], double seen_m[3])
{
    double away_m[3];
    vec_subtract(point_m, box->centre_m, away_m);
    rotate_back(box->rotation, away_m, seen_m);
}

static double to_point(const double half_m[3], const double seen_m[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double out_m = fabs(seen_m[k]) - half_m[k];
        square += out_m > 0 ? out_m * out_m : 0;
    }
    return sqrt(square);
}

static double at_share(const double half_m[3], const double a[3], const double b[3], double share)
{
    double point_m[3];
    for (int k = 0; k < 3; k++)
        point_m[k] = a[k] + share * (b[k] - a[k]);
    return to_point(half_m, point_m);
}

// Of a segment from a box. The distance from a convex body is convex along a segment: golden
// section.
static double to_segment(const struct box *box, const double a_m[3], const double b_m[3])
{
    const double golden = 0.6180339887498949;
    double a[3], b[3], low = 0, high = 1;
    seen_from(box, a_m, a);
    seen_from(box, b_m, b);
    double left = high - golden, right = golden;
    double at_left = at_share(box->half_m, a, b, left),
           at_right = at_share(box->half_m, a, b, right);
    for (int i = 0; i < ROUNDS; i++) {
        if (at_left <= at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = at_share(box->half_m, a, b, left);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = at_share(box->half_m, a, b, right);
        }
    }
    const double ends = fmin(to_point(box->half_m, a), to_point(box->half_m, b));
    return fmin(ends, fmin(at_left, at_right));
}

// Edge e of a box, 0 <= e < 12: along axis e / 4.
static void edge_of(const struct box *box, int e, double a_m[3], double b_m[3])
{
    const int axis = e / 4, sign[2] = {e & 1 ? 1 : -1, e & 2 ? 1 : -1};
    double end[2][3];
    for (int i = 0; i < 2; i++) {
        end[i][axis] = i == 0 ? -box->half_m[axis] : box->half_m[axis];
        end[i][(axis + 1) % 3] = sign[0] * box->half_m[(axis + 1) % 3];
        end[i][(axis + 2) % 3] = sign[1] * box->half_m[(axis + 2) % 3];
    }
    rotate(box->rotation, end[0], a_m);
    rotate(box->rotation, end[1], b_m);
    vec_add(box->centre_m, a_m, a_m);
    vec_add(box->centre_m, b_m, b_m);
}

// Of two boxes, or less where they are far apart: an edge of one is nearest to the other, or enters
// it.
static double to_box(const struct box *one, const struct box *other)
{
    double least = INFINITY, a[3], b[3];
    seen_from(other, one->centre_m, a);
    const double around_m = to_point(other->half_m, a) - sqrt(vec_dot(one->half_m, one->half_m));
    if (around_m > LEG_CLEARANCE_FAR_M)
        return around_m;
    for (int e = 0; e < 12; e++) {
        edge_of(one, e, a, b);
        least = fmin(least, to_segment(other, a, b));
        edge_of(other, e, a, b);
        least = fmin(least, to_segment(one, a, b));
    }
    return least;
}

static const double *link_of(const struct walk_body_pose *pose, enum side side, int joint)
{
    return pose->link_rotation[1 + (int)side * LEG_JOINTS + joint];
}

// `from` and then so much downwards in a link's frame.
static void below(const double from[3], const double rotation[9], double down_m, double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = from[k] - down_m * rotation[3 * k + 2];
}

static void find_joints(const struct walk_body *body, const struct walk_body_pose *pose,
                        enum side side, double hip_m[3], double knee_m[3], double ankle_m[3])
{
    const struct leg *leg = &body->leg[side];
    rotate(pose->link_rotation[0], leg->hip_m, hip_m);
    vec_add(pose->pelvis_m, hip_m, hip_m);
    below(hip_m, link_of(pose, side, LEG_HP), leg->thigh_m, knee_m);
    below(knee_m, link_of(pose, side, LEG_KN), leg->shank_m, ankle_m);
}

static void nearer(struct leg_clearance *clearance, double distance_m, enum side side,
                   const char *link)
{
    if (distance_m < clearance->distance_m)
        *clearance = (struct leg_clearance){distance_m, side, link};
}

static void of_leg(const struct walk_body *body, const struct walk_body_pose *pose, enum side side,
                   const struct box *obstacle, struct leg_clearance *clearance)
{
    const double *sole = link_of(pose, side, LEG_AR);
    const struct sole *under = &body->leg[side].sole;
    double hip_m[3], knee_m[3], ankle_m[3], instep_m[3], tip_m[2], beside_m[3];
    walk_body_tips(body, tip_m);
    struct box foot = {.half_m = {0.5 * (tip_m[1] - tip_m[0]),
                                  0.5 * (under->left_m - under->right_m), FOOT_HALF_HEIGHT_M}};
    const double middle_m[3] = {0.5 * (tip_m[1] + tip_m[0]),
                                0.5 * (under->left_m + under->right_m)};
    find_joints(body, pose, side, hip_m, knee_m, ankle_m);
    const double above_m = body->leg[side].ankle_m - FOOT_HALF_HEIGHT_M;
    below(ankle_m, sole, above_m, foot.centre_m);
    rotate(sole, middle_m, beside_m);
    vec_add(foot.centre_m, beside_m, foot.centre_m);
    below(ankle_m, sole, above_m - FOOT_HALF_HEIGHT_M, instep_m);
    memcpy(foot.rotation, sole, sizeof foot.rotation);
    nearer(clearance, to_box(&foot, obstacle), side, "foot");
    nearer(clearance, to_segment(obstacle, ankle_m, instep_m) - ANKLE_RADIUS_M, side, "foot");
    nearer(clearance, to_segment(obstacle, knee_m, ankle_m) - SHANK_RADIUS_M, side, "shank");
    nearer(clearance, to_segment(obstacle, hip_m, knee_m) - THIGH_RADIUS_M, side, "thigh");
}

void leg_clearance(const struct walk_body *body, const struct walk_body_pose *pose,
                   const struct walk_obstacle *obstacle, struct leg_clearance *clearance)
{
    struct box box;
    memcpy(box.centre_m, obstacle->centre_m, sizeof box.centre_m);
    memcpy(box.half_m, obstacle->half_m, sizeof box.half_m);
    rotation_z(obstacle->yaw_rad, box.rotation);
    clearance->distance_m = INFINITY;
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        of_leg(body, pose, side, &box, clearance);
}
