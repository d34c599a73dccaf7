// Joint bank: the filters of all joints of a robot, between the commands of several senders and the
// references of the motor boards. This is the Control daemon without its input and output.
//
// One step per state of the Hardware daemon. Pure and real-time safe; a bank is plain memory.
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "model/description.h"
#include "motion/joint_filter.h"

// A velocity command that answers a state of more cycles ago is stale: its sender hung.
#define JOINT_BANK_STALE_CYCLES 50

// A cycle without references brings the motor boards to rest, so the joints start from rest again.
// After more than so many such cycles they hold first, as at the start: the robot may have moved.
#define JOINT_BANK_LOST_CYCLES_MAX 2

struct joint_bank {
    unsigned joint_count;
    duration period;
    struct joint_limits limits[ROBOT_JOINTS_MAX];
    enum joint_group group[ROBOT_JOINTS_MAX];
    unsigned board[ROBOT_JOINTS_MAX];
    duration velocity_timeout[ROBOT_JOINTS_MAX];
    struct joint_filter filter[ROBOT_JOINTS_MAX];
    instant command_time[ROBOT_JOINTS_MAX]; // of the newest command taken up
    bool commanded[ROBOT_JOINTS_MAX];       // a command was ever taken up
    bool started[ROBOT_JOINTS_MAX];         // the filter has a place to start from
    bool dead[ROBOT_JOINTS_MAX];            // the board was dead and has not been heard since
    double sent_rad[ROBOT_JOINTS_MAX];      // what the board held at the last step
    unsigned lost[ROBOT_JOINTS_MAX];        // consecutive cycles in which no reference was sent
    bool has_state;
    uint64_t state_cycle;      // of the last step
    instant state_start;       // cycle start of the last step
    uint64_t refused_commands; // messages or single joints that were stale or made no sense
};

// Takes limits and groups from a description. `period` is the time between two references.
void joint_bank_start(struct joint_bank *bank, const struct description *description,
                      duration period);

// Takes up a command message for the joints of `groups` (bit per enum joint_group; others in the
// message are ignored). Per joint the newest command counts, whoever sent it: older ones are
// refused, and so are times in the future, numbers that are not finite, and velocities that answer
// a state of long ago. A velocity expires so long after the message's own time.
// Anything refused leaves what was in force and is counted.
void joint_bank_command(struct joint_bank *bank, const struct command_message *message,
                        uint32_t groups, instant now);

// One step of all filters in answer to `state`, which must be newer than the one before and not
// from the future (else false, nothing done). Fills *reference, stamped `now`; false when there is
// nothing to send.
//
// The set point that a board holds, as the state reports it, is the truth: after a gap in the
// states, after a restart of either daemon, or when references did not get through, filters go on
// from it. Where it is unknown, or so far from the encoder that the board cannot be holding it,
// they start at the measured position. After a start or a long gap they start from rest: the first
// reference is where the joint is held, motion begins with the second.
//
// A joint whose board is dead (state.dead_boards) gets no references. So a board that only cannot
// speak comes to rest where it is and holds, and one that cannot hear is not led away from: what
// was commanded in the meantime would else be a jump when it comes back. What it holds then is
// unknown, so it starts from the measured position, at rest, and goes on with its command.
bool joint_bank_step(struct joint_bank *bank, const struct state_message *state, instant now,
                     struct reference_message *reference);
