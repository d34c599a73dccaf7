#include "plant/motors/boards.h"

#include <math.h>
#include <stdlib.h>

#include "base/invariant.h"
#include "protocol/hubo_frames.h"
#include "plant/motors/drive.h"

#define CURRENT_PER_TORQUE_A_NM 0.05 // behind the gears of a 48 V drive
#define TEMPERATURE_C 38.0
#define BIG_ERROR_RAD 0.5
#define BUSES 2
#define COMMAND_BOARDS 256 // a command's first byte
#define REFERENCE_IDS 0x800

enum { ERROR_BIG = 1 << 2, ERROR_MINIMUM = 1 << 0, ERROR_MAXIMUM = 1 << 1 };

struct boards {
    const struct description *description;
    struct motor *motor;
    struct drive drive[ROBOT_JOINTS_MAX];
    duration interpolation;
    bool brief_encoders;                       // boards with one channel reply with 4 bytes
    instant time;                              // of the set points
    int16_t by_command[BUSES][COMMAND_BOARDS]; // board index by board id, -1: none
    int16_t by_reference[BUSES][REFERENCE_IDS];
};

static void index_boards(struct boards *boards)
{
    for (unsigned bus = 0; bus < BUSES; bus++) {
        for (unsigned i = 0; i < COMMAND_BOARDS; i++)
            boards->by_command[bus][i] = -1;
        for (unsigned i = 0; i < REFERENCE_IDS; i++)
            boards->by_reference[bus][i] = -1;
    }
    for (unsigned b = 0; b < boards->description->board_count; b++) {
        const struct board_description *board = &boards->description->board[b];
        boards->by_command[board->bus][board->id] = (int16_t)b;
        if (!board->finger)
            boards->by_reference[board->bus][board->reference_can_id] = (int16_t)b;
    }
}

enum status boards_create(const struct description *description, struct motor *motor,
                          struct boards **boards)
{
    *boards = calloc(1, sizeof **boards);
    if (!*boards)
        return STATUS_NO_MEMORY;
    (*boards)->description = description;
    (*boards)->motor = motor;
    (*boards)->interpolation = duration_ns(BOARD_INTERPOLATION_DEFAULT_NS);
    for (unsigned j = 0; j < description->joint_count; j++)
        drive_start(&(*boards)->drive[j], &motor[j]);
    index_boards(*boards);
    return STATUS_OK;
}

void boards_free(struct boards *boards)
{
    free(boards);
}

void boards_interpolate(struct boards *boards, duration interpolation)
{
    boards->interpolation = interpolation;
}

static bool is_finger(const struct boards *boards, unsigned joint)
{
    return boards->description->board[boards->description->joint[joint].board].finger;
}

void boards_brief_encoders(struct boards *boards)
{
    boards->brief_encoders = true;
}

void boards_unhome(struct boards *boards)
{
    for (unsigned j = 0; j < boards->description->joint_count; j++)
        if (!is_finger(boards, j))
            drive_unhome(&boards->drive[j], &boards->description->joint[j], &boards->motor[j]);
}

// ---- set points ---------------------------------------------------------------------------------

static void move_kinematic(struct motor *motor, double lag)
{
    double position = motor->setpoint_rad + (motor->position_rad - motor->setpoint_rad) * lag;
    motor->position_rad = position;
    motor->velocity_rad_s = (motor->setpoint_rad - position) / FINGER_TIME_CONSTANT_S;
}

void boards_update(struct boards *boards, instant t)
{
    double lag = exp(-duration_to_s(instant_sub(t, boards->time)) / FINGER_TIME_CONSTANT_S);
    boards->time = t;
    for (unsigned j = 0; j < boards->description->joint_count; j++) {
        if (!is_finger(boards, j))
            drive_update(&boards->drive[j], &boards->description->joint[j], t, &boards->motor[j]);
        if (boards->motor[j].kinematic)
            move_kinematic(&boards->motor[j], lag);
    }
}

// ---- frames from the host -----------------------------------------------------------------------

