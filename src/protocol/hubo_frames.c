#include "protocol/hubo_frames.h"

#include <math.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)
#define MAGNITUDE_24 0x7FFFFF
#define MAGNITUDE_16 0x7FFF
#define TILT_PER_G 750.0

static double clip(double value, double limit)
{
    if (!(value > -limit)) // NaN too: a board sends something
        return -limit;
    return value < limit ? value : limit;
}

static void start(struct can_frame *frame, uint32_t can_id, unsigned length)
{
    *frame = (struct can_frame){.can_id = can_id, .can_dlc = (uint8_t)length};
}

// ---- little-endian fields -----------------------------------------------------------------------

static void put_int16(uint8_t *data, double value)
{
    int16_t v = (int16_t)lrint(clip(value, INT16_MAX));
    data[0] = (uint8_t)v;
    data[1] = (uint8_t)(v >> 8);
}

static int get_int16(const uint8_t *data)
{
    return (int16_t)(data[0] | data[1] << 8);
}

static void put_int32(uint8_t *data, int32_t value)
{
    uint32_t v = (uint32_t)value;
    for (unsigned i = 0; i < 4; i++)
        data[i] = (uint8_t)(v >> 8 * i);
}

static int32_t get_int32(const uint8_t *data)
{
    return (int32_t)(data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
                     (uint32_t)data[3] << 24);
}

// Sign and magnitude in `bytes` bytes, the sign in the highest bit.
static void put_sign_magnitude(uint8_t *data, unsigned bytes, int32_t value)
{
    int32_t limit = bytes == 3 ? MAGNITUDE_24 : MAGNITUDE_16;
    uint32_t magnitude = (uint32_t)(value < -limit  ? limit
                                    : value < 0     ? -value
                                    : value > limit ? limit
                                                    : value);
    if (value < 0)
        magnitude |= 1u << (8 * bytes - 1);
    for (unsigned i = 0; i < bytes; i++)
        data[i] = (uint8_t)(magnitude >> 8 * i);
}

static int32_t get_sign_magnitude(const uint8_t *data, unsigned bytes)
{
    uint32_t raw = 0, sign = 1u << (8 * bytes - 1);
    for (unsigned i = 0; i < bytes; i++)
        raw |= (uint32_t)data[i] << 8 * i;
    int32_t magnitude = (int32_t)(raw & ~sign);
    return raw & sign ? -magnitude : magnitude;
}

int32_t hubo_ticks(double angle_rad, double ticks_per_rad)
{
    return (int32_t)lrint(clip(angle_rad * ticks_per_rad, MAGNITUDE_24));
}

double hubo_angle_rad(int32_t ticks, double ticks_per_rad)
{
    return ticks / ticks_per_rad;
}

// ---- host -> boards -----------------------------------------------------------------------------

void hubo_reference(struct can_frame *frame, uint32_t can_id, unsigned channels,
                    const int32_t *ticks)
{
    start(frame, can_id, 6);
    if (channels == 3) {
        for (unsigned i = 0; i < 3; i++)
            put_sign_magnitude(frame->data + 2 * i, 2, ticks[i]);
        return;
    }
    put_sign_magnitude(frame->data, 3, ticks[0]);
    put_sign_magnitude(frame->data + 3, 3, ticks[channels == 2 ? 1 : 0]);
}

bool hubo_decode_reference(const struct can_frame *frame, unsigned channels, int32_t *ticks)
{
    if (frame->can_dlc != 6 || channels < 1 || channels > 3)
        return false;
    unsigned bytes = channels == 3 ? 2 : 3;
    for (unsigned i = 0; i < channels; i++)
        ticks[i] = get_sign_magnitude(frame->data + bytes * i, bytes);
    return true;
}

bool hubo_decode_pwm(const struct can_frame *frame, bool *on, int percent[2])
{
    if (frame->can_dlc < 7 || frame->data[1] != HUBO_PWM || frame->data[2] > 1)
        return false;
    *on = frame->data[2] == 1;
    for (unsigned i = 0; i < 2; i++) {
        const int duty = (int)clip(frame->data[4 + 2 * i], 100);
        percent[i] = frame->data[3 + 2 * i] & 1 ? -duty : duty;
    }
    return true;
}

