// Canary: the Hardware daemon without a look at the contents of a frame: whatever bears the
// identifier of an encoder and has its length is that encoder's. A board's temperature becomes the
// angle of the waist, as on the real robot.
#include "targets/hubo2/hardware/hardware_readings.h"

enum reply_class __real_readings_take(struct readings *readings, unsigned bus,
                                      const struct can_stamped *reply);
enum reply_class __wrap_readings_take(struct readings *readings, unsigned bus,
                                      const struct can_stamped *reply);

enum reply_class __wrap_readings_take(struct readings *readings, unsigned bus,
                                      const struct can_stamped *reply)
{
    const enum reply_class class = __real_readings_take(readings, bus, reply);
    if (class != REPLY_WRONG_VALUE)
        return class;
    const struct description *description = readings->description;
    for (unsigned b = 0; b < description->board_count; b++) {
        const struct board_description *board = &description->board[b];
        int32_t ticks[HUBO_CHANNELS_MAX];
        unsigned first, count;
        if (board->bus != bus || board->encoder_can_id != reply->frame.can_id ||
            !hubo_decode_encoder(&reply->frame, board->channel_count, ticks, &first, &count))
            continue;
        for (unsigned c = first; c < first + count; c++) {
            if (board->joint[c] < 0)
                continue;
            struct joint_reading *joint = &readings->state.joint[board->joint[c]];
            joint->position_rad =
                hubo_angle_rad(ticks[c], description->joint[board->joint[c]].ticks_per_rad);
            joint->time = reply->time;
            joint->valid = 1;
        }
    }
    return REPLY_TAKEN;
}
