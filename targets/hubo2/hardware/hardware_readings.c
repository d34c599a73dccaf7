#include "targets/hubo2/hardware/hardware_readings.h"

#include <math.h>

// No joint of this robot turns faster, not even in a fall: a larger jump is a corrupt reading.
#define JOINT_SPEED_MAX_RAD_S 30.0
#define JUMP_ALWAYS_ALLOWED_RAD 0.01
// A joint can be pressed so far past its end stops. What is further off comes from another sender
// (the temperature of a board, read as an encoder, is), however often it says so.
#define BEYOND_LIMIT_MAX_RAD 0.5
// Two readings of one cycle that are further apart are not of one joint.
#define DISPUTE_RAD 0.01
// Velocities are taken over at most this time: over more they say nothing about now.
#define VELOCITY_SPAN_MAX_NS 50000000
#define FORCE_MAX_N 3000.0
#define MOMENT_MAX_NM 320.0
#define ANGLE_MAX_RAD 3.2

// ---- the cycle ---------------------------------------------------------------------------------

enum status readings_start(struct readings *readings, const struct description *description)
{
    *readings = (struct readings){.description = description};
    readings->state.joint_count = description->joint_count;
    return senders_start(&readings->senders, description);
}

void readings_begin(struct readings *readings, instant cycle_start)
{
    struct state_message *state = &readings->state;
    state->cycle++;
    state->cycle_start = cycle_start;
    senders_begin(&readings->senders);
    for (unsigned j = 0; j < state->joint_count; j++)
        state->joint[j].valid = 0;
    for (unsigned i = 0; i < ROBOT_FORCE_TORQUE_MAX; i++)
        state->force_torque[i].valid = 0;
    for (unsigned i = 0; i < SIDE_COUNT; i++)
        state->tilt[i].valid = 0;
    state->imu.valid = 0;
    state->power.valid = 0;
}

void readings_unreferenced(struct readings *readings)
{
    for (unsigned j = 0; j < readings->state.joint_count; j++)
        readings->state.joint[j].reference_active = 0;
}

void readings_referenced(struct readings *readings, unsigned joint, double reference_rad,
                         bool active)
{
    readings->referenced_before[joint] = readings->referenced[joint];
    readings->reference_before_rad[joint] = readings->state.joint[joint].reference_rad;
    readings->referenced[joint] = true;
    readings->state.joint[joint].reference_rad = reference_rad;
    readings->state.joint[joint].reference_active = active;
}

void readings_not_referenced(struct readings *readings, unsigned joint)
{
    readings->referenced[joint] = readings->referenced_before[joint];
    readings->state.joint[joint].reference_rad = readings->reference_before_rad[joint];
    readings->state.joint[joint].reference_active = 0;
}

// What this cycle said becomes the past.
static void remember(struct joint_history *history, const struct joint_reading *joint)
{
    history->doubted = history->rejected && !joint->valid;
    history->rejected = history->disputed = false;
    if (!joint->valid)
        return;
    history->position_rad = joint->position_rad;
    history->time = joint->time;
    history->known = true;
}

static void count(uint32_t valid, uint32_t *missed)
{
    *missed = valid ? 0 : *missed + 1;
}

static bool has_position(const struct readings *readings, const struct board_description *board)
{
    bool any = false, valid = false;
    for (unsigned c = 0; c < board->channel_count; c++) {
        if (board->joint[c] < 0)
            continue;
        any = true;
        valid |= readings->state.joint[board->joint[c]].valid != 0;
    }
    return valid || !any; // a board without joints has nothing to say
}

static void judge_boards(struct readings *readings)
{
    struct state_message *state = &readings->state;
    for (unsigned b = 0; b < readings->description->board_count; b++) {
        const uint64_t bit = UINT64_C(1) << b;
        if (readings->heard & bit || has_position(readings, &readings->description->board[b])) {
            readings->silent_cycles[b] = 0;
            state->board_returns += (state->dead_boards & bit) != 0;
            state->dead_boards &= ~bit;
        } else if (++readings->silent_cycles[b] == BOARD_DEAD_CYCLES) {
            state->dead_boards |= bit;
            state->board_deaths++;
        }
    }
    readings->heard = 0;
}

