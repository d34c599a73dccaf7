// Leg angles that follow a path of the sole, through the poses where the closed form has none.
//
// Near the ankle's singularity (the hip in the plane of the sole: a foot standing on its toes, the
// knee straight) the closed form of leg_ik.h swings hip yaw and ankle roll by up to half a turn for
// a hair's breadth of the path. Here each cycle starts from the angles of the last one and takes a
// few damped least-squares steps (Wampler 1986; Nakamura and Hanafusa 1986): in the singular
// direction the foot falls a little behind, and no joint runs away. Pure; real-time safe.
#pragma once

#include "model/leg_ik.h"

// Moves angle_rad towards the angles that put the sole at sole_m with sole_rotation (pelvis' frame,
// row major), by at most step_max_rad per joint. Where the closed form is near, it is the answer,
// exactly. Returns how far off the sole is then: the larger of its turn [rad] and its distance [m]
// over 0.3 m.
double leg_follow(const struct leg *leg, const double sole_m[3], const double sole_rotation[9],
                  double step_max_rad, double angle_rad[LEG_JOINTS]);
