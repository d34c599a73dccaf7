// The Hardware daemon as it runs without a lab: outside any cell, by the wall clock, on the kernel's interfaces can0 and can1 of its network
// namespace, whatever kind they are. Prints what it publishes, a line per state and one per valid position:
//
//   state CYCLE frames of other identifiers on can0, on can1; of all other wrong kinds; late replies; frames lost
//   position JOINT POSITION_rad
//
// Linked with the real daemon and --wrap of channel_open and channel_put: a cell is where channels would lie, so here they lie in the folder
// that LONE_CHANNELS names, and are made when they are opened.
#include <stdio.h>
#include <stdlib.h>

#include "message/message.h"
#include "robot/participant.h"
#include "targets/hubo2/target_files.h"
#include "tests/canaries/put.h"

enum status __wrap_channel_open(const char *name, enum channel_role role, struct channel **channel);
enum status __wrap_channel_open(const char *name, enum channel_role role, struct channel **channel)
{
    const char *folder = getenv("LONE_CHANNELS");
    if (folder == NULL)
        return STATUS_NOT_FOUND;
    const enum status status = channel_create(folder, name, sizeof(struct state_message), 16);
    return status == STATUS_OK ? channel_open_in(folder, name, role, channel) : status;
}

static void print_state(const struct state_message *state, const struct description *description)
{
    const struct bus_health *bus = state->bus;
    printf("state %llu %u %u %u %u %u\n", (unsigned long long)state->cycle, bus[0].wrong_id,
           bus[1].wrong_id, state->rejected_frames - bus[0].wrong_id - bus[1].wrong_id,
           state->late_frames, bus[0].lost + bus[1].lost);
    for (unsigned j = 0; j < state->joint_count; j++)
        if (state->joint[j].valid)
            printf("position %s %.17g\n", description->joint[j].name, state->joint[j].position_rad);
    fflush(stdout);
}

enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now)
{
    static struct description *description;
    if (description == NULL && target_files_load(&description, NULL) != STATUS_OK)
        exit(2);
    print_state(frame, description);
    return __real_channel_put(channel, frame, size_B, now);
}