void readings_finish(struct readings *readings, instant now)
{
    struct state_message *state = &readings->state;
    judge_boards(readings);
    for (unsigned j = 0; j < state->joint_count; j++) {
        struct joint_reading *joint = &state->joint[j];
        count(joint->valid, &joint->missed);
        remember(&readings->joint[j], joint);
        if (!joint->valid)
            joint->velocity_rad_s = joint->velocity_valid = 0;
        if (!readings->referenced[j])
            joint->reference_rad = joint->position_rad;
    }
    for (unsigned i = 0; i < ROBOT_FORCE_TORQUE_MAX; i++)
        count(state->force_torque[i].valid, &state->force_torque[i].missed);
    for (unsigned i = 0; i < SIDE_COUNT; i++)
        count(state->tilt[i].valid, &state->tilt[i].missed);
    count(state->imu.valid, &state->imu.missed);
    count(state->power.valid, &state->power.missed);
    state->time = now;
}

// ---- encoders ----------------------------------------------------------------------------------

static bool plausible_move(const struct joint_history *history, double position_rad, instant time)
{
    if (!history->known)
        return true;
    const double span_s = duration_to_s(instant_sub(time, history->time));
    const double jump = fabs(position_rad - history->position_rad);
    return jump <= JUMP_ALWAYS_ALLOWED_RAD + JOINT_SPEED_MAX_RAD_S * span_s;
}

static bool possible(const struct joint_description *joint, double position_rad)
{
    return position_rad >= joint->position_min_rad - BEYOND_LIMIT_MAX_RAD &&
           position_rad <= joint->position_max_rad + BEYOND_LIMIT_MAX_RAD;
}

static bool take_position(struct readings *readings, unsigned j, double position_rad, instant time)
{
    struct joint_history *history = &readings->joint[j];
    struct joint_reading *joint = &readings->state.joint[j];
    if (history->disputed || !possible(&readings->description->joint[j], position_rad))
        return false;
    const bool plausible = plausible_move(history, position_rad, time);
    if (!plausible && !history->doubted) {
        history->rejected = true;
        return false;
    }
    if (joint->valid && fabs(position_rad - joint->position_rad) > DISPUTE_RAD) {
        joint->position_rad = history->position_rad;
        joint->time = history->time;
        joint->valid = joint->velocity_valid = 0;
        history->disputed = true;
        return false;
    }
    const duration span = instant_sub(time, history->time);
    joint->velocity_valid =
        history->known && plausible && span.ns > 0 && span.ns <= VELOCITY_SPAN_MAX_NS;
    joint->velocity_rad_s =
        joint->velocity_valid ? (position_rad - history->position_rad) / duration_to_s(span) : 0;
    joint->position_rad = position_rad;
    joint->time = time;
    joint->valid = 1;
    return true;
}

static enum reply_class take_encoder(struct readings *readings, unsigned b,
                                     const struct can_stamped *reply)
{
    const struct board_description *board = &readings->description->board[b];
    int32_t ticks[HUBO_CHANNELS_MAX];
    unsigned first, channels;
    if (!hubo_decode_encoder(&reply->frame, board->channel_count, ticks, &first, &channels))
        return REPLY_WRONG_LENGTH;
    bool all = true;
    for (unsigned c = first; c < first + channels; c++) {
        const int j = board->joint[c];
        if (j < 0)
            continue;
        const double position_rad =
            hubo_angle_rad(ticks[c], readings->description->joint[j].ticks_per_rad);
        all &= take_position(readings, (unsigned)j, position_rad, reply->time);
    }
    return all ? REPLY_TAKEN : REPLY_WRONG_VALUE;
}

// ---- status and current ------------------------------------------------------------------------

