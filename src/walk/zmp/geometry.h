// Plane geometry of balance: support polygon, distance to its edge, capture point, tilt. Pure;
// metres and radians.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "message/message.h"

#define GRAVITY_M_S2 9.81

struct point2 {
    double x, y;
};

// Convex hull, counter-clockwise, without collinear points (Andrew 1979, monotone chain). Sorts
// `points`; `hull` holds up to `count` + 1 entries. Returns the number of corners: 0 for no point
// or if one is no place (not a number, or out of this world), 1 or 2 when the hull has no area.
size_t convex_hull(struct point2 *points, size_t count, struct point2 *hull);

// Signed distance from `point` to the edge of a convex polygon in counter-clockwise order: positive
// inside, negative outside. A polygon of one or two corners has no inside. NAN for an empty
// polygon.
double polygon_margin(const struct point2 *hull, size_t corners, struct point2 point);

// Instantaneous capture point c + c' / omega, omega = sqrt(g / z_c) (Pratt et al. 2006), on a floor
// at z = 0.
struct point2 capture_point(const double com_m[3], const double com_velocity_m_s[3]);

// Angle between the body's z axis and the vertical; quaternion (w, x, y, z).
double tilt_rad(const double quaternion[4]);
double yaw_rad(const double quaternion[4]);

// Share of the way to a fall that is left, in height of the pelvis and in tilt: 1 standing, below 0
// fallen.
double uprightness(const struct truth_message *truth, double standing_height_m);

// Whether the robot lies or topples: its pelvis is low or tilted. The only definition there is.
bool has_fallen(const struct truth_message *truth, double standing_height_m);

// The support polygon of the feet's floor contacts. Returns its number of corners.
size_t support_polygon(const struct truth_message *truth,
                       struct point2 hull[ROBOT_CONTACTS_MAX + 1]);

// Corners of a rectangular sole of the given half sizes at a pose on the floor.
void sole_corners(struct pose2d foot, double half_length_m, double half_width_m,
                  struct point2 corner[4]);

// `pose` seen from `frame`.
struct pose2d pose_relative(struct pose2d frame, struct pose2d pose);
