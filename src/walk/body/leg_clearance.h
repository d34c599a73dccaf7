// How far the legs are from an obstacle that lies on the floor: thighs and shanks are capsules,
// feet and obstacle are boxes. Pure; real-time safe.
#pragma once

#include "walk/body/walk_body.h"

struct walk_obstacle { // a box that lies level
    double centre_m[3], yaw_rad;
    double half_m[3]; // along yaw, across, upwards
};

// The link that is nearest to an obstacle.
#define LEG_CLEARANCE_FAR_M 0.1
struct leg_clearance {
    double distance_m; // at most 0: touches; of feet farther away than FAR it may say less
    enum side side;
    const char *link; // "foot", "shank", "thigh"
};

// pose: any that walk_body_place has filled. HUBO2's shapes, the largest of the robots here.
void leg_clearance(const struct walk_body *body, const struct walk_body_pose *pose,
                   const struct walk_obstacle *obstacle, struct leg_clearance *clearance);
