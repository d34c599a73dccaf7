// The target's own files, found in the folder $UKEMI_TARGET.
#pragma once

#include "model/description.h"
#include "model/robot_model.h"

// Loads hubo2.xml and robot.xml; either pointer may be NULL if it is not wanted. NOT_FOUND
// (UKEMI_TARGET is not set), else as description_load and robot_model_load; everything is said on
// standard error. Not real-time.
enum status target_files_load(struct description **description,
                              struct robot_model **model) MUST_CHECK;
