#include "plant/boards.h"

#include <math.h>
#include <stdlib.h>

#include "can/hubo_frames.h"

#define CURRENT_PER_TORQUE_A_NM 0.05 // behind the gears of a 48 V drive
#define TEMPERATURE_C 38.0
#define BIG_ERROR_RAD 0.5
#define BUSES 2
#define COMMAND_BOARDS 256 // a command's first byte
#define REFERENCE_IDS 0x800

enum { ERROR_BIG = 1 << 2, ERROR_MINIMUM = 1 << 0, ERROR_MAXIMUM = 1 << 1 };

struct drive {               // one motor's share of its board
    double from_rad, to_rad; // set point: a straight line from `from` at `since` to `to`
    instant since;
    int32_t zero_ticks; // encoder count at angle 0
};

struct boards {
    const struct description *description;
    struct motor *motor;
    struct drive drive[ROBOT_JOINTS_MAX];
    duration interpolation;
    instant fingers_at;                        // time of the fingers' positions
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
        (*boards)->drive[j] = (struct drive){motor[j].setpoint_rad, motor[j].setpoint_rad, {0}, 0};
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

// ---- set points ---------------------------------------------------------------------------------

static double setpoint_rad(const struct boards *boards, const struct drive *drive, instant t)
{
    double share = (double)instant_sub(t, drive->since).ns / (double)boards->interpolation.ns;
    if (share >= 1)
        return drive->to_rad;
    return drive->from_rad + (drive->to_rad - drive->from_rad) * fmax(share, 0);
}

static void hold(struct drive *drive, double position_rad)
{
    drive->from_rad = drive->to_rad = position_rad;
}

static bool is_finger(const struct boards *boards, unsigned joint)
{
    return boards->description->board[boards->description->joint[joint].board].finger;
}

static void move_kinematic(struct motor *motor, double lag)
{
    double position = motor->setpoint_rad + (motor->position_rad - motor->setpoint_rad) * lag;
    motor->position_rad = position;
    motor->velocity_rad_s = (motor->setpoint_rad - position) / FINGER_TIME_CONSTANT_S;
}

void boards_update(struct boards *boards, instant t)
{
    double lag = exp(-duration_to_s(instant_sub(t, boards->fingers_at)) / FINGER_TIME_CONSTANT_S);
    boards->fingers_at = t;
    for (unsigned j = 0; j < boards->description->joint_count; j++) {
        if (!is_finger(boards, j))
            boards->motor[j].setpoint_rad = setpoint_rad(boards, &boards->drive[j], t);
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
        int joint = board->joint[c];
        if (joint < 0)
            continue;
        struct drive *drive = &boards->drive[joint];
        drive->from_rad = setpoint_rad(boards, drive, frame->time);
        drive->to_rad = hubo_angle_rad(ticks[c] + drive->zero_ticks,
                                       boards->description->joint[joint].ticks_per_rad);
        drive->since = frame->time;
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

// Switches a board's loops. What is switched on holds the joint where it is.
static void enable(struct boards *boards, const struct board_description *board, bool on)
{
    for (unsigned c = 0; c < board->channel_count; c++) {
        if (board->joint[c] < 0)
            continue;
        struct motor *motor = &boards->motor[board->joint[c]];
        if (on && !motor->enabled)
            hold(&boards->drive[board->joint[c]], motor->position_rad);
        motor->enabled = on;
    }
}

static int32_t encoder_ticks(const struct boards *boards, int joint)
{
    if (joint < 0)
        return 0;
    return hubo_ticks(boards->motor[joint].position_rad,
                      boards->description->joint[joint].ticks_per_rad) -
           boards->drive[joint].zero_ticks;
}

static void zero_encoders(struct boards *boards, const struct board_description *board,
                          unsigned channel)
{
    if (channel < board->channel_count && board->joint[channel] >= 0)
        boards->drive[board->joint[channel]].zero_ticks +=
            encoder_ticks(boards, board->joint[channel]);
}

static void reply_encoder(const struct boards *boards, const struct board_description *board,
                          unsigned choice, struct can_frame *reply)
{
    int32_t ticks[HUBO_CHANNELS_MAX];
    for (unsigned c = 0; c < board->channel_count; c++)
        ticks[c] = encoder_ticks(boards, board->joint[c]);
    hubo_encoder_reply(reply, board->encoder_can_id, board->channel_count,
                       board->channel_count > 3 && choice, ticks);
}

static void reply_status(const struct boards *boards, const struct board_description *board,
                         struct can_frame *reply)
{
    struct hubo_status status[HUBO_CHANNELS_MAX] = {0};
    for (unsigned c = 0; c < board->channel_count; c++) {
        if (board->joint[c] < 0)
            continue;
        const struct motor *motor = &boards->motor[board->joint[c]];
        const struct joint_description *joint = &boards->description->joint[board->joint[c]];
        status[c] = (struct hubo_status){
            .driver_on = true, .control_on = motor->enabled, .home = HUBO_HOMED};
        if (!board->finger && fabs(motor->setpoint_rad - motor->position_rad) > BIG_ERROR_RAD)
            status[c].errors1 |= ERROR_BIG;
        if (motor->position_rad < joint->position_min_rad)
            status[c].errors2 |= ERROR_MINIMUM;
        if (motor->position_rad > joint->position_max_rad)
            status[c].errors2 |= ERROR_MAXIMUM;
    }
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

// Obeys a command and returns whether it is answered. Drivers are always on and joints always
// homed; limit and initialise commands are understood and change nothing here.
static bool obey(struct boards *boards, const struct board_description *board,
                 const struct can_frame *command, struct can_frame *reply)
{
    unsigned argument = command->can_dlc > 2 ? command->data[2] : 0;
    switch (command->data[1]) {
    case HUBO_GET_ENCODER:
        reply_encoder(boards, board, argument, reply);
        return true;
    case HUBO_GET_STATUS:
        reply_status(boards, board, reply);
        return true;
    case HUBO_GET_CURRENT:
        reply_current(boards, board, reply);
        return true;
    case HUBO_FINGER_PWM:
        take_finger_reference(boards, board, command);
        return false;
    case HUBO_CONTROL_ON:
    case HUBO_CONTROL_OFF:
        enable(boards, board, command->data[1] == HUBO_CONTROL_ON);
        return false;
    case HUBO_ZERO_ENCODER:
        zero_encoders(boards, board, argument);
        return false;
    default:
        return false;
    }
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
    const struct board_description *board = &boards->description->board[b];
    if (frame->frame.can_id == HUBO_ID_COMMAND)
        return obey(boards, board, &frame->frame, reply);
    take_reference(boards, board, frame);
    return false;
}

void boards_reset(struct boards *boards, unsigned b, instant t)
{
    const struct board_description *board = &boards->description->board[b];
    boards_update(boards, t);
    enable(boards, board, false);
    for (unsigned c = 0; c < board->channel_count; c++)
        if (board->joint[c] >= 0)
            hold(&boards->drive[board->joint[c]], boards->motor[board->joint[c]].position_rad);
}