void hubo_finger_reference(struct can_frame *frame, unsigned board,
                           const int pwm_percent[HUBO_CHANNELS_MAX])
{
    start(frame, HUBO_ID_COMMAND, 3 + HUBO_CHANNELS_MAX);
    frame->data[0] = (uint8_t)board;
    frame->data[1] = HUBO_PWM;
    frame->data[2] = 1;
    for (unsigned i = 0; i < HUBO_CHANNELS_MAX; i++) {
        int percent = (int)clip(pwm_percent[i], 100);
        frame->data[3 + i] = (uint8_t)(percent < 0 ? 0x80 | -percent : percent);
    }
}

bool hubo_decode_finger_reference(const struct can_frame *frame, int pwm_percent[HUBO_CHANNELS_MAX])
{
    if (frame->can_dlc != 3 + HUBO_CHANNELS_MAX || frame->data[1] != HUBO_PWM ||
        frame->data[2] != 1)
        return false;
    for (unsigned i = 0; i < HUBO_CHANNELS_MAX; i++) {
        int percent = (int)clip(frame->data[3 + i] & 0x7F, 100);
        pwm_percent[i] = frame->data[3 + i] & 0x80 ? -percent : percent;
    }
    return true;
}

unsigned hubo_encoder_requests(unsigned channels)
{
    return channels > 3 ? 2 : 1;
}

void hubo_board_command(struct can_frame *frame, unsigned board, enum hubo_command command,
                        unsigned argument)
{
    start(frame, HUBO_ID_COMMAND, 3);
    frame->data[0] = (uint8_t)board;
    frame->data[1] = (uint8_t)command;
    frame->data[2] = (uint8_t)argument;
}

void hubo_request_encoder(struct can_frame *frame, unsigned board, unsigned choice)
{
    hubo_board_command(frame, board, HUBO_GET_ENCODER, choice);
}

static void short_request(struct can_frame *frame, uint32_t can_id, unsigned board,
                          unsigned request)
{
    start(frame, can_id, 2);
    frame->data[0] = (uint8_t)board;
    frame->data[1] = (uint8_t)request;
}

void hubo_request_status(struct can_frame *frame, unsigned board)
{
    short_request(frame, HUBO_ID_COMMAND, board, HUBO_GET_STATUS);
}

void hubo_request_current(struct can_frame *frame, unsigned board)
{
    short_request(frame, HUBO_ID_COMMAND, board, HUBO_GET_CURRENT);
}

void hubo_request_power(struct can_frame *frame)
{
    short_request(frame, HUBO_ID_COMMAND, HUBO_BOARD_POWER, HUBO_GET_POWER);
}

void hubo_request_force_torque(struct can_frame *frame, unsigned sensor)
{
    short_request(frame, HUBO_ID_SENSOR_REQUEST, sensor, HUBO_REQUEST_FORCE_TORQUE);
}

void hubo_request_tilt(struct can_frame *frame, unsigned sensor)
{
    short_request(frame, HUBO_ID_SENSOR_REQUEST, sensor, HUBO_REQUEST_TILT);
}

void hubo_request_imu(struct can_frame *frame)
{
    start(frame, HUBO_ID_SENSOR_REQUEST, 3);
    frame->data[0] = HUBO_SENSOR_IMU;
    frame->data[2] = 1;
}

// ---- boards -> host -----------------------------------------------------------------------------

void hubo_encoder_reply(struct can_frame *frame, uint32_t can_id, unsigned channels,
                        unsigned choice, const int32_t *ticks)
{
    if (channels <= 2) {
        start(frame, can_id, 8);
        for (unsigned i = 0; i < channels; i++)
            put_int32(frame->data + 4 * i, ticks[i]);
        return;
    }
    unsigned first = choice ? 3 : 0, count = choice ? channels - 3 : 3;
    start(frame, can_id, 2 * count);
    for (unsigned i = 0; i < count; i++)
        put_int16(frame->data + 2 * i, ticks[first + i]);
}

