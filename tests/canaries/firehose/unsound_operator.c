// The operator, startled: it takes a jerk of the hand for a pull that lasts, and lets go.
#include <math.h>
#include <string.h>

#include "channel/channel.h"
#include "wrist_status.h"

#define SHOCK_LOOKS 6 // so long it goes on feeling what it once felt

enum status __real_channel_get(struct channel *channel, void *frame, size_t size_B,
                               enum channel_which which, struct channel_frame *about);
enum status __wrap_channel_get(struct channel *channel, void *frame, size_t size_B,
                               enum channel_which which, struct channel_frame *about);

enum status __wrap_channel_get(struct channel *channel, void *frame, size_t size_B,
                               enum channel_which which, struct channel_frame *about)
{
    static double felt_N;
    static unsigned looks;
    const enum status got = __real_channel_get(channel, frame, size_B, which, about);
    if (strcmp(channel_name(channel), "wrist-status") != 0 ||
        size_B != sizeof(struct wrist_status_message))
        return got;
    struct wrist_status_message wrist;
    memcpy(&wrist, frame, sizeof wrist);
    const double force_N =
        sqrt(wrist.force_n[0] * wrist.force_n[0] + wrist.force_n[1] * wrist.force_n[1] +
             wrist.force_n[2] * wrist.force_n[2]);
    if (force_N >= felt_N || looks++ >= SHOCK_LOOKS) {
        felt_N = force_N;
        looks = 0;
    }
    wrist.force_n[0] = felt_N;
    wrist.force_n[1] = wrist.force_n[2] = 0;
    memcpy(frame, &wrist, sizeof wrist);
    return got;
}