static void take_reference(struct boards *boards, const struct board_description *board,
                           const struct can_stamped *frame)
{
    int32_t ticks[HUBO_CHANNELS_MAX];
    if (!hubo_decode_reference(&frame->frame, board->channel_count, ticks))
        return;
    for (unsigned c = 0; c < board->channel_count; c++) {
        const int joint = board->joint[c];
        if (joint >= 0)
            drive_refer(&boards->drive[joint], &boards->description->joint[joint], ticks[c],
                        frame->time, boards->interpolation);
    }
}

static void take_finger_reference(struct boards *boards, const struct board_description *board,
                                  const struct can_frame *frame)
{
    int percent[HUBO_CHANNELS_MAX];
    if (!board->finger || !hubo_decode_finger_reference(frame, percent))
        return;
    for (unsigned c = 0; c < board->channel_count; c++) {
        if (board->joint[c] < 0)
            continue;
        const struct joint_description *joint = &boards->description->joint[board->joint[c]];
        double range_rad = percent[c] < 0 ? -joint->position_min_rad : joint->position_max_rad;
        boards->motor[board->joint[c]].setpoint_rad = 0.01 * percent[c] * range_rad;
    }
}

static void take_pwm(struct boards *boards, const struct board_description *board,
                     const struct can_frame *frame)
{
    int percent[2];
    bool on;
    if (board->channel_count > 2 || !hubo_decode_pwm(frame, &on, percent))
        return;
    for (unsigned c = 0; c < board->channel_count; c++)
        if (board->joint[c] >= 0)
            boards->drive[board->joint[c]].pwm_percent = on ? percent[c] : 0;
}

// ---- replies ------------------------------------------------------------------------------------

static int32_t encoder_ticks(const struct boards *boards, int joint)
{
    return joint < 0 ? 0
                     : drive_ticks(&boards->drive[joint], &boards->description->joint[joint],
                                   &boards->motor[joint]);
}

static void reply_encoder(const struct boards *boards, const struct board_description *board,
                          unsigned choice, struct can_frame *reply)
{
    int32_t ticks[HUBO_CHANNELS_MAX];
    for (unsigned c = 0; c < board->channel_count; c++)
        ticks[c] = encoder_ticks(boards, board->joint[c]);
    hubo_encoder_reply(reply, board->encoder_can_id, board->channel_count,
                       board->channel_count > 3 && choice, ticks);
    if (boards->brief_encoders && board->channel_count == 1)
        reply->can_dlc = 4;
}

static struct hubo_status motor_status(const struct boards *boards, unsigned j)
{
    const struct motor *motor = &boards->motor[j];
    const struct joint_description *joint = &boards->description->joint[j];
    const struct drive *drive = &boards->drive[j];
    struct hubo_status status = {.driver_on = drive->driver_on,
                                 .control_on = drive->control_on,
                                 .mode = drive->mode,
                                 .home = drive->home};
    if (motor->enabled && !motor->kinematic &&
        fabs(motor->setpoint_rad - motor->position_rad) > BIG_ERROR_RAD)
        status.errors1 |= ERROR_BIG;
    if (motor->position_rad < joint->position_min_rad)
        status.errors2 |= ERROR_MINIMUM;
    if (motor->position_rad > joint->position_max_rad)
        status.errors2 |= ERROR_MAXIMUM;
    return status;
}

static void reply_status(const struct boards *boards, const struct board_description *board,
                         struct can_frame *reply)
{
    struct hubo_status status[HUBO_CHANNELS_MAX] = {0};
    for (unsigned c = 0; c < board->channel_count; c++)
        if (board->joint[c] >= 0)
            status[c] = motor_status(boards, (unsigned)board->joint[c]);
    hubo_status_reply(reply, board->status_can_id, board->channel_count, status);
}

static void reply_current(const struct boards *boards, const struct board_description *board,
                          struct can_frame *reply)
{
    double current_A[HUBO_CHANNELS_MAX] = {0};
    for (unsigned c = 0; c < board->channel_count; c++)
        if (board->joint[c] >= 0)
            current_A[c] = CURRENT_PER_TORQUE_A_NM * fabs(boards->motor[board->joint[c]].torque_Nm);
    hubo_current_reply(reply, board->current_can_id, board->channel_count, current_A,
                       TEMPERATURE_C);
}

