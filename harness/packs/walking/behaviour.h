// How arms and legs moved around a fault, seen in the set points of their motor boards. Private to
// the classifier.
#pragma once

#include "harness/judge/analysis.h"

struct limb_motion {                // of the arms or of the legs
    bool moved_before;              // in the time before the fault
    bool moving_then;               // at the fault
    bool moves_after;               // more than the reach of a stop: somewhere in the watch
    bool rests;                     // at the end of the watch, for a while already
    bool immediate;                 // rested within the reach of a dropped reference
    double stop_s;                  // last instant it moved in the watch; the fault's if it did not
    double slowing_s;               // when its last slowing down began
    double deceleration_max_rad_s2; // from slowing_s to stop_s
    double deceleration_share;      // the same over the joint's wind-down bound: more than 1 is no
                                    // wind-down
};

// `set`: JOINTS_ARMS or JOINTS_LEGS; before_s: how long before the fault counts.
void limb_motion(const struct analysis *analysis, unsigned set, double before_s,
                 struct limb_motion *motion);

// First instant at or after from_s at which a joint of the set moves, INFINITY if none.
double limb_moves_s(const struct analysis *analysis, unsigned set, double from_s, double to_s);

// Whether any arm or leg joint's set point travels more than a little between two instants.
bool limbs_travel(const struct analysis *analysis, unsigned set, double from_s, double to_s);

// Whether the robot went on to the stable end of the last plan provided, as segments and ground
// truth show, though that plan was not the motion's end.
bool finished_last_plan(const struct analysis *analysis, double stop_s);
