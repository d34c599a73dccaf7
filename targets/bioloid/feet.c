#include "targets/bioloid/feet.h"

#include <string.h>

// A foot has been lifted above the first, and has landed below the second.
#define UP_M 0.005
#define DOWN_M 0.002

void feet_find(struct feet *feet, const struct solid_robot *robot)
{
    static const char *const names[] = {"Right Foot", "Left Foot"};
    *feet = (struct feet){0};
    for (unsigned f = 0; f < 2; f++)
        for (unsigned s = 0; s < robot->solid_count && feet->count == f; s++)
            if (strcmp(robot->solid[s].name, names[f]) == 0)
                feet->foot[feet->count++] =
                    (struct foot){.solid = s, .half_m = robot->solid[s].size_m[2] / 2};
}

void feet_watch(struct feet *feet, const struct solids_world *world)
{
    for (unsigned f = 0; f < feet->count; f++) {
        struct foot *foot = &feet->foot[f];
        double position_m[3];
        solids_world_solid(world, 0, foot->solid, position_m);
        foot->lift_m = position_m[2] - foot->half_m;
        feet->landings += foot->up && foot->lift_m < DOWN_M;
        foot->up = foot->lift_m > (foot->up ? DOWN_M : UP_M);
    }
}
