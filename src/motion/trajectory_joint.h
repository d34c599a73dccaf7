// One joint of trajectory.h: the times that it can take, and its motion in one of these. Private.
#pragma once

#include "motion/trajectory.h"

struct trajectory_joint {
    struct trajectory brake; // back within the bounds
    double brake_s;
    // From there on:
    struct extremal_problem ahead, back; // back: in a mirror
    bool anywhere;                       // the end may be at any position
    double from, distance, scale, velocity_scale;
    // A duration at which one of the two motions by itself covers the distance.
    double exact_s;
    const struct extremal_problem *exact;
};

// Bounds and states are sound, and the end is within the bounds.
void trajectory_joint_prepare(const struct motion_bounds *bounds, const struct motion_state *start,
                              const struct motion_state *end, enum trajectory_goal goal,
                              struct trajectory_joint *joint);

// The least time from `from_s` on that the joint can take; INFINITY: rounding hides it.
double trajectory_joint_least(struct trajectory_joint *joint, double from_s);

// The motion that takes a time that it can take. False: rounding hides it.
bool trajectory_joint_move(const struct trajectory_joint *joint, double duration_s,
                           struct trajectory *trajectory);

// A state, after t with this jerk.
struct motion_state trajectory_after(const struct motion_state *state, double t, double jerk);
