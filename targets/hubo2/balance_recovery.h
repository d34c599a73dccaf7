// Recovery: from whatever pose the robot rests in back to standing on both feet, quasi-statically.
//
// The boards hold the joints, so the robot is a rigid body that rests on whatever touches the
// floor. One foot is taken for the ground (the anchor); the other sole is brought into the anchor's
// plane where it is (the swing foot is lowered, an edge it leans on becomes a sole), with the
// pelvis kept over the anchor; then the pelvis moves over the middle between the feet, upright, at
// standing height. Positions and angles follow minimum-jerk polynomials (Flash and Hogan 1985).
// Pure; real-time safe.
#pragma once

#include <stdbool.h>

#include "message/message.h"
#include "model/leg_ik.h"

struct body_pose { // in the odometry frame; angles are roll, pitch, yaw (Rz Ry Rx)
    double pelvis_m[3], pelvis_rpy[3];
    double sole_m[SIDE_COUNT][3], sole_rpy[SIDE_COUNT][3];
};

struct recovery {
    enum side anchor;
    struct body_pose key[3];                   // as found, soles in one plane, standing
    double duration_s[2];                      // between them
    double time_s;                             // since the start
    double offset_rad[SIDE_COUNT][LEG_JOINTS]; // of the angles found from those of key[0]; fades
};

// Which foot is taken for the ground: the only one that carries weight, else the one farther down
// in the pelvis' frame (the pelvis being upright in every plan). sole_z_m: heights of the soles in
// the pelvis' frame.
enum side recovery_anchor(const double sole_z_m[SIDE_COUNT], const double force_N[SIDE_COUNT],
                          double weight_N);

// Poses of pelvis and soles for given leg angles, the anchor's sole lying flat at `anchor_at`.
void recovery_observe(const struct leg leg[SIDE_COUNT],
                      const double angle_rad[SIDE_COUNT][LEG_JOINTS], enum side anchor,
                      struct pose2d anchor_at, struct body_pose *pose);

// Where both feet will stand when `pose` has been recovered from.
void recovery_feet(const struct body_pose *pose, struct pose2d foot[SIDE_COUNT]);

// Starts the motion from `found` to the pose described by `stand` (its feet as told by
// recovery_feet).
void recovery_start(struct recovery *recovery, const struct leg leg[SIDE_COUNT],
                    const double angle_rad[SIDE_COUNT][LEG_JOINTS], const struct body_pose *found,
                    enum side anchor, const struct segment_sample *stand);

// Advances by period_s and gives the leg angles for then. Returns true when the motion is complete.
bool recovery_step(struct recovery *recovery, const struct leg leg[SIDE_COUNT], double period_s,
                   double angle_rad[SIDE_COUNT][LEG_JOINTS]);
