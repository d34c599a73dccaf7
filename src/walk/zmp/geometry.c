#include "walk/zmp/geometry.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/invariant.h"

#define FALL_HEIGHT_SHARE 0.6 // of the pelvis's height when the robot stood
#define FALL_TILT_RAD (M_PI / 4)
#define PLACE_MAX_M 1e6 // no robot is farther away; products of such numbers are numbers

static int by_x_then_y(const void *left, const void *right)
{
    const struct point2 *a = left, *b = right;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

// Twice the signed area of the triangle o, a, b; positive when it turns left.
static double cross(struct point2 o, struct point2 a, struct point2 b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

static bool are_places(const struct point2 *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs(points[i].x) < PLACE_MAX_M && fabs(points[i].y) < PLACE_MAX_M))
            return false;
    return true;
}

size_t convex_hull(struct point2 *points, size_t count, struct point2 *hull)
{
    if (count == 0 || !are_places(points, count))
        return 0;
    qsort(points, count, sizeof *points, by_x_then_y);
    size_t corners = 0;
    for (size_t i = 0; i < count; i++) { // lower chain
        while (corners >= 2 && cross(hull[corners - 2], hull[corners - 1], points[i]) <= 0)
            corners--;
        hull[corners++] = points[i];
    }
    size_t lower = corners + 1;
    for (size_t i = count - 1; i-- > 0;) { // upper chain
        while (corners >= lower && cross(hull[corners - 2], hull[corners - 1], points[i]) <= 0)
            corners--;
        if (corners <= count) // rounding may put a point that lies on the edge into both chains
            hull[corners++] = points[i];
    }
    if (corners > 1)
        corners--; // the last point is the first
    if (corners == 2 && hull[0].x == hull[1].x && hull[0].y == hull[1].y)
        corners = 1;
    ensures(corners >= 1 && corners <= count + 1);
    return corners;
}

static double segment_distance(struct point2 a, struct point2 b, struct point2 p)
{
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0;
    t = fmin(1, fmax(0, t));
    return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

double polygon_margin(const struct point2 *hull, size_t corners, struct point2 point)
{
    if (corners == 0)
        return NAN;
    double nearest = INFINITY;
    int inside = corners >= 3;
    for (size_t i = 0; i < corners; i++) {
        struct point2 a = hull[i], b = hull[(i + 1) % corners];
        nearest = fmin(nearest, segment_distance(a, b, point));
        if (cross(a, b, point) < 0)
            inside = 0;
    }
    return inside ? nearest : -nearest;
}

struct point2 capture_point(const double com_m[3], const double com_velocity_m_s[3])
{
    double omega_rad_s =
        sqrt(GRAVITY_M_S2 / fmax(com_m[2], 0.05)); // lying flat: no division by zero
    return (struct point2){com_m[0] + com_velocity_m_s[0] / omega_rad_s,
                           com_m[1] + com_velocity_m_s[1] / omega_rad_s};
}

double tilt_rad(const double quaternion[4])
{
    double x = quaternion[1], y = quaternion[2];
    return acos(fmin(1, fmax(-1, 1 - 2 * (x * x + y * y))));
}

double yaw_rad(const double quaternion[4])
{
    double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
    return atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

double uprightness(const struct truth_message *truth, double standing_height_m)
{
    double height =
        (truth->pelvis_m[2] / standing_height_m - FALL_HEIGHT_SHARE) / (1 - FALL_HEIGHT_SHARE);
    double tilt = (FALL_TILT_RAD - tilt_rad(truth->pelvis_quaternion)) / FALL_TILT_RAD;
    return fmin(height, tilt);
}

bool has_fallen(const struct truth_message *truth, double standing_height_m)
{
    return uprightness(truth, standing_height_m) < 0;
}

size_t support_polygon(const struct truth_message *truth,
                       struct point2 hull[ROBOT_CONTACTS_MAX + 1])
{
    struct point2 contact[ROBOT_CONTACTS_MAX];
    size_t count =
        truth->contact_count < ROBOT_CONTACTS_MAX ? truth->contact_count : ROBOT_CONTACTS_MAX;
    for (size_t i = 0; i < count; i++)
        contact[i] = (struct point2){truth->contact_m[i][0], truth->contact_m[i][1]};
    return convex_hull(contact, count, hull);
}

void sole_corners(struct pose2d foot, double half_length_m, double half_width_m,
                  struct point2 corner[4])
{
    static const int sign[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    double c = cos(foot.yaw_rad), s = sin(foot.yaw_rad);
    for (int i = 0; i < 4; i++) {
        double x = sign[i][0] * half_length_m, y = sign[i][1] * half_width_m;
        corner[i] = (struct point2){foot.x_m + c * x - s * y, foot.y_m + s * x + c * y};
    }
}

struct pose2d pose_relative(struct pose2d frame, struct pose2d pose)
{
    double dx = pose.x_m - frame.x_m, dy = pose.y_m - frame.y_m;
    double c = cos(frame.yaw_rad), s = sin(frame.yaw_rad);
    return (struct pose2d){c * dx + s * dy, -s * dx + c * dy,
                           remainder(pose.yaw_rad - frame.yaw_rad, 2 * M_PI)};
}
