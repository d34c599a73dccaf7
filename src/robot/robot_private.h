// What the files of robot.h share. Private.
#pragma once

#include "channel/channel.h"
#include "clock/clock.h"
#include "robot/robot.h"

struct robot {
    struct clk *clk;
    struct channel *balance_status_channel;
    struct channel *planner_status_channel;
    struct channel *manipulation_status_channel;
    struct channel *balance_command_channel;
    struct channel *planner_command_channel;
    struct channel *manipulation_command_channel;
    struct channel *state_channel, *joint_command_channel; // opened when they are first used
    struct balance_status_message balance_status;
    struct planner_status_message planner_status;
    struct manipulation_status_message manipulation_status;
    struct state_message state;
    struct balance_command_message balance_command; // last sent, likewise below
    struct planner_command_message planner_command;
    struct manipulation_command_message manipulation_command;
    double asked_rad[ROBOT_JOINTS]; // of the joints `asked`: bit j, told an angle last
    uint64_t asked;
};

// The newest message of a channel; NULL without one.
const void *robot_newest(struct channel *channel, void *message, size_t size_B);

// Looks at `done` until it is not TIMEOUT or the time is over.
enum status robot_wait_for(struct robot *robot, enum status (*done)(struct robot *),
                           duration timeout);
