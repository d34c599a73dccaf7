// The balance daemon's finite list of commands: taken up, delayed until they can be performed, or
// ignored.
//
// stand and walk and turn need a standing robot: while it moves they wait in a queue of one. stop
// breaks off what is being done. What makes no sense, comes twice or finds the queue full is
// ignored. Walking and turning become requests to the planner, which remain until the motion is
// complete, across interruptions. Pure; real-time safe.
#pragma once

#include <stdbool.h>

#include "message/message.h"

#define BALANCE_STEPS_MAX 100

struct balance_commands {
    uint64_t seen_id; // highest id received
    uint64_t accepted_id, done_id, ignored_id;
    struct balance_command_message
        active;          // kind BALANCE_NONE: none. A stop stays until the next plan or command
    uint32_t steps_done; // of the active command, by the plan under way
    double turned_rad;   // likewise
    struct balance_command_message waiting; // kind BALANCE_NONE: none
};

// Takes up where a predecessor (this daemon before a restart) left off: `last` is its last status,
// `command` the last command on the channel; either may be NULL.
void balance_commands_restore(struct balance_commands *commands,
                              const struct balance_status_message *last,
                              const struct balance_command_message *command);

void balance_commands_receive(struct balance_commands *commands,
                              const struct balance_command_message *command,
                              enum balance_phase phase);

// Once a cycle, after receiving: takes up what waits as soon as the robot stands.
void balance_commands_update(struct balance_commands *commands, enum balance_phase phase);

// What becomes of a plan made for request_id: taken; at its step number `step` and turned so far
// (`at_rest`: at its end); carried out to its end; left before that, so that only the rest remains
// to be done.
void balance_commands_plan_begun(struct balance_commands *commands, uint64_t request_id);
void balance_commands_plan_progress(struct balance_commands *commands, uint64_t request_id,
                                    uint32_t step, bool at_rest, double turned_rad);
void balance_commands_plan_complete(struct balance_commands *commands, uint64_t request_id);
void balance_commands_plan_broken(struct balance_commands *commands, uint64_t request_id);

// Whether a stop forbids further segments of the plan being executed.
bool balance_commands_stopping(const struct balance_commands *commands);

// Whether plans are welcome that fulfil request_id (0: a goal of the planner's own).
bool balance_commands_wants(const struct balance_commands *commands, uint64_t request_id);

// Fills the command fields of the status.
void balance_commands_report(const struct balance_commands *commands,
                             struct balance_status_message *status);
