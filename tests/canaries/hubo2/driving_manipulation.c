// The Manipulation daemon, except that it turns the right wrist for ever, in velocity mode,
// whatever its limit. A daemon may command that: it is Control's part to stop at the limit.
#include <stddef.h>

#include "targets/hubo2/manipulation/manipulation_arms.h"

#define SPEED_RAD_S 0.5

bool __wrap_arms_command(const struct arms *arms, const struct state_message *state, instant now,
                         struct command_message *command);

bool __wrap_arms_command(const struct arms *arms, const struct state_message *state, instant now,
                         struct command_message *command)
{
    const int wrist = description_joint(arms->description, "RWP");
    if (state == NULL || wrist < 0)
        return false;
    *command = (struct command_message){
        .state_cycle = state->cycle, .time = now, .joint_count = state->joint_count};
    command->joint[wrist] =
        (struct joint_command){.mode = JOINT_MODE_VELOCITY, .value = SPEED_RAD_S};
    return true;
}