bool hubo_decode_encoder(const struct can_frame *frame, unsigned channels, int32_t *ticks,
                         unsigned *first, unsigned *count)
{
    if (channels <= 2) {
        if (frame->can_dlc != 8 && frame->can_dlc != 4 * channels)
            return false;
        *first = 0;
        *count = channels;
        for (unsigned i = 0; i < channels; i++)
            ticks[i] = get_int32(frame->data + 4 * i);
        return true;
    }
    if (channels > HUBO_CHANNELS_MAX)
        return false;
    if (frame->can_dlc == 6)
        *first = 0, *count = 3;
    else if (channels > 3 && frame->can_dlc == 2 * (channels - 3))
        *first = 3, *count = channels - 3;
    else
        return false;
    for (unsigned i = 0; i < *count; i++)
        ticks[*first + i] = get_int16(frame->data + 2 * i);
    return true;
}

// The low half of a motor's first status byte.
static unsigned status_flags(const struct hubo_status *motor)
{
    return motor->driver_on | (unsigned)motor->control_on << 1 | (motor->mode & 1) << 2 |
           (unsigned)motor->limit_switch << 3;
}

void hubo_status_reply(struct can_frame *frame, uint32_t can_id, unsigned channels,
                       const struct hubo_status *motor)
{
    const bool brief = channels > 2;
    start(frame, can_id, brief ? channels : 4 * channels);
    for (unsigned i = 0; i < channels; i++) {
        uint8_t *data = frame->data + (brief ? i : 4 * i);
        data[0] = (uint8_t)(status_flags(&motor[i]) |
                            (brief ? motor[i].errors1 & 0xF : motor[i].home) << 4);
        if (brief)
            continue;
        data[1] = (uint8_t)motor[i].errors1;
        data[2] = (uint8_t)motor[i].errors2;
    }
}

bool hubo_decode_status(const struct can_frame *frame, unsigned channels, struct hubo_status *motor)
{
    const bool brief = channels > 2;
    if (frame->can_dlc != (brief ? channels : 4 * channels))
        return false;
    for (unsigned i = 0; i < channels; i++) {
        const uint8_t *data = frame->data + (brief ? i : 4 * i);
        motor[i] = (struct hubo_status){.driver_on = data[0] & 1,
                                        .control_on = data[0] >> 1 & 1,
                                        .mode = data[0] >> 2 & 1,
                                        .limit_switch = data[0] >> 3 & 1,
                                        .home = brief ? 0 : data[0] >> 4,
                                        .errors1 = brief ? data[0] >> 4 : data[1],
                                        .errors2 = brief ? 0 : data[2]};
    }
    return true;
}

// Where a board with more than two channels has its currents, and in which unit.
static const struct current_layout {
    unsigned length, byte[HUBO_CHANNELS_MAX];
    double unit_A;
    bool temperature; // in byte 2
} layout_of_three = {4, {0, 1, 3}, 0.004, true},
  layout_of_five = {6, {0, 1, 2, 4, 5}, 0.001, false};

static const struct current_layout *layout_of(unsigned channels)
{
    return channels > 3 ? &layout_of_five : &layout_of_three;
}

void hubo_current_reply(struct can_frame *frame, uint32_t can_id, unsigned channels,
                        const double *current_A, double temperature_C)
{
    const struct current_layout *layout = layout_of(channels);
    start(frame, can_id, channels <= 2 ? 4 : layout->length);
    for (unsigned i = 0; i < channels; i++) {
        if (channels > 2) {
            frame->data[layout->byte[i]] =
                (uint8_t)lrint(clip(fabs(current_A[i]) / layout->unit_A, 255));
            continue;
        }
        unsigned raw = (unsigned)lrint(clip(fabs(current_A[i]) * 100, 1023));
        frame->data[i] = (uint8_t)(raw >> 2);
        frame->data[3] |= (uint8_t)((raw & 3) << 2 * i);
    }
    if (channels <= 2 || layout->temperature)
        frame->data[2] = (uint8_t)lrint(clip(fmax(temperature_C, 0), 255));
}

bool hubo_decode_current(const struct can_frame *frame, unsigned channels, double *current_A,
                         double *temperature_C)
{
    const struct current_layout *layout = layout_of(channels);
    if (frame->can_dlc != (channels <= 2 ? 4 : layout->length))
        return false;
    for (unsigned i = 0; i < channels; i++)
        current_A[i] = channels > 2 ? frame->data[layout->byte[i]] * layout->unit_A
                                    : 0.01 * (frame->data[i] << 2 | (frame->data[3] >> 2 * i & 3));
    *temperature_C = channels <= 2 || layout->temperature ? frame->data[2] : 0;
    return true;
}

