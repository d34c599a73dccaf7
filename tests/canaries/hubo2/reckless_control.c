// Canary: the Control daemon, except that its joint filters ignore every acceleration limit.
//
// Linked with the real daemon and --wrap=joint_filter_step: each step goes at full speed to the
// goal and stops dead there. The limits oracle must fail it.
#include <math.h>

#include "motion/joint_filter.h"

double __wrap_joint_filter_step(struct joint_filter *filter, const struct joint_limits *limits,
                                double period_s, instant now);

double __wrap_joint_filter_step(struct joint_filter *filter, const struct joint_limits *limits,
                                double period_s, instant now)
{
    (void)now;
    double wanted = 0;
    if (filter->mode == JOINT_MODE_VELOCITY)
        wanted = filter->target;
    else if (filter->mode == JOINT_MODE_POSITION)
        wanted = (filter->target - filter->reference_rad) / period_s;
    filter->velocity_rad_s =
        fmax(-limits->velocity_max_rad_s, fmin(limits->velocity_max_rad_s, wanted));
    filter->reference_rad += filter->velocity_rad_s * period_s;
    return filter->reference_rad;
}
