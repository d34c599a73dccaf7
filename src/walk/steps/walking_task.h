// The walking task: from where the robot will be to how it is to step, by proportional and integral
// feedback. Pure; SI units, velocities per step.
//
//   e = x - x_d (x, y, yaw),   v = -lambda(|e|) e - Lambda integral(e),   world to body, limited
//   lambda(|e|) = (lambda_0 - lambda_inf) exp(-b |e|) + lambda_inf
//
// Ramirez-Alpizar et al., Humanoids 2016, equations (3), (4). x is where the steps already
// committed end: feedback on the present pose overshoots by them. An integral does not grow while
// the limits hold its axes back.
#pragma once

#include <stdbool.h>

#include "message/message.h"

enum { TASK_X, TASK_Y, TASK_YAW, TASK_AXES };

struct walking_task_parameters {
    double gain_near, gain_far, gain_slope; // lambda_0, lambda_inf, b (per m, and per rad for yaw)
    double integral_gain;                   // Lambda, per step
    double limit[TASK_AXES];                // m, m, rad a step
    double tolerance[TASK_AXES];
    double integral_max; // of each axis' integral, in its unit
};
extern const struct walking_task_parameters walking_task_default;

struct walking_task {
    double integral[TASK_AXES];
};

// x - x_d, yaw within half a turn.
void walking_task_error(struct pose2d at, struct pose2d goal, double error[TASK_AXES]);
bool walking_task_reached(const struct walking_task_parameters *parameters,
                          const double error[TASK_AXES]);

// The step from `at` towards `goal`: body frame, per step. All zero if a number is not finite.
void walking_task_step(struct walking_task *task, const struct walking_task_parameters *parameters,
                       struct pose2d at, struct pose2d goal, double step[TASK_AXES]);

// A lean of the centre of mass against a force on the hand, which is low-passed as it is sampled:
// -f z / (m g), critically damped so that a trajectory stays smooth. Body frame.
struct lean {
    double offset_m[2], velocity_m_s[2];
};
void lean_step(struct lean *lean, const double target_m[2], double period_s);
