// What arms keep off: each hand from the thigh on its side, the left arm, which holds the hose,
// from pelvis and torso, too. The places are the robot's own; a hand that is told to go into one
// stops before it.
#pragma once

#include "task/stack.h"

#define CLEARANCE_M 0.05 // between the surfaces: there is a hose in the hand

// Adds a task for each pair. INVALID: the model has no such links, logged to standard error; FULL.
enum status clearance_add(struct task_stack *stack, const struct robot_model *model,
                          unsigned level) MUST_CHECK;

// The least distance of any pair's surfaces in a pose; negative: one is in the other. Of the model
// that clearance_add has taken. Real-time safe.
double clearance_m(const struct robot_model *model, const struct robot_pose *pose);
