// Analytic inverse kinematics of a six-joint leg: yaw, roll, pitch axes meet in the hip centre,
// knee pitch, ankle pitch and roll axes meet in the ankle centre. Pure and real-time safe.
//
// Formulas: Kajita, Hirukawa, Harada, Yokoi, "Introduction to Humanoid Robotics", section 2.5.2.
#pragma once

#include "base/status.h"
#include "message/message.h"
#include "model/robot_model.h"

enum leg_joint { LEG_HY, LEG_HR, LEG_HP, LEG_KN, LEG_AP, LEG_AR, LEG_JOINTS };

// A sole's rectangle about the point under the ankle: forward and left are positive.
struct sole {
    double back_m, front_m, right_m, left_m;
};

struct leg {
    double hip_m[3]; // hip centre in the root's frame
    double thigh_m, shank_m;
    double ankle_m; // ankle centre above the sole
    struct sole sole;
    int joint[LEG_JOINTS]; // joint indices in the model
    double min_rad[LEG_JOINTS], max_rad[LEG_JOINTS];
};

// The leg of one side (joints RHY RHR RHP RKN RAP RAR or L..., sole at site ft_right_foot or
// ft_left_foot). The sole is what is drawn of the site's link by boxes; without any, 0.21 by 0.13
// m. INVALID, logged to standard error, if the model's leg is not built as above.
enum status leg_from_model(const struct robot_model *model, enum side side,
                           struct leg *leg) MUST_CHECK;

// Joint angles that put the sole at sole_m with orientation sole_rotation, the root being at root_m
// with root_rotation (all in one frame). UNREACHABLE if the ankle is too far or too near or a joint
// limit is exceeded: the answer is then the same with the leg stretched (or folded) as far as it
// goes in that direction and the angles clamped to the limits.
enum status leg_inverse(const struct leg *leg, const double root_m[3],
                        const double root_rotation[9], const double sole_m[3],
                        const double sole_rotation[9], double angle_rad[LEG_JOINTS]) MUST_CHECK;

// Pose of the sole in the root's frame for given angles (inverse of the above).
void leg_forward(const struct leg *leg, const double angle_rad[LEG_JOINTS], double sole_m[3],
                 double sole_rotation[9]);
