// The simulated world around the robot, as the scenario's environment parameters describe it.
//
//   UKEMI_ENV_GOAL_X_M, _GOAL_Y_M, _GOAL_YAW_RAD   goal marker; absent without GOAL_X_M
//   UKEMI_ENV_OBSTACLE<n>_X_M, _Y_M, _RADIUS_M     n = 1 .. ROBOT_OBSTACLES_MAX
#pragma once

#include "base/status.h"
#include "plant/camera.h"

// Reads the environment. INVALID (said on standard error) if a value is not a finite number.
enum status world_read(struct surroundings *surroundings) MUST_CHECK;
