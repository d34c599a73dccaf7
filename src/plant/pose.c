#include <math.h>

#include "plant/physics.h"

double pose_yaw_rad(const double q[4])
{
    return atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
}
