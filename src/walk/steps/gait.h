// The gaits of the robot: step lengths and timing. Pure table; real-time safe.
//
// A step is: double support (the weight moves from the leg that will swing to the other one), then
// single support (the swing). The first step of a plan starts with a longer double support, and
// every plan ends with one that brings the weight back to the middle and lets the robot come to
// rest.
#pragma once

#include "message/message.h"

struct gait_parameters {
    const char *name;
    double period_s;         // one step: double support + swing
    double double_support_s; // of that
    double wait_s; // from standing to that: the centre of mass starts before its support moves
    double initial_double_support_s; // before the first swing of a plan, from standing
    double settle_s;                 // after the last landing, until the robot is at rest
    double forward_m; // step lengths: pose of a foot relative to the other foot's, one step on
    double backward_m;
    double sideways_m;
    double turn_rad;
    double swing_height_m;
    double zmp_inward_m; // the reference zero-moment point in single support lies this far inward
                         // of the sole's centre
};

// Parameters of a gait; NULL for a number outside the enum.
const struct gait_parameters *gait_parameters(enum gait gait);
