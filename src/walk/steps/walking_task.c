#include "walk/steps/walking_task.h"

#include <math.h>

#include "base/invariant.h"

#define LEAN_RATE_1_S 7.0 // with it a lean follows like a low pass of 0.3 s

const struct walking_task_parameters walking_task_default = {
    .gain_near = 0.8,
    .gain_far = 0.5,
    .gain_slope = 3,
    .integral_gain = 0.02,
    .limit = {0.10, 0.15, 5 * M_PI / 180},
    // 5 cm, 5 cm and 5 degrees are asked for at rest; the last step still adds to what is foreseen.
    .tolerance = {0.03, 0.03, 3 * M_PI / 180},
    .integral_max = 1,
};

void walking_task_error(struct pose2d at, struct pose2d goal, double error[TASK_AXES])
{
    error[TASK_X] = at.x_m - goal.x_m;
    error[TASK_Y] = at.y_m - goal.y_m;
    error[TASK_YAW] = remainder(at.yaw_rad - goal.yaw_rad, 2 * M_PI);
}

bool walking_task_reached(const struct walking_task_parameters *parameters,
                          const double error[TASK_AXES])
{
    for (int i = 0; i < TASK_AXES; i++)
        if (!(fabs(error[i]) < parameters->tolerance[i]))
            return false;
    return true;
}

static double gain(const struct walking_task_parameters *p, double size)
{
    return (p->gain_near - p->gain_far) * exp(-p->gain_slope * size) + p->gain_far;
}

// Limits one axis; true if that changed it.
static bool limit(double *value, double most)
{
    const double wanted = *value;
    *value = fmin(fmax(wanted, -most), most);
    return *value != wanted;
}

static void accumulate(double *integral, double error, double most)
{
    *integral = fmin(fmax(*integral + error, -most), most);
}

void walking_task_step(struct walking_task *task, const struct walking_task_parameters *p,
                       struct pose2d at, struct pose2d goal, double step[TASK_AXES])
{
    double error[TASK_AXES], world[TASK_AXES];
    walking_task_error(at, goal, error);
    if (!isfinite(error[TASK_X]) || !isfinite(error[TASK_Y]) || !isfinite(error[TASK_YAW])) {
        step[TASK_X] = step[TASK_Y] = step[TASK_YAW] = 0;
        return;
    }
    const double far = gain(p, hypot(error[TASK_X], error[TASK_Y]));
    for (int i = 0; i < TASK_AXES; i++)
        world[i] = -(i == TASK_YAW ? gain(p, fabs(error[i])) : far) * error[i] -
                   p->integral_gain * task->integral[i];
    const double c = cos(at.yaw_rad), s = sin(at.yaw_rad);
    step[TASK_X] = c * world[TASK_X] + s * world[TASK_Y];
    step[TASK_Y] = -s * world[TASK_X] + c * world[TASK_Y];
    step[TASK_YAW] = world[TASK_YAW];
    const bool held_x = limit(&step[TASK_X], p->limit[TASK_X]);
    const bool held_y = limit(&step[TASK_Y], p->limit[TASK_Y]);
    // The axes are the body's: what holds one back holds back those of the world that it has a
    // share in.
    if (!(fabs(c) > fabs(s) ? held_x : held_y))
        accumulate(&task->integral[TASK_X], error[TASK_X], p->integral_max);
    if (!(fabs(c) > fabs(s) ? held_y : held_x))
        accumulate(&task->integral[TASK_Y], error[TASK_Y], p->integral_max);
    if (!limit(&step[TASK_YAW], p->limit[TASK_YAW]))
        accumulate(&task->integral[TASK_YAW], error[TASK_YAW], p->integral_max);
}

void lean_step(struct lean *lean, const double target_m[2], double period_s)
{
    expects(period_s > 0);
    for (int i = 0; i < 2; i++) {
        const double rate = LEAN_RATE_1_S;
        const double acceleration =
            rate * rate * (target_m[i] - lean->offset_m[i]) - 2 * rate * lean->velocity_m_s[i];
        lean->velocity_m_s[i] += acceleration * period_s;
        lean->offset_m[i] += lean->velocity_m_s[i] * period_s;
    }
}
