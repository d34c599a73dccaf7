// The robot description: joints in order, their boards, limits and groups
// (targets/<name>/robot-description XML, libxml2).
//
// Loaded once at start; not real-time. Every error names file, line, element, value and remedy on
// standard error.
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "base/time.h"
#include "message/message.h"

#define DESCRIPTION_NAME_MAX 16
#define DESCRIPTION_BOARDS_MAX 24
#define DESCRIPTION_BOARD_CHANNELS_MAX 5

enum joint_group {
    GROUP_WAIST,
    GROUP_NECK,
    GROUP_RIGHT_ARM,
    GROUP_LEFT_ARM,
    GROUP_RIGHT_LEG,
    GROUP_LEFT_LEG,
    GROUP_RIGHT_HAND,
    GROUP_LEFT_HAND,
    GROUP_COUNT
};

// Whose joints the messages on a robot's channels leg-command and arm-command may move.
#define LEG_COMMAND_GROUPS (1u << GROUP_RIGHT_LEG | 1u << GROUP_LEFT_LEG | 1u << GROUP_WAIST)
#define ARM_COMMAND_GROUPS                                                                         \
    (1u << GROUP_RIGHT_ARM | 1u << GROUP_LEFT_ARM | 1u << GROUP_RIGHT_HAND |                       \
     1u << GROUP_LEFT_HAND | 1u << GROUP_NECK)

struct joint_description {
    char name[DESCRIPTION_NAME_MAX]; // "LHY"
    enum joint_group group;
    unsigned board;   // index in description.board
    unsigned channel; // on that board
    double ticks_per_rad;
    double torque_max_Nm; // at a link board's full output; 0: not given
    double position_min_rad, position_max_rad;
    double velocity_nominal_rad_s,
        acceleration_nominal_rad_s2;                    // position mode when the command names none
    double velocity_max_rad_s, acceleration_max_rad_s2; // no reference ever exceeds these
    double acceleration_wind_down_rad_s2; // how fast velocity mode decelerates after its time-out
    duration velocity_timeout;            // velocity mode when the command names none
};

struct board_description {
    char name[DESCRIPTION_NAME_MAX]; // "JMC4"
    unsigned id;                     // 0x04
    unsigned bus;                    // 0, 1
    unsigned channel_count;
    int joint[DESCRIPTION_BOARD_CHANNELS_MAX]; // joint index per channel, -1: none
    uint32_t reference_can_id, encoder_can_id, status_can_id, current_can_id;
    uint32_t finger; // 1: PWM finger board
    uint32_t
        link; // 1: link board of a node (plant/motors/link_board.h); no bus, no CAN identifiers
};

struct description {
    char name[DESCRIPTION_NAME_MAX];
    unsigned joint_count;
    unsigned board_count;
    struct joint_description joint[ROBOT_JOINTS_MAX];
    struct board_description board[DESCRIPTION_BOARDS_MAX];
};

// Loads and checks a description file. INVALID (logged to standard error), NO_MEMORY. The caller
// frees it with description_free.
enum status description_load(const char *path, struct description **description) MUST_CHECK;
// That of a target without a robot: no joint, no board. NULL: no memory. The caller frees it.
struct description *description_none(void);
void description_free(struct description *description);

// Index of the joint called `name`, or -1.
int description_joint(const struct description *description, const char *name);

// Index of the board called `name`, or -1.
int description_board(const struct description *description, const char *name);

// The board whose references a frame on the bus carries, NULL if it carries none. Fingers have
// none.
const struct board_description *description_reference_board(const struct description *description,
                                                            uint32_t bus, uint32_t can_id);
