// A controller of bioloid that is deaf to servos that have shut themselves down.
#include "targets/bioloid/joints.h"

void __wrap_joints_forget(struct joints *joints, unsigned servo);

void __wrap_joints_forget(struct joints *joints, unsigned servo)
{
    (void)joints;
    (void)servo;
}
