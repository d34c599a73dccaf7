// A controller of bioloid that asks more of the servos than they can.
#include "targets/bioloid/joints.h"

void __real_joints_start(struct joints *, const struct joints_limits *);
void __wrap_joints_start(struct joints *joints, const struct joints_limits *limits);

void __wrap_joints_start(struct joints *joints, const struct joints_limits *limits)
{
    struct joints_limits more = *limits;
    more.velocity_max_rad_s *= 2;
    more.acceleration_max_rad_s2 *= 2;
    __real_joints_start(joints, &more);
}
