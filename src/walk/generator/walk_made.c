// What of the references is made: their ring, the marks in it, and where the sequence has got to.
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "walk/generator/walkgen_private.h"

unsigned walk_samples(double time_s, double period_s)
{
    expects(period_s > 0);
    return (unsigned)lround(time_s / period_s);
}

struct pose2d walk_step_pose(struct pose2d support, const struct walk_step *step)
{
    const double yaw = support.yaw_rad + step->yaw_rad, c = cos(yaw), s = sin(yaw);
    return (struct pose2d){support.x_m + c * step->x_m - s * step->y_m,
                           support.y_m + s * step->x_m + c * step->y_m, yaw};
}

const struct walk_reference *walk_reference_at(const struct walkgen *walkgen, int64_t sample)
{
    return &walkgen->reference[sample & (WALK_AHEAD_MAX - 1)];
}

const double *walk_zmp_from(const struct walkgen *walkgen, int axis, int64_t sample)
{
    return &walkgen->zmp_m[axis][sample & (WALK_AHEAD_MAX - 1)];
}

void walk_reference_append(struct walkgen *walkgen, const struct walk_reference *reference,
                           const double zmp_m[2])
{
    // What is still to be said stays.
    expects(walkgen->made - walkgen->tick < WALK_AHEAD_MAX);
    const int64_t at = walkgen->made++ & (WALK_AHEAD_MAX - 1);
    walkgen->reference[at] = *reference;
    for (int a = 0; a < 2; a++)
        walkgen->zmp_m[a][at] = walkgen->zmp_m[a][at + WALK_AHEAD_MAX] = zmp_m[a];
}

void walk_reference_mark(struct walkgen *walkgen, const struct walk_step *step)
{
    invariant(walkgen->marks <= WALK_MARKS_MAX);
    if (walkgen->marks == WALK_MARKS_MAX) {
        walkgen->marks--;
        memmove(walkgen->mark, walkgen->mark + 1, walkgen->marks * sizeof walkgen->mark[0]);
    }
    const double period_s = walkgen->gains.period_s;
    const struct walk_maker *maker = &walkgen->maker;
    const struct walk_request *request = &walkgen->request;
    struct walk_mark *mark = &walkgen->mark[walkgen->marks++];
    *mark = (struct walk_mark){.made = walkgen->made,
                               .lift = walkgen->made,
                               .maker = *maker,
                               .left = maker->side == SIDE_LEFT,
                               .last = request->changing ? maker->last : request->last};
    mark->lift += step != NULL ? walk_samples(step->double_s, period_s) : 0;
    mark->landing = mark->lift + (step != NULL ? walk_samples(step->single_s, period_s) : 0);
}

struct walk_reference walk_reference_standing(const struct walk_maker *maker)
{
    struct walk_reference reference = {.waist_m = maker->waist_m,
                                       .yaw_rad = maker->yaw_rad,
                                       .arm_gain = maker->arm_gain,
                                       .floor_m = fmin(maker->floor_m[0], maker->floor_m[1]),
                                       .support = SUPPORT_BOTH,
                                       .step = maker->blocks};
    memcpy(reference.foot, maker->foot, sizeof reference.foot);
    memcpy(reference.upper_rad, maker->upper_rad, sizeof reference.upper_rad);
    return reference;
}

void walk_step_shift(const struct walk_settings *settings, const struct walk_step *step,
                     double shift_m[2])
{
    for (unsigned i = 0; i < 2; i++) {
        shift_m[i] = step->zmp_shift_m[i];
        if (step->over > 0)
            shift_m[i] += settings->zmp_shift_m[2 * (step->over - 1) + i];
    }
}

struct pose2d walk_foot_pose(const struct walk_foot *foot)
{
    return (struct pose2d){foot->position_m[0], foot->position_m[1], foot->yaw_rad};
}

struct pose2d walk_middle(const struct walk_maker *maker)
{
    const struct pose2d right = walk_foot_pose(&maker->foot[SIDE_RIGHT]);
    const struct pose2d left = walk_foot_pose(&maker->foot[SIDE_LEFT]);
    return (struct pose2d){0.5 * (right.x_m + left.x_m), 0.5 * (right.y_m + left.y_m),
                           0.5 * (right.yaw_rad + left.yaw_rad)};
}
