// Does the state say what its boards said? Every valid reading of every state, joints and sensors,
// against the frames on the buses.
//
// A reading must be what a reply on its own bus, with its own identifier, held; that reply ended
// after the state's cycle began, and not after the reading's time stamp. So nothing is made up,
// kept from an earlier cycle, or another sensor's. Whether the boards said what is true is not
// asked here (state-truth does, for joints): a fault that falsifies a reply excuses nothing.
#include "harness/packs/can/oracles.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hubo_frames.h"
#include "harness/packs/robot/facts.h"

#define SAME 1e-9 // of two decodings of one frame, in any unit

enum place { // of a reading among all of a state
    PLACE_JOINTS,
    PLACE_FORCE_TORQUE = PLACE_JOINTS + ROBOT_JOINTS_MAX,
    PLACE_TILT = PLACE_FORCE_TORQUE + ROBOT_FORCE_TORQUE_MAX,
    PLACE_IMU = PLACE_TILT + SIDE_COUNT,
    PLACE_POWER,
    PLACES
};

struct scan {
    const struct analysis *a;
    const struct bus_log_frame **reply; // from anybody but the host, in order of time
    size_t reply_count;
    const struct state_message *state; // the one that is judged
    bool said[PLACES];                 // by a reply of its cycle
    unsigned long readings;
    unsigned unsaid;
    double broken_s; // of the first of them
    char words[80];  // the first one
};

// ---- what a reply says --------------------------------------------------------------------------

static bool same(double a, double b)
{
    return fabs(a - b) <= SAME;
}

static bool stamped_after(instant stamp, const struct bus_log_frame *reply)
{
    return !instant_before(stamp, reply->time);
}

static void hear_encoder(struct scan *scan, const struct bus_log_frame *reply,
                         const struct can_frame *frame)
{
    const struct description *description = scan->a->description;
    for (unsigned b = 0; b < description->board_count; b++) {
        const struct board_description *board = &description->board[b];
        int32_t ticks[HUBO_CHANNELS_MAX];
        unsigned first, channels;
        if (board->bus != reply->bus || board->encoder_can_id != reply->can_id ||
            !hubo_decode_encoder(frame, board->channel_count, ticks, &first, &channels))
            continue;
        for (unsigned c = first; c < first + channels; c++) {
            const int j = board->joint[c];
            if (j < 0)
                continue;
            const struct joint_reading *joint = &scan->state->joint[j];
            const double angle_rad = hubo_angle_rad(ticks[c], description->joint[j].ticks_per_rad);
            scan->said[PLACE_JOINTS + j] |=
                same(joint->position_rad, angle_rad) && stamped_after(joint->time, reply);
        }
    }
}

static void hear_force_torque(struct scan *scan, const struct bus_log_frame *reply,
                              const struct can_frame *frame)
{
    static const struct {
        unsigned bus, number;
    } sensors[] = {
        [FT_RIGHT_FOOT] = {0, HUBO_SENSOR_RIGHT_FOOT},
        [FT_LEFT_FOOT] = {0, HUBO_SENSOR_LEFT_FOOT},
        [FT_RIGHT_HAND] = {1, HUBO_SENSOR_RIGHT_HAND},
        [FT_LEFT_HAND] = {1, HUBO_SENSOR_LEFT_HAND},
    };
    double x, y, z;
    for (unsigned i = 0; i < ROBOT_FORCE_TORQUE_MAX; i++) {
        const struct force_torque_reading *sensor = &scan->state->force_torque[i];
        if (sensors[i].bus == reply->bus &&
            HUBO_ID_FORCE_TORQUE + sensors[i].number == reply->can_id &&
            hubo_decode_force_torque(frame, &x, &y, &z))
            scan->said[PLACE_FORCE_TORQUE + i] |=
                same(sensor->moment_x_Nm, x) && same(sensor->moment_y_Nm, y) &&
                same(sensor->force_z_N, z) && stamped_after(sensor->time, reply);
    }
}

static void hear_tilt(struct scan *scan, const struct bus_log_frame *reply,
                      const struct can_frame *frame)
{
    static const unsigned numbers[] = {
        [SIDE_RIGHT] = HUBO_SENSOR_RIGHT_FOOT, [SIDE_LEFT] = HUBO_SENSOR_LEFT_FOOT};
    double x, y, z;
    for (unsigned side = 0; side < SIDE_COUNT; side++) {
        const struct tilt_reading *tilt = &scan->state->tilt[side];
        if (reply->bus == 0 && HUBO_ID_INERTIAL + numbers[side] == reply->can_id &&
            hubo_decode_tilt(frame, &x, &y, &z))
            scan->said[PLACE_TILT + side] |=
                same(tilt->angle_x_rad, x) && same(tilt->angle_y_rad, y) &&
                same(tilt->acceleration_z_g, z) && stamped_after(tilt->time, reply);
    }
}

