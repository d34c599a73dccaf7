// Standard ROS messages derived from ground truth, so that viewers show the robot.
#pragma once

#include "harness/history/derived.h"

// Their context is the robot's description (model/description.h).
extern const struct derived_topic robot_viewer_topics[];
