// The files of the target's folder that its programs read. Initialisation only.
#pragma once

#include "model/robot_model.h"

// robot.xml. Errors, logged to standard error, as robot_model_load, and NOT_FOUND without a
// target's folder.
enum status files_robot(struct robot_model **model) MUST_CHECK;
