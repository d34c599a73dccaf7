// The feet of a robot of solids, which its file calls "Right Foot" and "Left Foot": how high they
// are, and how often they come down. Real-time safe.
#pragma once

#include <stdint.h>

#include "plant/solids_world.h"

struct feet {
    unsigned count; // 0: the file has no such solids
    struct foot {
        unsigned solid; // of the robot's file
        double half_m;  // its height
        double lift_m;  // of the sole, if it is flat
        bool up;
    } foot[2]; // right, left
    uint64_t landings;
};

void feet_find(struct feet *feet, const struct solid_robot *robot);
// Looks at those of the world's first robot.
void feet_watch(struct feet *feet, const struct solids_world *world);
