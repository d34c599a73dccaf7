// Analytic inverse kinematics of a six-joint arm: shoulder pitch, roll and yaw axes meet in one
// point, elbow pitch, wrist yaw and pitch axes meet in another. Pure and real-time safe.
//
// Turned round, the arm is a leg: seen from the hand the chain is a wrist (pitch, yaw), the elbow,
// and a spherical joint. The shoulder's position in the hand's frame gives elbow, wrist yaw and
// wrist pitch; what rotation is left is the shoulder's.
#pragma once

#include "base/status.h"
#include "message/message.h"
#include "model/robot_model.h"

enum arm_joint { ARM_SP, ARM_SR, ARM_SY, ARM_EB, ARM_WY, ARM_WP, ARM_JOINTS };

struct arm {
    double shoulder_m[3]; // in the torso's frame
    double upper_m, fore_m;
    double hand_m;         // hand site below the wrist centre, along the hand's -z
    int torso;             // link index
    int joint[ARM_JOINTS]; // joint indices in the model
    double min_rad[ARM_JOINTS], max_rad[ARM_JOINTS];
};

// The arm of one side (joints RSP RSR RSY REB RWY RWP or L..., hand at site right_hand or
// left_hand). INVALID, logged to standard error, if the model's arm is not built as above.
enum status arm_from_model(const struct robot_model *model, enum side side,
                           struct arm *arm) MUST_CHECK;

// Joint angles that bring the hand to hand_m, hand_rotation in the torso's frame. Of the solutions
// within the joint limits the one nearest to `near_rad` is taken (NULL: to zero). UNREACHABLE if no
// solution lies within the joint limits or the hand is out of reach: the answer is then the nearest
// feasible one found: the shoulder-wrist distance is clamped to what the elbow's range allows,
// angles are clamped to their limits, and of the branches the one with the least position error of
// the hand (then the least rotation error) is taken.
enum status arm_inverse(const struct arm *arm, const double hand_m[3],
                        const double hand_rotation[9], const double *near_rad,
                        double angle_rad[ARM_JOINTS]) MUST_CHECK;

// Pose of the hand in the torso's frame for given angles.
void arm_forward(const struct arm *arm, const double angle_rad[ARM_JOINTS], double hand_m[3],
                 double hand_rotation[9]);
