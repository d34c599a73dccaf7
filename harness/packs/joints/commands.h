// Which command is in force for each joint: as the Control daemon must take them up, which says so
// in motion/joint_bank.h. Per joint the newest counts, and what makes no sense is refused.
#pragma once

#include "harness/judge/analysis.h"
#include "message/message.h"
#include "model/description.h"

struct joint_in_force {
    bool commanded; // a command was ever taken up; else the rest says nothing
    struct joint_command command;
    instant time;                              // of the command, as its sender says
    double expires_s;                          // of a velocity; INFINITY: of all others
    double bound_velocity, bound_acceleration; // nominal ones, in rad/s and rad/s2
};

struct commands {
    const struct analysis *analysis;
    size_t leg, arm;      // commands on their channels that are taken
    uint64_t state_cycle; // that this Control has answered last; 0: none yet
    size_t process;       // process events that are passed
    struct joint_in_force joint[ROBOT_JOINTS_MAX];
};

// Takes up all that was said when reference `number` was published. To be called for each in turn.
// True: it is the first of a daemon that was started, or started again.
bool commands_until(struct commands *commands, size_t number);
