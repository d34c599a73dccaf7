// The messages of a robot's stack that packs read (message/message.h), as structures that a
// target's message text must fit.
#pragma once

#include "harness/history/message_structure.h"

extern const struct message_structure robot_state;
extern const struct message_structure robot_reference;
extern const struct message_structure robot_command;
extern const struct message_structure robot_balance_command;
extern const struct message_structure robot_balance_status;
extern const struct message_structure robot_planner_command;
extern const struct message_structure robot_planner_status;
extern const struct message_structure robot_footsteps;
extern const struct message_structure robot_segment;
extern const struct message_structure robot_truth;
extern const struct message_structure robot_bus_log;
