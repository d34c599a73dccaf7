// A world of bioloid whose joints get more torque than its servos give.
#include "plant/solids_world.h"

#define AXES_MAX 64

void __real_solids_world_step(struct solids_world *, const double *, const double *);
void __wrap_solids_world_step(struct solids_world *world, const double *torque_Nm,
                              const double *friction_Nm);

void __wrap_solids_world_step(struct solids_world *world, const double *torque_Nm,
                              const double *friction_Nm)
{
    double more_Nm[AXES_MAX];
    for (unsigned a = 0; a < solids_world_axes(world) && a < AXES_MAX; a++)
        more_Nm[a] = 3 * torque_Nm[a];
    __real_solids_world_step(world, more_Nm, friction_Nm);
}
