// One joint of trajectory.h, within a range of positions if it has one. Private.
//
// Where the motion of trajectory_joint.h leaves the range, the joint touches the limit instead:
// with velocity 0 there, and the acceleration for which both parts together take the least time. Or
// it comes to rest as fast as it can, waits, and goes on: that can take any longer time.
#pragma once

#include "motion/trajectory_joint.h"

struct trajectory_way {
    struct trajectory_joint plain;
    const struct motion_bounds *bounds;
    const struct motion_state *start, *end;
    const struct motion_range *range; // NULL: none
    enum trajectory_goal goal;
    bool sought;                     // what follows
    struct motion_state touch, rest; // between the parts
    double touch_s, rest_s;          // least times of these ways; INFINITY: none
};

void trajectory_way_prepare(const struct trajectory_problem *problem, unsigned i,
                            struct trajectory_way *way);

// The least time from `from_s` on that the joint can take; INFINITY: none that is known.
double trajectory_way_least(struct trajectory_way *way, double from_s);

// The motion that takes this time. False: rounding hides it.
bool trajectory_way_move(struct trajectory_way *way, double duration_s,
                         struct trajectory *trajectory);
