#include "motion/joint_filter.h"

#include <math.h>
#include <stdbool.h>

#include "base/invariant.h"

#define ARRIVED_RAD 1e-13 // closer than this is rounding, not distance

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

void joint_filter_restart(struct joint_filter *filter, const struct joint_limits *limits,
                          double position_rad)
{
    expects(limits->position_min_rad <= limits->position_max_rad);
    *filter = (struct joint_filter){
        .mode = JOINT_MODE_NONE,
        .reference_rad = clamp(position_rad, limits->position_min_rad, limits->position_max_rad),
        .velocity_rad_s_bound = limits->velocity_nominal_rad_s,
        .acceleration_rad_s2_bound = limits->acceleration_nominal_rad_s2,
        .expires = INSTANT_NEVER,
    };
}

void joint_filter_resume(struct joint_filter *filter, const struct joint_limits *limits,
                         double reference_rad, double velocity_rad_s)
{
    filter->reference_rad =
        clamp(reference_rad, limits->position_min_rad, limits->position_max_rad);
    filter->velocity_rad_s =
        clamp(velocity_rad_s, -limits->velocity_max_rad_s, limits->velocity_max_rad_s);
}

// A bound named by a command: 0 stands for the nominal value, the maximum is never exceeded.
static bool bound(double named, double nominal, double maximum, double *value)
{
    if (!isfinite(named) || named < 0)
        return false;
    *value = fmin(named > 0 ? named : nominal, maximum);
    return true;
}

enum status joint_filter_command(struct joint_filter *filter, const struct joint_limits *limits,
                                 const struct joint_command *command, instant expires)
{
    double velocity, acceleration, target = command->value;
    if (!isfinite(target) ||
        !bound(command->velocity_nominal_rad_s, limits->velocity_nominal_rad_s,
               limits->velocity_max_rad_s, &velocity) ||
        !bound(command->acceleration_nominal_rad_s2, limits->acceleration_nominal_rad_s2,
               limits->acceleration_max_rad_s2, &acceleration))
        return STATUS_INVALID;

    switch (command->mode) {
    case JOINT_MODE_NONE:
        return STATUS_OK;
    case JOINT_MODE_POSITION:
    case JOINT_MODE_PASSTHROUGH:
        target = clamp(target, limits->position_min_rad, limits->position_max_rad);
        break;
    case JOINT_MODE_VELOCITY:
        velocity = limits->velocity_max_rad_s;
        break;
    default:
        return STATUS_INVALID;
    }
    filter->mode = (enum joint_mode)command->mode;
    filter->target = target;
    filter->velocity_rad_s_bound = velocity;
    filter->acceleration_rad_s2_bound = acceleration;
    filter->expires = command->mode == JOINT_MODE_VELOCITY ? expires : INSTANT_NEVER;
    return STATUS_OK;
}

// Braking from v = (n + f) a T, n whole, 0 <= f < 1, the steps cover T (v + (v - aT) + ... + f aT)
// = T ((n + 1) v - a T n (n + 1) / 2). That is continuous and increasing in v; n of a distance d
// follows from the distances at whole multiples, a T^2 n (n + 1) / 2, and v by solving for it.
double joint_filter_stopping_speed(double distance_rad, double acceleration_rad_s2, double period_s)
{
    if (distance_rad <= 0)
        return 0;
    const double speed_step = acceleration_rad_s2 * period_s;
    const double n = floor((sqrt(1 + 8 * distance_rad / (speed_step * period_s)) - 1) / 2);
    return (distance_rad / period_s + speed_step * n * (n + 1) / 2) / (n + 1);
}

// The velocity the mode asks for, and by how much it may be approached in this step.
static double wanted_velocity(const struct joint_filter *filter, const struct joint_limits *limits,
                              double period_s, instant now, double *acceleration)
{
    *acceleration = filter->acceleration_rad_s2_bound;
    if (filter->mode == JOINT_MODE_POSITION) {
        const double distance = filter->target - filter->reference_rad;
        const double speed =
            fmin(joint_filter_stopping_speed(fabs(distance), *acceleration, period_s),
                 filter->velocity_rad_s_bound);
        return copysign(speed, distance);
    }
    if (filter->mode == JOINT_MODE_VELOCITY && instant_before(now, filter->expires))
        return clamp(filter->target, -filter->velocity_rad_s_bound, filter->velocity_rad_s_bound);
    if (filter->mode == JOINT_MODE_VELOCITY)
        *acceleration =
            fmin(limits->acceleration_wind_down_rad_s2, limits->acceleration_max_rad_s2);
    return 0;
}

// v between the largest velocities from which the joint still stops at its position limits.
static double stop_at_limits(const struct joint_filter *filter, const struct joint_limits *limits,
                             double v, double acceleration, double period_s)
{
    const double below = filter->reference_rad - limits->position_min_rad;
    const double above = limits->position_max_rad - filter->reference_rad;
    return clamp(v, -joint_filter_stopping_speed(below, acceleration, period_s),
                 joint_filter_stopping_speed(above, acceleration, period_s));
}

static double passthrough(struct joint_filter *filter, const struct joint_limits *limits,
                          double period_s)
{
    // The velocity is kept for a later change of mode; it must then be one that the bounds allow.
    filter->velocity_rad_s = clamp((filter->target - filter->reference_rad) / period_s,
                                   -limits->velocity_max_rad_s, limits->velocity_max_rad_s);
    filter->reference_rad = filter->target;
    return filter->reference_rad;
}

double joint_filter_step(struct joint_filter *filter, const struct joint_limits *limits,
                         double period_s, instant now)
{
    expects(period_s > 0);
    if (filter->mode == JOINT_MODE_PASSTHROUGH)
        return passthrough(filter, limits, period_s);

    double acceleration;
    double v = wanted_velocity(filter, limits, period_s, now, &acceleration);
    v = stop_at_limits(filter, limits, v, acceleration, period_s);
    v = clamp(v, filter->velocity_rad_s - acceleration * period_s,
              filter->velocity_rad_s + acceleration * period_s);
    v = stop_at_limits(filter, limits, v, limits->acceleration_max_rad_s2, period_s);

    double reference = filter->reference_rad + v * period_s;
    if (filter->mode == JOINT_MODE_POSITION && fabs(filter->target - reference) < ARRIVED_RAD)
        reference = filter->target;
    filter->reference_rad = clamp(reference, limits->position_min_rad, limits->position_max_rad);
    filter->velocity_rad_s = v;
    ensures(filter->reference_rad >= limits->position_min_rad);
    ensures(filter->reference_rad <= limits->position_max_rad);
    return filter->reference_rad;
}
