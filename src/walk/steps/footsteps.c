#include "walk/steps/footsteps.h"

#include <math.h>

#include "base/invariant.h"
#include "model/spatial.h"

#define NARROWEST_M 0.14 // feet never closer than this (the soles are 0.13 m wide)

// Point at (forward, left) of a pose.
static struct pose2d offset(struct pose2d pose, double forward_m, double left_m, double turn_rad)
{
    double c = cos(pose.yaw_rad), s = sin(pose.yaw_rad);
    pose.x_m += c * forward_m - s * left_m;
    pose.y_m += s * forward_m + c * left_m;
    pose.yaw_rad += turn_rad;
    return pose;
}

static double outward(enum side side)
{
    return side == SIDE_LEFT ? 0.5 * FOOTSTEPS_SPACING_M : -0.5 * FOOTSTEPS_SPACING_M;
}

// Centre of the stance as one foot sees it.
static struct pose2d centre_of(struct pose2d foot, enum side side)
{
    return offset(foot, 0.0, -outward(side), 0.0);
}

struct stance footsteps_stance(struct pose2d centre)
{
    struct stance stance = {.next = SIDE_RIGHT};
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        stance.foot[side] = offset(centre, 0.0, outward(side), 0.0);
    return stance;
}

struct pose2d footsteps_centre(const struct stance *stance)
{
    const struct pose2d *r = &stance->foot[SIDE_RIGHT], *l = &stance->foot[SIDE_LEFT];
    return (struct pose2d){0.5 * (r->x_m + l->x_m), 0.5 * (r->y_m + l->y_m),
                           r->yaw_rad + 0.5 * angle_wrap(l->yaw_rad - r->yaw_rad)};
}

struct stance footsteps_after(struct stance stance, struct footstep step)
{
    expects(step.side < SIDE_COUNT);
    stance.foot[step.side] = step.pose;
    stance.next = step.side == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT;
    return stance;
}

// The step of the next foot that moves the stance's centre, as the standing foot sees it, by a
// displacement. Turning and stepping sideways only open the stance away from the standing foot: the
// other half is made up by the next step.
static struct footstep step_by(const struct stance *stance, double forward_m, double left_m,
                               double turn_rad)
{
    expects(stance->next < SIDE_COUNT);
    enum side swing = stance->next, support = swing == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT;
    struct pose2d centre =
        offset(centre_of(stance->foot[support], support), forward_m, left_m, turn_rad);
    struct pose2d pose = offset(centre, 0.0, outward(swing), 0.0);
    // keep the feet apart: lateral distance as the standing foot sees it
    struct pose2d from = stance->foot[support];
    double dx = pose.x_m - from.x_m, dy = pose.y_m - from.y_m;
    double lateral = -sin(from.yaw_rad) * dx + cos(from.yaw_rad) * dy;
    double short_m = NARROWEST_M - (swing == SIDE_LEFT ? lateral : -lateral);
    if (short_m > 0.0)
        pose = offset((struct pose2d){pose.x_m, pose.y_m, from.yaw_rad}, 0.0,
                      swing == SIDE_LEFT ? short_m : -short_m, pose.yaw_rad - from.yaw_rad);
    return (struct footstep){swing, pose};
}

// A foot moves sideways or turns outward on its own side only; on the other side it comes up beside
// the standing foot.
static bool opens(enum side swing, double direction)
{
    return (swing == SIDE_LEFT) == (direction > 0.0);
}

bool footsteps_close(const struct stance *stance, struct footstep *step)
{
    *step = step_by(stance, 0.0, 0.0, 0.0);
    const struct pose2d *now = &stance->foot[step->side];
    return hypot(step->pose.x_m - now->x_m, step->pose.y_m - now->y_m) > 0.002 ||
           fabs(angle_wrap(step->pose.yaw_rad - now->yaw_rad)) > 0.005;
}

