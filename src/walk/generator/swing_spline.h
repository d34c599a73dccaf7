// The swing of a foot on clamped cubic splines through control points (Verrelst et al., Humanoids
// 2006; Stasse et al. 2008, section 6.2.2): it rises, passes two points at its full height, and
// comes down. Pure; real-time safe.
#pragma once

#include "walk/generator/walk_strategy.h"

// The cubic spline through value[i] at time_s[i], i < count, at rest at both ends, without
// acceleration there. For that it has two more knots, in the middle of the first and of the last
// interval (Biagiotti and Melchiorri, "Trajectory Planning for Automatic Machines and
// Robots", 4.4.4).
#define SWING_SPLINE_POINTS_MAX 6
// 3 <= count <= SWING_SPLINE_POINTS_MAX; times rise.
double swing_spline_at(unsigned count, const double *time_s, const double *value, double t_s);

// A foot's trajectory; see struct walk_trajectory.
void swing_spline(const struct walk_swing *swing, double t_s, struct walk_foot *foot);
