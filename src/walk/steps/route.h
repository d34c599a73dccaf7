// The way to a goal on the floor: straight on, or around the first obstacle in the way.
//
// A simple detour, not a search: obstacles are circles; the way passes the nearest blocking one on
// its shorter side, at `clearance_m` from its edge. Called again at every step, this leads around
// several obstacles that stand apart. Pure; no allocation. All poses in one frame.
#pragma once

#include "message/message.h"

// Where to walk next: the goal itself, or a point beside an obstacle with the heading of the way to
// it. Obstacles around the goal nearer than the clearance are kept clear of as far as the goal
// allows.
struct pose2d route_next(struct pose2d from, struct pose2d goal, const struct obstacle *obstacles,
                         unsigned count, double clearance_m);

// pose expressed in another frame: `frame` * `pose`; and the inverse: `pose` as seen from `frame`.
struct pose2d pose2d_compose(struct pose2d frame, struct pose2d pose);
struct pose2d pose2d_relative(struct pose2d frame, struct pose2d pose);
double pose2d_distance_m(struct pose2d a, struct pose2d b);

// A point seen from a frame, in the frame's own.
void pose2d_place(struct pose2d frame, const double from_m[2], double to_m[2]);

// Midway between two poses, with the mean heading.
struct pose2d pose2d_middle(struct pose2d a, struct pose2d b);