static unsigned walk_straight(struct stance now, double forward_m, double left_m, unsigned steps,
                              struct footstep *step, unsigned max)
{
    if (left_m != 0.0)
        now.next = left_m > 0.0 ? SIDE_LEFT : SIDE_RIGHT;
    unsigned count = steps < max ? steps : max;
    for (unsigned i = 0; i < count; i++) {
        double left = left_m != 0.0 && opens(now.next, left_m) ? left_m : 0.0;
        step[i] = step_by(&now, forward_m, left, 0.0);
        now = footsteps_after(now, step[i]);
    }
    return count;
}

static unsigned turn(struct stance now, double angle_rad, double turn_rad, struct footstep *step,
                     unsigned max)
{
    unsigned count = 0;
    now.next = angle_rad > 0.0 ? SIDE_LEFT : SIDE_RIGHT;
    double left = angle_rad;
    while (count < max && fabs(left) > 1e-6) {
        double part = 0.0;
        if (opens(now.next, angle_rad)) {
            part = copysign(fmin(fabs(left), turn_rad), angle_rad);
            left -= part;
        }
        step[count] = step_by(&now, 0.0, 0.0, part);
        now = footsteps_after(now, step[count++]);
    }
    return count;
}

unsigned footsteps_walk(const struct gait_parameters *gait, const struct stance *stance,
                        enum balance_command_kind kind, unsigned steps, double angle_rad,
                        struct footstep *step, unsigned max)
{
    switch (kind) {
    case BALANCE_WALK_FORWARD:
        return walk_straight(*stance, gait->forward_m, 0.0, steps, step, max);
    case BALANCE_WALK_BACKWARD:
        return walk_straight(*stance, -gait->backward_m, 0.0, steps, step, max);
    case BALANCE_WALK_LEFT:
        return walk_straight(*stance, 0.0, gait->sideways_m, steps, step, max);
    case BALANCE_WALK_RIGHT:
        return walk_straight(*stance, 0.0, -gait->sideways_m, steps, step, max);
    case BALANCE_TURN:
        return turn(*stance, angle_rad, gait->turn_rad, step, max);
    default:
        return 0;
    }
}

static double limit(double value, double bound)
{
    return fmax(-bound, fmin(bound, value));
}

bool footsteps_toward(const struct gait_parameters *gait, const struct stance *stance,
                      const struct pose2d *goal, struct footstep *step)
{
    enum side support = stance->next == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT;
    struct pose2d centre = centre_of(stance->foot[support], support);
    double dx = goal->x_m - centre.x_m, dy = goal->y_m - centre.y_m, distance = hypot(dx, dy);
    double final_turn = angle_wrap(goal->yaw_rad - centre.yaw_rad);
    if (distance < 0.06 && fabs(final_turn) < 0.10)
        return false;
    double c = cos(centre.yaw_rad), s = sin(centre.yaw_rad);
    double ahead = c * dx + s * dy, left = -s * dx + c * dy;
    double heading = angle_wrap(atan2(dy, dx) - centre.yaw_rad);
    double forward = 0.0, sideways = 0.0, turn_rad;
    if (distance >
        2.0 * gait->forward_m) { // far: face the goal, and walk the more the better it is faced
        turn_rad = limit(heading, gait->turn_rad);
        forward = gait->forward_m * fmax(0.0, 1.0 - fabs(heading) / 0.8);
    } else { // near: walk the rest in whatever direction it lies, then turn
        turn_rad = distance < 0.06 ? limit(final_turn, gait->turn_rad) : 0.0;
        forward = fmax(-gait->backward_m, fmin(gait->forward_m, ahead));
        sideways = limit(left, gait->sideways_m);
    }
    if (!opens(stance->next, turn_rad))
        turn_rad = 0.0;
    if (!opens(stance->next, sideways))
        sideways = 0.0;
    *step = step_by(stance, forward, sideways, turn_rad);
    return true;
}
