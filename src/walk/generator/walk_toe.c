// Passive toe joints (Stasse et al. 2008, section 6.1): the ZMP goes from a foot's heel beyond its
// toe joint while the foot carries alone; the spring yields, and the foot turns about the joint.
#include <math.h>

#include "base/log.h"
#include "model/spatial.h"
#include "walk/generator/walkgen_private.h"

#define IN_SOLE_M 0.002   // how far a toe joint may be from the sole's plane
#define TOE_OF_STRIDE 0.4 // a short step moves the ZMP no farther ahead than so much of it
#define HEEL_OF_STRIDE 0.2

static enum status find_toe(const struct robot_model *model, enum side side, struct walk_toe *toe)
{
    static const char *const joint[] = {"RTO", "LTO"}, *const tip[] = {"right_toe", "left_toe"},
                             *const sole[] = {"ft_right_foot", "ft_left_foot"};
    static const double zero[3] = {0}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double angle_rad[ROBOT_JOINTS_MAX] = {0};
    struct robot_pose pose;
    double sole_m[3], tip_m[3], hinge_m[3];
    const int p = robot_model_passive(model, joint[side]), t = robot_model_site(model, tip[side]);
    *toe = (struct walk_toe){0};
    if (p < 0)
        return STATUS_OK;
    const struct robot_passive *passive = &model->passive[p];
    robot_model_forward(model, zero, identity, angle_rad, &pose);
    robot_model_site_position(model, &pose, robot_model_site(model, sole[side]), sole_m);
    if (t >= 0)
        robot_model_site_position(model, &pose, t, tip_m);
    vec_subtract(pose.origin_m[passive->link], sole_m, hinge_m);
    if (t < 0 || fabs(hinge_m[2]) > IN_SOLE_M || model->link[passive->link].axis[1] > -1 + 1e-9 ||
        passive->position_min_rad != 0 || tip_m[0] - sole_m[0] <= hinge_m[0] || hinge_m[0] <= 0) {
        log_error("robot model: toe joint %s is not in the sole's plane ahead of the ankle, with "
                  "axis 0 -1 0, a range from 0, and its tip at a site %s",
                  joint[side], tip[side]);
        return STATUS_INVALID;
    }
    *toe = (struct walk_toe){.there = true,
                             .hinge_m = hinge_m[0],
                             .tip_m = tip_m[0] - sole_m[0],
                             .stiffness_Nm_rad = passive->stiffness_Nm_rad,
                             .damping_Nms_rad = passive->damping_Nms_rad,
                             .max_rad = passive->position_max_rad};
    return STATUS_OK;
}

static bool same(double one, double other)
{
    return fabs(one - other) <= 1e-9;
}

static bool are_alike(const struct walk_toe *one, const struct walk_toe *other)
{
    return one->there == other->there && same(one->hinge_m, other->hinge_m) &&
           same(one->tip_m, other->tip_m) && same(one->max_rad, other->max_rad) &&
           same(one->stiffness_Nm_rad, other->stiffness_Nm_rad) &&
           same(one->damping_Nms_rad, other->damping_Nms_rad);
}

enum status walk_toe_from_model(const struct robot_model *model, struct walk_toe *toe)
{
    struct walk_toe left;
    enum status status = find_toe(model, SIDE_RIGHT, toe);
    if (status == STATUS_OK)
        status = find_toe(model, SIDE_LEFT, &left);
    if (status == STATUS_OK && !are_alike(toe, &left)) {
        log_error("robot model: its feet have different toes; give both the same");
        status = STATUS_INVALID;
    }
    return status;
}

void walk_toe_roll(double hinge_m, double angle_rad, struct walk_foot *foot)
{
    const double from_rad = foot->pitch_rad, to_rad = from_rad + angle_rad;
    const double ahead_m = hinge_m * (cos(from_rad) - cos(to_rad));
    foot->position_m[0] += cos(foot->yaw_rad) * ahead_m;
    foot->position_m[1] += sin(foot->yaw_rad) * ahead_m;
    foot->position_m[2] += hinge_m * (sin(to_rad) - sin(from_rad));
    foot->pitch_rad = to_rad;
}

void walk_toe_block(const struct walk_toe *toe, const struct walk_settings *settings,
                    double stride_m, double stride_before_m, struct walk_block *block)
{
    const double most_m = fmax(0, fmin(stride_m * TOE_OF_STRIDE, toe->tip_m));
    block->toe_m = fmin(toe->hinge_m + settings->toe[1], most_m);
    block->heel_m = fmin(settings->toe[0], fmax(0, HEEL_OF_STRIDE * stride_before_m));
    block->stage = settings->toe[2];
}

// How far ahead of a pose a point is.
static double ahead_of(const struct pose2d *pose, const double point_m[2])
{
    return cos(pose->yaw_rad) * (point_m[0] - pose->x_m) +
           sin(pose->yaw_rad) * (point_m[1] - pose->y_m);
}

double walk_toe_moment(const struct walk_body *body, const struct pose2d *foot, double share,
                       const double zmp_m[2])
{
    const double beyond_m = ahead_of(foot, zmp_m) - body->toe.hinge_m;
    return share * body->mass_kg * PREVIEW_GRAVITY_M_S2 * fmax(0, beyond_m);
}

double walk_toe_share(const double from_m[2], const double to_m[2], const double zmp_m[2])
{
    const double way[2] = {to_m[0] - from_m[0], to_m[1] - from_m[1]};
    const double square = way[0] * way[0] + way[1] * way[1];
    const double gone = (zmp_m[0] - from_m[0]) * way[0] + (zmp_m[1] - from_m[1]) * way[1];
    return square < 1e-8 ? 0 : fmax(0, fmin(1, 1 - gone / square));
}

double walk_toe_relax(const struct walk_toe *toe, double angle_rad, double roll_rad,
                      double period_s)
{
    return fmax(roll_rad, walk_toe_yield(toe, angle_rad, 0, period_s));
}

double walk_toe_yield(const struct walk_toe *toe, double angle_rad, double moment_Nm,
                      double period_s)
{
    const double rate_rad_s =
        (moment_Nm - toe->stiffness_Nm_rad * angle_rad) / toe->damping_Nms_rad;
    return fmax(0, fmin(toe->max_rad, angle_rad + period_s * rate_rad_s));
}
