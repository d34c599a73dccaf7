// Runs a user's control program (script.h) on the robot's channels: what the servos said goes in,
// requests come out.
#pragma once

#include "robot/participant.h"
#include "targets/bioloid/script.h"

#define SCRIPT_PERIOD_NS 20000000

struct script_run {
    struct script *script; // NULL: none runs
    struct script_axes axes;
    uint32_t unheard; // servos that were asked for before they had said where they are
    int64_t state_ns; // of the state known last
    uint64_t sequence;
    struct channel *request;
};

struct servo_state_message;

// Opens the script of this name in the folder $UKEMI_TARGET/scripts. INVALID: what is wrong has
// been logged to standard error; errors of script_open.
enum status script_run_open(const char *name, struct script **script) MUST_CHECK;
// A new state of the servos.
void script_run_see(struct script_run *run, const struct servo_state_message *state);
// Calls the script and asks for what it wants. False: it failed, for script_reason.
bool script_run_call(struct script_run *run, enum script_call call, instant now);