static enum reply_class take_status(struct readings *readings, unsigned b,
                                    const struct can_stamped *reply)
{
    const struct board_description *board = &readings->description->board[b];
    struct hubo_status motor[HUBO_CHANNELS_MAX];
    if (!hubo_decode_status(&reply->frame, board->channel_count, motor))
        return REPLY_WRONG_LENGTH;
    for (unsigned c = 0; c < board->channel_count; c++) {
        if (board->joint[c] < 0)
            continue;
        struct joint_health *health = &readings->state.health[board->joint[c]];
        health->flags = (motor[c].driver_on ? JOINT_DRIVER_ON : 0u) |
                        (motor[c].control_on ? JOINT_CONTROL_ON : 0u) |
                        (motor[c].limit_switch ? JOINT_LIMIT_SWITCH : 0u) |
                        (motor[c].home == HUBO_HOMED ? JOINT_HOMED : 0u) |
                        motor[c].errors1 << JOINT_ERRORS_SHIFT |
                        motor[c].errors2 << (JOINT_ERRORS_SHIFT + 8);
        health->time = reply->time;
        health->valid = 1;
    }
    return REPLY_TAKEN;
}

static enum reply_class take_current(struct readings *readings, unsigned b,
                                     const struct can_stamped *reply)
{
    const struct board_description *board = &readings->description->board[b];
    double current_A[HUBO_CHANNELS_MAX], temperature_C;
    if (!hubo_decode_current(&reply->frame, board->channel_count, current_A, &temperature_C))
        return REPLY_WRONG_LENGTH;
    for (unsigned c = 0; c < board->channel_count; c++) {
        if (board->joint[c] < 0)
            continue;
        readings->state.health[board->joint[c]].current_A = current_A[c];
        readings->state.health[board->joint[c]].temperature_C = temperature_C;
    }
    return REPLY_TAKEN;
}

// ---- sensors -----------------------------------------------------------------------------------

static enum reply_class take_force_torque(struct force_torque_reading *sensor,
                                          const struct can_stamped *reply)
{
    double mx, my, fz;
    if (!hubo_decode_force_torque(&reply->frame, &mx, &my, &fz))
        return REPLY_WRONG_LENGTH;
    if (fabs(mx) > MOMENT_MAX_NM || fabs(my) > MOMENT_MAX_NM || fabs(fz) > FORCE_MAX_N)
        return REPLY_WRONG_VALUE;
    sensor->moment_x_Nm = mx;
    sensor->moment_y_Nm = my;
    sensor->force_z_N = fz;
    sensor->time = reply->time;
    sensor->valid = 1;
    return REPLY_TAKEN;
}

static enum reply_class take_tilt(struct tilt_reading *sensor, const struct can_stamped *reply)
{
    double x, y, z;
    if (!hubo_decode_tilt(&reply->frame, &x, &y, &z))
        return REPLY_WRONG_LENGTH;
    if (fabs(x) > ANGLE_MAX_RAD || fabs(y) > ANGLE_MAX_RAD)
        return REPLY_WRONG_VALUE;
    sensor->angle_x_rad = x;
    sensor->angle_y_rad = y;
    sensor->acceleration_z_g = z;
    sensor->time = reply->time;
    sensor->valid = 1;
    return REPLY_TAKEN;
}

static enum reply_class take_imu(struct imu_reading *imu, const struct can_stamped *reply)
{
    double roll, pitch, roll_rate, pitch_rate;
    if (!hubo_decode_imu(&reply->frame, &roll, &pitch, &roll_rate, &pitch_rate))
        return REPLY_WRONG_LENGTH;
    if (fabs(roll) > ANGLE_MAX_RAD || fabs(pitch) > ANGLE_MAX_RAD)
        return REPLY_WRONG_VALUE;
    imu->roll_rad = roll;
    imu->pitch_rad = pitch;
    imu->roll_rate_rad_s = roll_rate;
    imu->pitch_rate_rad_s = pitch_rate;
    imu->time = reply->time;
    imu->valid = 1;
    return REPLY_TAKEN;
}

