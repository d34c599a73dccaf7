// The servos of one robot of the world, one an axis, by their numbers. Each drives its axis by the
// difference between goal and angle, as an AX-12 does with its compliance. Real-time safe.
#pragma once

#include "model/movement.h"
#include "servo_command.h"

#define SERVO_STALL_NM 1.5         // at 12 V
#define SERVO_NO_LOAD_RAD_S 6.178  // 59 rpm at 12 V
#define SERVO_ARMATURE_KG_M2 0.005 // of the rotor behind the gear of 254:1
#define SERVO_STEP_RAD (300 * 3.14159265358979323846 / 180 / 1023)

struct servos {
    int axis[MOVEMENT_SERVOS]; // in the world; -1: no such servo
    unsigned count;
    bool on[MOVEMENT_SERVOS];
    unsigned slope[MOVEMENT_SERVOS];
    double goal_rad[MOVEMENT_SERVOS];     // as commanded
    double setpoint_rad[MOVEMENT_SERVOS]; // goes there with the commanded speed
    double speed_rad_s[MOVEMENT_SERVOS];
    double torque_Nm[MOVEMENT_SERVOS];
};

// On, at the angle 0.
void servos_start(struct servos *servos, const struct scene_robot *robot);
void servos_command(struct servos *servos, const struct servo_command_message *command);

// Torques of the step that begins, into the world's.
void servos_step(struct servos *servos, double step_s, const double *position_rad,
                 double *torque_Nm);
