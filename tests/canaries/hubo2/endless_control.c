// Canary: the Control daemon, except that for it velocity commands never time out.
//
// Linked with the real daemon and --wrap=channel_get. When Balance is killed while it walks the
// robot, it leaves the joints turning until their limits: the wind-down oracle must fail it.
#include <string.h>

#include "channel/channel.h"
#include "message/message.h"

enum status __real_channel_get(struct channel *channel, void *buffer, size_t size_B,
                               enum channel_which which, struct channel_frame *frame);
enum status __wrap_channel_get(struct channel *channel, void *buffer, size_t size_B,
                               enum channel_which which, struct channel_frame *frame);

enum status __wrap_channel_get(struct channel *channel, void *buffer, size_t size_B,
                               enum channel_which which, struct channel_frame *frame)
{
    const enum status status = __real_channel_get(channel, buffer, size_B, which, frame);
    struct command_message *command = buffer;
    if (strcmp(channel_name(channel), "leg-command") != 0 || size_B != sizeof *command ||
        (status != STATUS_OK && status != STATUS_MISSED))
        return status;
    for (unsigned i = 0; i < command->joint_count; i++)
        command->joint[i].timeout = duration_s(3600);
    return status;
}
