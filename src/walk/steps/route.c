#include "walk/steps/route.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/spatial.h"

struct pose2d pose2d_compose(struct pose2d frame, struct pose2d pose)
{
    double c = cos(frame.yaw_rad), s = sin(frame.yaw_rad);
    return (struct pose2d){frame.x_m + c * pose.x_m - s * pose.y_m,
                           frame.y_m + s * pose.x_m + c * pose.y_m,
                           angle_wrap(frame.yaw_rad + pose.yaw_rad)};
}

struct pose2d pose2d_relative(struct pose2d frame, struct pose2d pose)
{
    double c = cos(frame.yaw_rad), s = sin(frame.yaw_rad);
    double x = pose.x_m - frame.x_m, y = pose.y_m - frame.y_m;
    return (struct pose2d){c * x + s * y, -s * x + c * y, angle_wrap(pose.yaw_rad - frame.yaw_rad)};
}

double pose2d_distance_m(struct pose2d a, struct pose2d b)
{
    return hypot(a.x_m - b.x_m, a.y_m - b.y_m);
}

void pose2d_place(struct pose2d frame, const double from_m[2], double to_m[2])
{
    const double c = cos(frame.yaw_rad), s = sin(frame.yaw_rad);
    to_m[0] = frame.x_m + c * from_m[0] - s * from_m[1];
    to_m[1] = frame.y_m + s * from_m[0] + c * from_m[1];
}

struct pose2d pose2d_middle(struct pose2d a, struct pose2d b)
{
    return (struct pose2d){0.5 * (a.x_m + b.x_m), 0.5 * (a.y_m + b.y_m),
                           a.yaw_rad + 0.5 * angle_wrap(b.yaw_rad - a.yaw_rad)};
}

// The obstacle that blocks the straight way from `from` to `goal` first, in the frame of that way
// (x along, y to the left).
static const struct obstacle *first_blocking(struct pose2d way, double length_m,
                                             const struct obstacle *obstacles, unsigned count,
                                             double clearance_m, struct pose2d *seen)
{
    const struct obstacle *first = NULL;
    for (unsigned i = 0; i < count; i++) {
        struct pose2d at = {obstacles[i].x_m, obstacles[i].y_m, 0};
        struct pose2d relative = pose2d_relative(way, at);
        bool aside = fabs(relative.y_m) >= obstacles[i].radius_m + clearance_m;
        bool behind = relative.x_m <= 0 || relative.x_m >= length_m;
        if (aside || behind || (first != NULL && relative.x_m >= seen->x_m))
            continue;
        first = &obstacles[i];
        *seen = relative;
    }
    return first;
}

struct pose2d route_next(struct pose2d from, struct pose2d goal, const struct obstacle *obstacles,
                         unsigned count, double clearance_m)
{
    double length = pose2d_distance_m(from, goal);
    if (length < 1e-3)
        return goal;
    struct pose2d way = {from.x_m, from.y_m, atan2(goal.y_m - from.y_m, goal.x_m - from.x_m)};
    struct pose2d seen = {0};
    const struct obstacle *first =
        first_blocking(way, length, obstacles, count, clearance_m, &seen);
    if (first == NULL)
        return goal;
    // Beside the obstacle's centre, on the side that is nearer to the straight way; a little
    // farther out than needed, so that the way to that point is free.
    double out = 1.1 * (first->radius_m + clearance_m);
    double side = seen.y_m > 0 ? -1.0 : 1.0;
    struct pose2d beside = {seen.x_m, seen.y_m + side * out, 0};
    struct pose2d next = pose2d_compose(way, beside);
    next.yaw_rad = atan2(next.y_m - from.y_m, next.x_m - from.x_m);
    return next;
}
