// Manipulation daemon: what both arms are to do. From goals (joint angles, or hand poses through
// analytic inverse kinematics) to position commands for Control. Pure and real-time safe.
#pragma once

#include <stdbool.h>

#include "model/arm_ik.h"
#include "model/description.h"

struct arm_target { // one arm
    bool set;       // a goal has been accepted
    double angle_rad[ARM_JOINTS];
    double velocity_nominal_rad_s, acceleration_nominal_rad_s2;
};

struct arms {
    const struct description *description;
    struct arm arm[SIDE_COUNT];
    struct arm_target target[SIDE_COUNT];
    struct manipulation_status_message status;
};

// INVALID (logged to standard error) if the model's arms cannot be used.
enum status arms_start(struct arms *arms, const struct description *description,
                       const struct robot_model *model) MUST_CHECK;

// Takes up the goals of a command; an arm whose goal is NONE goes on with its last one. A goal that
// is out of reach, outside the joint limits or not made of numbers is refused: that arm goes on
// with its last one, and the status names the command. Of several solutions the one nearest to the
// arm's last goal is taken, or, without one, nearest to the measured angles of `state` (NULL: to
// zero).
void arms_accept(struct arms *arms, const struct manipulation_command_message *command,
                 const struct state_message *state);

// Position commands for both arms' joints; false if there is no goal yet. `state` may be NULL.
bool arms_command(const struct arms *arms, const struct state_message *state, instant now,
                  struct command_message *command);

// Compares the measured angles with the goals.
void arms_report(struct arms *arms, const struct state_message *state, instant now);