static enum reply_class take_power(struct power_reading *power, const struct can_stamped *reply)
{
    double voltage, current, watts;
    if (!hubo_decode_power(&reply->frame, &voltage, &current, &watts))
        return REPLY_WRONG_LENGTH;
    power->voltage_V = voltage;
    power->current_A = current;
    power->power_W = watts;
    power->time = reply->time;
    power->valid = 1;
    return REPLY_TAKEN;
}

static enum reply_class decode(struct readings *readings, const struct source *source,
                               const struct can_stamped *reply)
{
    struct state_message *state = &readings->state;
    switch (source->kind) {
    case SOURCE_ENCODER:
        return take_encoder(readings, source->index, reply);
    case SOURCE_STATUS:
        return take_status(readings, source->index, reply);
    case SOURCE_CURRENT:
        return take_current(readings, source->index, reply);
    case SOURCE_FORCE_TORQUE:
        return take_force_torque(&state->force_torque[source->index], reply);
    case SOURCE_TILT:
        return take_tilt(&state->tilt[source->index], reply);
    case SOURCE_IMU:
        return take_imu(&state->imu, reply);
    case SOURCE_POWER:
        return take_power(&state->power, reply);
    }
    return REPLY_WRONG_ID;
}

static void note_heard(struct readings *readings, const struct source *source)
{
    if (source->kind == SOURCE_ENCODER || source->kind == SOURCE_STATUS ||
        source->kind == SOURCE_CURRENT)
        readings->heard |= UINT64_C(1) << source->index;
}

static enum reply_class classify(struct readings *readings, unsigned bus,
                                 const struct can_stamped *reply)
{
    if (reply->frame.can_id & CAN_ERR_FLAG)
        return REPLY_ERROR_FRAME;
    if (reply->frame.can_id & (CAN_EFF_FLAG | CAN_RTR_FLAG) || reply->fd.flags & CANFD_FDF)
        return REPLY_WRONG_KIND;
    struct source *source = senders_find(&readings->senders, bus, reply->frame.can_id);
    if (!source)
        return REPLY_WRONG_ID;
    const bool in_time = instant_before(readings->state.cycle_start, reply->time);
    const enum reply_age age = senders_hear(&readings->senders, source, in_time);
    if (age == REPLY_OF_BEFORE) {
        note_heard(readings, source); // no data, but the board hears what it is told
        return REPLY_LATE;
    }
    if (age == REPLY_ONE_MORE)
        readings->state.bus[bus].late++; // one of them was
    const enum reply_class class = decode(readings, source, reply);
    if (class == REPLY_TAKEN) {
        source->answered = true;
        note_heard(readings, source);
    }
    return class;
}

static void sum_rejected(struct state_message *state)
{
    state->late_frames = state->rejected_frames = 0;
    for (unsigned b = 0; b < HARDWARE_BUSES; b++) {
        const struct bus_health *of = &state->bus[b];
        state->late_frames += of->late;
        state->rejected_frames +=
            of->wrong_kind + of->wrong_id + of->wrong_length + of->wrong_value;
    }
}

enum reply_class readings_take(struct readings *readings, unsigned bus,
                               const struct can_stamped *reply)
{
    struct bus_health *health = &readings->state.bus[bus];
    uint32_t *const counted[] = {
        [REPLY_LATE] = &health->late,
        [REPLY_WRONG_KIND] = &health->wrong_kind,
        [REPLY_WRONG_ID] = &health->wrong_id,
        [REPLY_WRONG_LENGTH] = &health->wrong_length,
        [REPLY_WRONG_VALUE] = &health->wrong_value,
        [REPLY_ERROR_FRAME] = &health->error_frames,
    };
    const enum reply_class class = classify(readings, bus, reply);
    if (class != REPLY_TAKEN)
        ++*counted[class];
    sum_rejected(&readings->state);
    return class;
}

void readings_kept_away(struct readings *readings, unsigned bus, uint32_t count)
{
    readings->state.bus[bus].wrong_id += count - readings->kept_away[bus];
    readings->kept_away[bus] = count;
    sum_rejected(&readings->state);
}