// Whether there are such parameters. Those of the whole board (G to I) are zero but for its kind.
static bool reply_parameters(const struct boards *boards, const struct board_description *board,
                             unsigned kind, struct can_frame *reply)
{
    *reply = (struct can_frame){.can_id = board->current_can_id, .can_dlc = CAN_MAX_DLEN};
    if (kind >= HUBO_PARAMETERS_G && kind <= HUBO_PARAMETERS_I) {
        reply->data[4] = kind == HUBO_PARAMETERS_G ? (uint8_t)board->channel_count : 0;
        return true;
    }
    const unsigned own = 3 * HUBO_PARAMETERS_F; // of the first three channels
    if (kind == 0 || (kind > own && kind <= own + 5))
        return false;
    const unsigned place = kind > own ? kind - 6 : kind - 1;
    const unsigned channel = place / HUBO_PARAMETERS_F;
    if (channel >= board->channel_count)
        return false;
    if (board->joint[channel] >= 0)
        drive_parameters(&boards->drive[board->joint[channel]],
                         (enum hubo_parameters)(place % HUBO_PARAMETERS_F + 1), reply->data);
    return true;
}

// ---- commands -----------------------------------------------------------------------------------

static unsigned argument_16(const struct can_frame *command, unsigned at)
{
    return at + 1 < command->can_dlc ? command->data[at] | (unsigned)command->data[at + 1] << 8 : 0;
}

static void set_gains(struct drive_gains *gains, const struct can_frame *command)
{
    if (command->can_dlc == CAN_MAX_DLEN)
        *gains =
            (struct drive_gains){(int16_t)argument_16(command, 2), (int16_t)argument_16(command, 4),
                                 (int16_t)argument_16(command, 6)};
}

static void set_limit(bool *has, int32_t *ticks, const struct can_frame *command)
{
    if (command->can_dlc < 7)
        return;
    *has = (command->data[2] & HUBO_LIMIT_ENABLED) != 0;
    *ticks = (int32_t)(argument_16(command, 3) | argument_16(command, 5) << 16);
}

static void override_gain(struct drive *drive, unsigned percent, unsigned duration_ms, instant t)
{
    drive->override_gain = 0.01 * percent;
    drive->override_end = instant_add(t, duration_ns((int64_t)duration_ms * 1000000));
}

// A command for one channel, its own number with the channel's added. False: it is none.
static bool obey_for_channel(struct boards *boards, const struct board_description *board,
                             const struct can_frame *command)
{
    static const struct {
        enum hubo_command first;
        unsigned channels;
    } known[] = {{HUBO_POSITION_GAINS, 2},
                 {HUBO_CURRENT_GAINS, 2},
                 {HUBO_VELOCITY_LIMITS, 6},
                 {HUBO_LOWER_LIMIT, 6},
                 {HUBO_UPPER_LIMIT, 6}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const unsigned channel = command->data[1] - (unsigned)known[i].first; // wraps below
        if (channel >= known[i].channels)
            continue;
        if (channel >= board->channel_count || board->joint[channel] < 0)
            return true;
        struct drive *drive = &boards->drive[board->joint[channel]];
        if (known[i].first == HUBO_POSITION_GAINS)
            set_gains(&drive->position, command);
        else if (known[i].first == HUBO_CURRENT_GAINS)
            set_gains(&drive->current, command);
        else if (known[i].first == HUBO_LOWER_LIMIT)
            set_limit(&drive->has_lower, &drive->lower_ticks, command);
        else if (known[i].first == HUBO_UPPER_LIMIT)
            set_limit(&drive->has_upper, &drive->upper_ticks, command);
        else if (command->can_dlc >= 6) {
            drive->acceleration = (uint16_t)argument_16(command, 2);
            drive->velocity_ticks_ms = (uint16_t)argument_16(command, 4);
        }
        return true;
    }
    return false;
}

