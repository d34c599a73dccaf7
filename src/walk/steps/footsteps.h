// Where to put the feet: forward, backward, sideways, turning, and towards a goal. Pure; real-time
// safe; no allocation.
//
// All poses are soles on the floor in one frame (balance's odometry frame). A "stance" is where
// both feet stand and which foot swings next.
#pragma once

#include <stdbool.h>

#include "message/message.h"
#include "walk/steps/gait.h"

struct footstep {
    enum side side;     // the foot that swings
    struct pose2d pose; // where it lands
};

struct stance {
    struct pose2d foot[SIDE_COUNT];
    enum side next; // the foot to swing next
};

// Lateral distance between the feet in normal stance (2 x hip offset of the HUBO2).
#define FOOTSTEPS_SPACING_M 0.177

// Feet side by side around `centre` (between the feet), right foot next.
struct stance footsteps_stance(struct pose2d centre);

// Point midway between the feet, with the mean yaw.
struct pose2d footsteps_centre(const struct stance *stance);

// `stance` after the step was made.
struct stance footsteps_after(struct stance stance, struct footstep step);

// Steps for a balance command (BALANCE_WALK_FORWARD, _BACKWARD, _LEFT, _RIGHT: `steps` steps;
// BALANCE_TURN: by angle_rad, as many as that takes). The last one leaves the feet wherever it
// landed: the pattern generator closes the stance. Writes at most `max` steps and returns how many;
// 0 for other kinds, zero steps, or a zero angle.
unsigned footsteps_walk(const struct gait_parameters *gait, const struct stance *stance,
                        enum balance_command_kind kind, unsigned steps, double angle_rad,
                        struct footstep *step, unsigned max);

// One step from `stance` towards `goal` (the point between the feet, and the yaw to stand in): turn
// towards it, walk, then turn into the goal's yaw. Returns false, writing nothing, if the closed
// stance is already within tolerance of the goal (0.08 m, 0.12 rad).
bool footsteps_toward(const struct gait_parameters *gait, const struct stance *stance,
                      const struct pose2d *goal, struct footstep *step);

// The step that brings the next foot beside the other one. Returns false if the feet stand side by
// side already.
bool footsteps_close(const struct stance *stance, struct footstep *step);