static void hear_others(struct scan *scan, const struct bus_log_frame *reply,
                        const struct can_frame *frame)
{
    const struct imu_reading *imu = &scan->state->imu;
    const struct power_reading *power = &scan->state->power;
    double a, b, c, d;
    if (reply->bus == 0 && reply->can_id == HUBO_ID_INERTIAL + HUBO_SENSOR_IMU &&
        hubo_decode_imu(frame, &a, &b, &c, &d))
        scan->said[PLACE_IMU] |= same(imu->roll_rad, a) && same(imu->pitch_rad, b) &&
                                 same(imu->roll_rate_rad_s, c) && same(imu->pitch_rate_rad_s, d) &&
                                 stamped_after(imu->time, reply);
    if (reply->bus == 1 && reply->can_id == HUBO_ID_POWER && hubo_decode_power(frame, &a, &b, &c))
        scan->said[PLACE_POWER] |= same(power->voltage_V, a) && same(power->current_A, b) &&
                                   same(power->power_W, c) && stamped_after(power->time, reply);
}

static void hear(struct scan *scan, const struct bus_log_frame *reply)
{
    struct can_frame frame = {.can_id = reply->can_id, .can_dlc = (uint8_t)reply->length};
    memcpy(frame.data, reply->data, sizeof frame.data);
    hear_encoder(scan, reply, &frame);
    hear_force_torque(scan, reply, &frame);
    hear_tilt(scan, reply, &frame);
    hear_others(scan, reply, &frame);
}

// ---- the scan -----------------------------------------------------------------------------------

static bool collect_replies(struct scan *scan)
{
    const struct series *log = &scan->a->bus_log;
    size_t all = 0;
    for (size_t i = 0; i < log->count; i++)
        all += bus_log_frames(log->event[i]);
    scan->reply = calloc(all + 1, sizeof(const struct bus_log_frame *));
    if (scan->reply == NULL)
        return false;
    for (size_t i = 0; i < log->count; i++) {
        const struct bus_log_message *message = log->event[i]->data;
        const size_t held = bus_log_frames(log->event[i]);
        for (size_t f = 0; f < held; f++)
            if (message->frame[f].sender != BUS_LOG_HOST && !message->frame[f].failed)
                scan->reply[scan->reply_count++] = &message->frame[f];
    }
    return true;
}

// The first reply that ended after `time`.
static size_t first_after(const struct scan *scan, instant time)
{
    size_t low = 0, high = scan->reply_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (instant_before(time, scan->reply[middle]->time))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// Until when the history holds what was on the buses: it may end in the middle of a cycle.
static instant log_end(const struct series *log)
{
    if (log->count == 0)
        return instant_ns(0);
    const struct bus_log_message *last = log->event[log->count - 1]->data;
    return last->time;
}

static void look_at(struct scan *scan, enum place place, bool valid, const char *name)
{
    if (!valid)
        return;
    scan->readings++;
    if (scan->said[place])
        return;
    if (scan->unsaid++ > 0)
        return;
    scan->broken_s = instant_to_s(scan->state->time);
    snprintf(scan->words, sizeof scan->words, "; first %s at %.3f s", name, scan->broken_s);
}

static void judge_state(struct scan *scan)
{
    static const char *const force_torque[] = {
        [FT_RIGHT_FOOT] = "right foot's force",
        [FT_LEFT_FOOT] = "left foot's force",
        [FT_RIGHT_HAND] = "right hand's force",
        [FT_LEFT_HAND] = "left hand's force",
    };
    static const char *const tilt[] = {
        [SIDE_RIGHT] = "right foot's tilt", [SIDE_LEFT] = "left foot's tilt"};
    const struct state_message *state = scan->state;
    memset(scan->said, 0, sizeof scan->said);
    for (size_t i = first_after(scan, state->cycle_start);
         i < scan->reply_count && !instant_before(state->time, scan->reply[i]->time); i++)
        hear(scan, scan->reply[i]);
    for (unsigned j = 0; j < scan->a->description->joint_count; j++)
        look_at(scan, PLACE_JOINTS + j, state->joint[j].valid, scan->a->description->joint[j].name);
    for (unsigned i = 0; i < ROBOT_FORCE_TORQUE_MAX; i++)
        look_at(scan, PLACE_FORCE_TORQUE + i, state->force_torque[i].valid, force_torque[i]);
    for (unsigned i = 0; i < SIDE_COUNT; i++)
        look_at(scan, PLACE_TILT + i, state->tilt[i].valid, tilt[i]);
    look_at(scan, PLACE_IMU, state->imu.valid, "IMU");
    look_at(scan, PLACE_POWER, state->power.valid, "power");
}

void oracle_readings_heard(const struct analysis *a, struct oracle_verdict *verdict)
{
    struct scan scan = {.a = a};
    if (!collect_replies(&scan)) {
        verdict_no_memory(verdict);
        return;
    }
    for (size_t i = 0; i < facts(a)->state.count; i++) {
        scan.state = facts(a)->state.event[i]->data;
        if (!instant_before(log_end(&a->bus_log), scan.state->time))
            judge_state(&scan);
    }
    free(scan.reply);
    if (scan.readings == 0)
        verdict_nothing(verdict, "no valid reading was published");
    else {
        verdict_count(verdict, scan.unsaid, VERDICT_FAIL, "readings",
                      "%lu valid readings, %u that no reply of their cycle held%s", scan.readings,
                      scan.unsaid, scan.words);
        verdict_broken_at(verdict, scan.broken_s);
    }
}
