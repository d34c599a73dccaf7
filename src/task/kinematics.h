// Velocities of points of the robot: Jacobians of the model's kinematics. Pure, real-time safe.
//
// A velocity of the whole robot is the root's linear and angular velocity (world frame), then the
// joints' in the model's order.
#pragma once

#include "model/robot_model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TASK_ROOT 6
#define TASK_UNKNOWNS_MAX (TASK_ROOT + ROBOT_JOINTS_MAX)

// Rows of the linear (3) and the angular (3) velocity of a point in world coordinates that is fixed
// to a link; `width` numbers each, TASK_ROOT + joint_count. NULL: not wanted.
void jacobian_point(const struct robot_model *model, const struct robot_pose *pose, int link,
                    const double point_m[3], double *linear, double *angular);

// Rows of the velocity of the centre of mass (3).
void jacobian_com(const struct robot_model *model, const struct robot_pose *pose, double *linear);

// Rotation vector from R to S: the angular velocity that leads there in one second.
void rotation_error(const double R[9], const double S[9], double vector[3]);

// Moves root and joints by a velocity for a time.
void integrate_velocity(const struct robot_model *model, const double *velocity, double period_s,
                        double root_m[3], double root_rotation[9], double *joint_rad);

#ifdef __cplusplus
}
#endif
