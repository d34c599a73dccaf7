// Recovery: from whatever pose the robot rests in back to standing on both feet, quasi-statically.
//
// The boards hold the joints, so the robot is a rigid body that rests on whatever touches the
// floor. One foot is taken for the ground (the anchor). If the other one is in the air, the centre
// of mass is first brought over the anchor, then the foot is set down. A foot that the robot leans
// on, but not with its whole sole, is laid flat about the edge that touches the floor, so that the
// robot does not rock. If the feet then stand too far apart to walk from, one is lifted and set
// down nearer. Last the pelvis moves over the middle between the feet, upright, at standing height.
// Positions and angles follow minimum-jerk polynomials (Flash and Hogan 1985).
// Pure; real-time safe.
#pragma once

#include <stdbool.h>

#include "message/message.h"
#include "model/leg_ik.h"

#define RECOVERY_KEYS 7

struct body_pose { // in the odometry frame; angles are roll, pitch, yaw (Rz Ry Rx)
    double pelvis_m[3], pelvis_rpy[3];
    double sole_m[SIDE_COUNT][3], sole_rpy[SIDE_COUNT][3];
};

// What tells how the robot rests.
struct recovery_senses {
    double angle_rad[SIDE_COUNT][LEG_JOINTS];
    double force_N[SIDE_COUNT]; // 0 without a sensor
    double weight_N;
    bool imu_valid;
    double roll_rad, pitch_rad; // of the pelvis
};

struct rest { // how the robot rests
    struct body_pose pose;
    enum side anchor;
    bool lifted;  // the other foot is in the air
    bool touches; // the other foot carries weight: it is on the floor, whatever the angles say
    bool apart;   // it is not, but too far away
    double contact_m[SIDE_COUNT][3]; // of each sole the point that stays where it is when the sole
                                     // is laid flat, in the sole's frame: on an edge that touches
                                     // the floor, else the centre
};

struct recovery {
    double contact_m[SIDE_COUNT][3];
    unsigned keys;
    struct body_pose key[RECOVERY_KEYS];      // from as found to standing
    double duration_s[RECOVERY_KEYS - 1];     // between them
    double time_s;                            // since the start
    double angle_rad[SIDE_COUNT][LEG_JOINTS]; // commanded last
};

// Which foot is taken for the ground: the only one that carries weight, else the one that lies
// flatter, else the one farther down. sole_z_m: heights of the soles; sole_tilt_rad: their angles
// with the floor.
enum side recovery_anchor(const double sole_z_m[SIDE_COUNT], const double sole_tilt_rad[SIDE_COUNT],
                          const double force_N[SIDE_COUNT], double weight_N);

// Finds out how the robot rests, its soles having been at `foot` in the odometry frame. An anchor
// that lies nearly flat is taken for flat, whatever the IMU says.
void recovery_observe(const struct leg leg[SIDE_COUNT], const struct recovery_senses *senses,
                      const struct pose2d foot[SIDE_COUNT], struct rest *rest);

// Where both feet are once they lie flat, and where they will stand when the robot has recovered: a
// foot that is lifted is set down within what the robot can comfortably stand on.
void recovery_flat(const struct rest *rest, struct pose2d foot[SIDE_COUNT]);
void recovery_feet(const struct rest *rest, struct pose2d foot[SIDE_COUNT]);

// Starts the motion. `anchored_m`: where the pelvis must be for the centre of mass to be over the
// anchor, the feet as told by recovery_flat; needed if a foot is lifted or apart. `stand`: the pose
// to end in, the feet as told by recovery_feet.
void recovery_start(struct recovery *recovery, const struct recovery_senses *senses,
                    const struct rest *rest, const double anchored_m[3],
                    const struct segment_sample *stand);

// Advances by period_s and gives the leg angles for then. Returns true when the motion is complete.
bool recovery_step(struct recovery *recovery, const struct leg leg[SIDE_COUNT], double period_s,
                   double angle_rad[SIDE_COUNT][LEG_JOINTS]);