// A command for motor j, on `channel` of its board.
static void obey_for_motor(struct boards *boards, unsigned j, unsigned channel,
                           const struct can_stamped *command)
{
    struct drive *drive = &boards->drive[j];
    struct motor *motor = &boards->motor[j];
    const unsigned argument = command->frame.can_dlc > 2 ? command->frame.data[2] : 0;
    switch (command->frame.data[1]) {
    case HUBO_DRIVER:
        drive_switch(drive, motor, argument != 0, drive->control_on, drive->mode);
        return;
    case HUBO_CONTROL_ON:
    case HUBO_CONTROL_OFF:
        drive_switch(drive, motor, drive->driver_on, command->frame.data[1] == HUBO_CONTROL_ON,
                     drive->mode);
        return;
    case HUBO_CONTROL_MODE:
        drive_switch(drive, motor, drive->driver_on, drive->control_on,
                     argument == HUBO_MODE_POSITION ? HUBO_MODE_POSITION : HUBO_MODE_PWM);
        return;
    case HUBO_COMPLEMENTARY:
        drive->complementary = argument != 0;
        return;
    case HUBO_HOME:
        if (argument >> 4 == channel + 1)
            drive_home(drive, command->time);
        return;
    case HUBO_ZERO_ENCODER:
        if (argument == channel || argument == HUBO_ALL_CHANNELS)
            drive->zero_ticks += encoder_ticks(boards, (int)j);
        return;
    case HUBO_GAIN_OVERRIDE:
        if (command->frame.can_dlc >= 6)
            override_gain(drive, command->frame.data[channel > 0 ? 3 : 2],
                          argument_16(&command->frame, 4), command->time);
        return;
    default: // HUBO_INITIALISE among them: a board here begins with what it would load
        return;
    }
}

// Obeys a command and returns whether it is answered.
static bool obey(struct boards *boards, const struct board_description *board,
                 const struct can_stamped *stamped, struct can_frame *reply)
{
    const struct can_frame *command = &stamped->frame;
    unsigned argument = command->can_dlc > 2 ? command->data[2] : 0;
    switch (command->data[1]) {
    case HUBO_GET_BOARD_INFO:
        hubo_board_info_reply(reply, board->id, board->channel_count);
        return true;
    case HUBO_GET_ENCODER:
        reply_encoder(boards, board, argument, reply);
        return true;
    case HUBO_GET_STATUS:
        reply_status(boards, board, reply);
        return true;
    case HUBO_GET_CURRENT:
        reply_current(boards, board, reply);
        return true;
    case HUBO_GET_PARAMETERS:
        return reply_parameters(boards, board, argument, reply);
    case HUBO_PWM:
        take_pwm(boards, board, command);
        take_finger_reference(boards, board, command);
        return false;
    default:
        break;
    }
    if (!obey_for_channel(boards, board, command))
        for (unsigned c = 0; c < board->channel_count; c++)
            if (board->joint[c] >= 0)
                obey_for_motor(boards, (unsigned)board->joint[c], c, stamped);
    return false;
}

int boards_addressee(const struct boards *boards, unsigned bus, const struct can_frame *frame)
{
    if (bus >= BUSES ||
        frame->can_id >= REFERENCE_IDS) // extended, remote and error frames are not for boards
        return -1;
    if (frame->can_id == HUBO_ID_COMMAND)
        return frame->can_dlc >= 2 ? boards->by_command[bus][frame->data[0]] : -1;
    return boards->by_reference[bus][frame->can_id];
}

bool boards_receive(struct boards *boards, unsigned b, const struct can_stamped *frame,
                    struct can_frame *reply)
{
    expects(b < boards->description->board_count);
    const struct board_description *board = &boards->description->board[b];
    if (frame->frame.can_id == HUBO_ID_COMMAND)
        return obey(boards, board, frame, reply);
    take_reference(boards, board, frame);
    return false;
}

void boards_reset(struct boards *boards, unsigned b, instant t)
{
    expects(b < boards->description->board_count);
    const struct board_description *board = &boards->description->board[b];
    boards_update(boards, t);
    for (unsigned c = 0; c < board->channel_count; c++) {
        const int j = board->joint[c];
        if (j < 0)
            continue;
        struct drive *drive = &boards->drive[j];
        drive->pwm_percent = 0;
        drive_switch(drive, &boards->motor[j], drive->driver_on, false, drive->mode);
        drive_hold(drive, &boards->motor[j]);
    }
}
