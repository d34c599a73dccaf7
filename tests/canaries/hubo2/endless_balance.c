// Canary: the Balance daemon, except that its velocity commands never time out.
//
// Linked with the real daemon and --wrap=channel_put. Killed while it walks the robot, it leaves
// the joints turning until their limits: the wind-down oracle must fail it.
#include <string.h>

#include "message/message.h"
#include "tests/canaries/hubo2/put.h"

enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now)
{
    static struct command_message command;
    if (strcmp(channel_name(channel), "leg-command") != 0 || size_B != sizeof command)
        return __real_channel_put(channel, frame, size_B, now);
    memcpy(&command, frame, sizeof command);
    for (unsigned i = 0; i < command.joint_count; i++)
        command.joint[i].timeout = duration_s(3600);
    return __real_channel_put(channel, &command, sizeof command, now);
}