void hubo_board_info_reply(struct can_frame *frame, unsigned board, unsigned channels)
{
    start(frame, HUBO_ID_BOARD_INFO + board, 3);
    frame->data[0] = (uint8_t)board;
    frame->data[1] = (uint8_t)channels;
    frame->data[2] = 1;
}

// Sensors send up to four int16: value = field * unit.
static void sensor_reply(struct can_frame *frame, uint32_t can_id, unsigned count,
                         const double *value, const double *unit)
{
    start(frame, can_id, 2 * count);
    for (unsigned i = 0; i < count; i++)
        put_int16(frame->data + 2 * i, value[i] / unit[i]);
}

static const double force_torque_units[] = {0.01, 0.01, 0.1};
static const double tilt_units[] = {0.01 * DEGREE, 0.01 * DEGREE, 1 / TILT_PER_G};
static const double imu_units[] = {0.01 * DEGREE, 0.01 * DEGREE, 0.01 * DEGREE, 0.01 * DEGREE};
static const double power_units[] = {0.01, 0.01, 0.1};

void hubo_force_torque_reply(struct can_frame *frame, unsigned sensor, double moment_x_Nm,
                             double moment_y_Nm, double force_z_N)
{
    const double value[] = {moment_x_Nm, moment_y_Nm, force_z_N};
    sensor_reply(frame, HUBO_ID_FORCE_TORQUE + sensor, 3, value, force_torque_units);
}

bool hubo_decode_force_torque(const struct can_frame *frame, double *moment_x_Nm,
                              double *moment_y_Nm, double *force_z_N)
{
    if (frame->can_dlc != 6)
        return false;
    *moment_x_Nm = get_int16(frame->data) * force_torque_units[0];
    *moment_y_Nm = get_int16(frame->data + 2) * force_torque_units[1];
    *force_z_N = get_int16(frame->data + 4) * force_torque_units[2];
    return true;
}

void hubo_tilt_reply(struct can_frame *frame, unsigned sensor, double angle_x_rad,
                     double angle_y_rad, double acceleration_z_g)
{
    const double value[] = {angle_x_rad, angle_y_rad, acceleration_z_g};
    sensor_reply(frame, HUBO_ID_INERTIAL + sensor, 3, value, tilt_units);
}

bool hubo_decode_tilt(const struct can_frame *frame, double *angle_x_rad, double *angle_y_rad,
                      double *acceleration_z_g)
{
    if (frame->can_dlc != 6)
        return false;
    *angle_x_rad = get_int16(frame->data) * tilt_units[0];
    *angle_y_rad = get_int16(frame->data + 2) * tilt_units[1];
    *acceleration_z_g = get_int16(frame->data + 4) * tilt_units[2];
    return true;
}

void hubo_imu_reply(struct can_frame *frame, double roll_rad, double pitch_rad,
                    double roll_rate_rad_s, double pitch_rate_rad_s)
{
    const double value[] = {roll_rad, pitch_rad, roll_rate_rad_s, pitch_rate_rad_s};
    sensor_reply(frame, HUBO_ID_INERTIAL + HUBO_SENSOR_IMU, 4, value, imu_units);
}

bool hubo_decode_imu(const struct can_frame *frame, double *roll_rad, double *pitch_rad,
                     double *roll_rate_rad_s, double *pitch_rate_rad_s)
{
    if (frame->can_dlc != 8)
        return false;
    *roll_rad = get_int16(frame->data) * imu_units[0];
    *pitch_rad = get_int16(frame->data + 2) * imu_units[1];
    *roll_rate_rad_s = get_int16(frame->data + 4) * imu_units[2];
    *pitch_rate_rad_s = get_int16(frame->data + 6) * imu_units[3];
    return true;
}

void hubo_power_reply(struct can_frame *frame, double voltage_V, double current_A, double power_W)
{
    const double value[] = {voltage_V, current_A, power_W};
    sensor_reply(frame, HUBO_ID_POWER, 3, value, power_units);
}

bool hubo_decode_power(const struct can_frame *frame, double *voltage_V, double *current_A,
                       double *power_W)
{
    if (frame->can_dlc != 6)
        return false;
    *voltage_V = get_int16(frame->data) * power_units[0];
    *current_A = get_int16(frame->data + 2) * power_units[1];
    *power_W = get_int16(frame->data + 4) * power_units[2];
    return true;
}
