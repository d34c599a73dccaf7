// A controller of bioloid that is a period late.
#include "targets/bioloid/joints.h"

#define PERIOD_S 0.01

void __real_joints_advance(struct joints *, double);
void __wrap_joints_advance(struct joints *joints, double t_s);

void __wrap_joints_advance(struct joints *joints, double t_s)
{
    __real_joints_advance(joints, t_s - PERIOD_S);
}
