// The daemon around balance: its channels, and one cycle after the other. For programs that drive
// more of the robot than balance does (targets/firehose/whole_body.c), too.
#pragma once

#include "robot/participant.h"
#include "targets/hubo2/balance/balance_steps.h"

struct balance_daemon {
    // Whether balance is to answer the state, and whether in silence: sets `silent`. NULL: always,
    // aloud. For a daemon of which there are two.
    bool (*turn)(struct balance_daemon *daemon, instant now);
    bool silent; // publishes nothing
    // Motion comes as steps, and the segments they make are published; set before the start. false:
    // it comes as segments.
    bool by_steps;
    struct channel *state_channel, *command, *segment_channel, *leg_command_channel,
        *status_channel, *last_status, *footsteps; // of these, footsteps only by steps
    struct description *description;
    struct robot_model *model;
    struct balance balance;
    struct state_message state;     // the newest
    struct segment_message segment; // one that came
    struct footsteps_message steps;
    struct command_message leg_command;
    struct balance_status_message status;
};

// Opens the channels, loads robot and description, and takes up where a predecessor left off. The
// daemon is filled with 0 before. Errors are logged to standard error. Not real-time.
enum status balance_daemon_start(struct balance_daemon *daemon) MUST_CHECK;

// Waits for a state, at most 100 ms; answers it with a command of the legs, and says how balance
// is. Whether there was one that balance answered, and not in silence.
bool balance_daemon_cycle(struct balance_daemon *daemon, struct clk *clk);
