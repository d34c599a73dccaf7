// Canary: the Control daemon as a later version of the real one was: in velocity mode it knows no
// position limits, and drives into them.
//
// Linked with the real daemon and --wrap=joint_filter_step.
#include "motion/joint_filter.h"

#define NO_LIMIT_RAD 1e3

double __real_joint_filter_step(struct joint_filter *filter, const struct joint_limits *limits,
                                double period_s, instant now);
double __wrap_joint_filter_step(struct joint_filter *filter, const struct joint_limits *limits,
                                double period_s, instant now);

double __wrap_joint_filter_step(struct joint_filter *filter, const struct joint_limits *limits,
                                double period_s, instant now)
{
    struct joint_limits unlimited = *limits;
    if (filter->mode == JOINT_MODE_VELOCITY) {
        unlimited.position_min_rad = -NO_LIMIT_RAD;
        unlimited.position_max_rad = NO_LIMIT_RAD;
    }
    return __real_joint_filter_step(filter, &unlimited, period_s, now);
}
