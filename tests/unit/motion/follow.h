// Looks at a motion piece by piece.
#pragma once

#include "motion/trajectory.h"

// What a start may reach before it is back within the bounds.
double unavoidable_velocity(const struct motion_bounds *bounds, const struct motion_state *start);

// Fails the test unless all bounds are kept and the end is met.
void follow(const struct motion_bounds *bounds, const struct trajectory *trajectory);

// The same, judged by the bounds alone: of motions whose starts keep them.
void follow_within(const struct motion_bounds *bounds, const struct trajectory *trajectory);
