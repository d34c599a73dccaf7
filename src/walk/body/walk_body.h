// The robot as the pattern generator sees it: an upper body carried on two six-link legs, in
// standing posture but for the joints of waist, shoulders and elbows if they are let move.
// Kinematics, centre of mass and momentum of a sample; from three samples in a row, the multi-body
// ZMP. Pure; no allocation.
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "model/leg_ik.h"
#include "model/robot_model.h"

#define WALK_BODY_CARRIED 13 // upper body with pelvis, then six links per leg
#define WALK_BODY_LINKS (WALK_BODY_CARRIED + WALK_UPPER_JOINTS)

// Joints of the upper body that may move: waist's yaw; right and left shoulder's pitch; right and
// left elbow.
enum walk_upper { UPPER_WAIST, UPPER_SHOULDER, UPPER_ELBOW = 3, WALK_UPPER_JOINTS = 5 };

struct walk_upper_joint {
    int joint;  // in the model
    int parent; // link
    double origin_m[3], axis[3];
    double stand_rad, min_rad, max_rad;
};

struct walk_body_link {
    double mass_kg;
    double com_m[3];         // in the link's frame
    double inertia_kg_m2[9]; // about the centre of mass, link's axes
};

// A toe on a passive hinge across each foot, in the sole's plane; lengths ahead of the ankle.
struct walk_toe {
    bool there;
    double hinge_m, tip_m;
    double stiffness_Nm_rad, damping_Nms_rad, max_rad;
};

struct walk_body {
    struct leg leg[SIDE_COUNT];
    unsigned links; // WALK_BODY_CARRIED, or all
    struct walk_body_link link[WALK_BODY_LINKS];
    struct walk_upper_joint upper[WALK_UPPER_JOINTS];
    double hand_m[SIDE_COUNT][3]; // in the forearm's frame
    struct walk_toe toe;          // where the leg's links are lumped, it is not bent
    double mass_kg;
    double pelvis_height_m; // in the standing pose, above the soles
    double com_height_m;
};

// Configuration at one sample.
struct walk_body_pose {
    double pelvis_m[3];
    double com_m[3];
    double leg_rad[SIDE_COUNT][LEG_JOINTS];
    double upper_rad[WALK_UPPER_JOINTS]; // only of a body whose upper joints move
    double link_com_m[WALK_BODY_LINKS][3];
    double link_rotation[WALK_BODY_LINKS][9];
};

// Lumps the model's links; everything but the legs keeps the model's standing posture. INVALID as
// leg_from_model and walk_toe_from_model.
enum status walk_body_from_model(const struct robot_model *model,
                                 struct walk_body *body) MUST_CHECK;

// The toes on the passive joints RTO and LTO; without those there are none. INVALID, said on
// standard error: they are not as above, or differ.
enum status walk_toe_from_model(const struct robot_model *model, struct walk_toe *toe) MUST_CHECK;

// How far a foot reaches behind (negative) and ahead of the ankle, its toe too.
void walk_body_tips(const struct walk_body *body, double tip_m[2]);

// Lets the upper joints move. false: the model has no waist's yaw WST, shoulders RSP LSP, elbows
// REB LEB and hands right_hand, left_hand; then the upper body stays rigid.
bool walk_body_articulate(const struct robot_model *model, struct walk_body *body);

// Where the soles are.
struct walk_body_soles {
    double position_m[SIDE_COUNT][3];
    double rotation[SIDE_COUNT][9];
};

// The configuration with the pelvis at pose->pelvis_m and upper joints at pose->upper_rad.
// UNREACHABLE as leg_inverse.
enum status walk_body_place(const struct walk_body *body, const double pelvis_rotation[9],
                            const struct walk_body_soles *soles,
                            struct walk_body_pose *pose) MUST_CHECK;

// Finds the pelvis' horizontal position such that the centre of mass lies above com_m[0..1] within
// `within_m`. pose->pelvis_m must hold a guess (the previous sample's), and its height. UNREACHABLE
// as leg_inverse.
enum status walk_body_over(const struct walk_body *body, const double com_m[2], double within_m,
                           const double pelvis_rotation[9], const struct walk_body_soles *soles,
                           struct walk_body_pose *pose) MUST_CHECK;

// The same for level soles and the pelvis upright at the standing pose's height.
enum status walk_body_solve(const struct walk_body *body, const double com_m[2],
                            double pelvis_yaw_rad, const double foot_m[SIDE_COUNT][3],
                            const double foot_yaw_rad[SIDE_COUNT],
                            struct walk_body_pose *pose) MUST_CHECK;

// Mean momentum between two samples: angular about the world's origin, and linear.
struct walk_body_momentum {
    double angular[3], linear[3];
};
void walk_body_momentum(const struct walk_body *body, const struct walk_body_pose *from,
                        const struct walk_body_pose *to, double period_s,
                        struct walk_body_momentum *momentum);

// ZMP on the floor z = floor_m at a sample, by the change of momentum around it (Stasse 2008, eqs.
// 5 and 6): `before` and `after` are the momenta from the previous sample and to the next one,
// com_m the centre of mass at the sample.
void walk_body_zmp(const struct walk_body *body, const double com_m[3],
                   const struct walk_body_momentum *before, const struct walk_body_momentum *after,
                   double period_s, double floor_m, double zmp_m[2]);

// Where the pelvis is when the robot stands on both feet, from the middle between them: the centre
// of mass, not the pelvis, is over the middle. Errors as of walk_body_from_model and
// walk_body_solve.
enum status walk_body_standing(const struct robot_model *model, double pelvis_m[2]) MUST_CHECK;
