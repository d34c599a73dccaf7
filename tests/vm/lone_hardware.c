// The Hardware daemon as it runs without a lab: outside any cell, by the wall clock, on the
// kernel's interfaces can0 and can1 of its network namespace, whatever kind they are. Prints what
// it publishes, a line per state and one per valid position:
//
//   state CYCLE frames of other identifiers on can0, on can1; of all other wrong kinds; late
//   replies; frames lost position JOINT POSITION_rad
//
// Linked with the real daemon and --wrap of channel_open and channel_put: a cell is where channels
// would lie, so here they lie in the folder that LONE_CHANNELS names, and are made when they are
// opened. LONE_SLOWNESS=N: its clocks take N seconds for one, for those who answer it from an
// emulated machine.
#include <stdio.h>
#include <stdlib.h>

#include "clock/futex.h"
#include "message/message.h"
#include "robot/participant.h"
#include "targets/hubo2/target_files.h"
#include "tests/canaries/hubo2/put.h"

// ---- slow clocks -------------------------------------------------------------------------------

int __real_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_nanosleep(clockid_t id, int flags, const struct timespec *t,
                           struct timespec *rest);
int __real_clock_nanosleep(clockid_t id, int flags, const struct timespec *t,
                           struct timespec *rest);

static int64_t slowness(void)
{
    static int64_t known;
    if (known == 0) {
        const char *text = getenv("LONE_SLOWNESS");
        known = text == NULL ? 1 : strtol(text, NULL, 10);
    }
    return known > 0 ? known : 1;
}

int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
    const int result = __real_clock_gettime(id, t);
    *t = timespec_of_ns(((int64_t)t->tv_sec * NS_PER_S + t->tv_nsec) / slowness());
    return result;
}

int __wrap_clock_nanosleep(clockid_t id, int flags, const struct timespec *t, struct timespec *rest)
{
    const struct timespec later =
        timespec_of_ns(((int64_t)t->tv_sec * NS_PER_S + t->tv_nsec) * slowness());
    return __real_clock_nanosleep(id, flags, &later, rest);
}

// ---- channels ----------------------------------------------------------------------------------

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
