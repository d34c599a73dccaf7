// The servos of one robot of the world, one an axis, by their numbers. Real-time safe.
#pragma once

#include "model/movement.h"
#include "plant/servo.h"
#include "servo_command.h"

struct robot_servos {
    int axis[MOVEMENT_SERVOS]; // in the world; -1: no such servo
    unsigned count;
    struct servo_orders orders[MOVEMENT_SERVOS];
    struct servo servo[MOVEMENT_SERVOS];
};

// On, at the angle 0.
void robot_servos_start(struct robot_servos *servos, const struct scene_robot *robot);
void robot_servos_command(struct robot_servos *servos, const struct servo_command_message *command);

// Torques and friction of the step that begins, into the world's.
void robot_servos_step(struct robot_servos *servos, double step_s, const double *position_rad,
                       const double *velocity_rad_s, double *torque_Nm, double *friction_Nm);
