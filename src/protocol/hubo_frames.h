// The HUBO2's CAN protocol: what each frame looks like, for both ends (the Hardware daemon and the
// simulated boards).
//
// Pure functions; real-time safe. Encoders fill the whole frame (identifier, length, data);
// decoders check the length and return false, touching nothing, if the frame cannot be what is
// asked for. Values beyond a field's range are clipped to it. Formats: the public HUBO software of
// 2013 (hubo-ach, HuboCan). Where that says nothing about boards with more than two channels, the
// format here is this project's own and is marked so.
#pragma once

#include <linux/can.h>
#include <stdbool.h>
#include <stdint.h>

#define HUBO_CHANNELS_MAX 5
#define HUBO_BITRATE_BIT_S 1000000 // of both buses, unless a scenario says otherwise

// Identifiers used by the host.
#define HUBO_ID_COMMAND 0x01u        // data[0] board, data[1] command
#define HUBO_ID_SENSOR_REQUEST 0x02u // data[0] sensor, data[1] request
// Identifiers used by sensors: base + sensor number. Boards' identifiers come from the robot
// description.
#define HUBO_ID_FORCE_TORQUE 0x40u
#define HUBO_ID_INERTIAL 0x50u // foot accelerometers and IMU
#define HUBO_ID_POWER 0x6Eu

// Sensor numbers.
#define HUBO_SENSOR_RIGHT_FOOT 1u // force-torque and tilt, bus 0
#define HUBO_SENSOR_LEFT_FOOT 2u
#define HUBO_SENSOR_IMU 3u        // bus 0
#define HUBO_SENSOR_RIGHT_HAND 6u // force-torque, bus 1
#define HUBO_SENSOR_LEFT_HAND 7u
#define HUBO_BOARD_POWER 0x0Eu // bus 1

// data[1] of a frame with HUBO_ID_COMMAND. "+ channel": one command per channel of a board.
enum hubo_command {
    HUBO_GET_BOARD_INFO = 0x01,
    HUBO_GET_STATUS = 0x02,
    HUBO_GET_ENCODER = 0x03,
    HUBO_GET_CURRENT = 0x04,
    HUBO_ZERO_ENCODER = 0x06,   // argument: channel, or HUBO_ALL_CHANNELS
    HUBO_POSITION_GAINS = 0x07, // + channel (0, 1): int16 proportional, integral, derivative
    HUBO_CURRENT_GAINS = 0x09,  // + channel (0, 1)
    HUBO_DRIVER = 0x0B,         // argument 1: on, 0: off
    HUBO_PWM = 0x0D,            // of fingers too: hubo_finger_reference
    HUBO_CONTROL_ON = 0x0E,
    HUBO_CONTROL_OFF = 0x0F,
    HUBO_CONTROL_MODE = 0x10,    // argument: enum hubo_mode
    HUBO_HOME = 0x11,            // argument: (channel + 1) << 4 | 2
    HUBO_COMPLEMENTARY = 0x13,   // argument 1: on, 0: off
    HUBO_GET_PARAMETERS = 0x24,  // argument: enum hubo_parameters
    HUBO_VELOCITY_LIMITS = 0x40, // + channel: uint16 acceleration, velocity
    HUBO_LOWER_LIMIT = 0x50,     // + channel: flags, int32 count
    HUBO_UPPER_LIMIT = 0x56,     // + channel
    HUBO_GAIN_OVERRIDE = 0x6F,   // percent of channel 0, of channel 1, uint16 milliseconds
    HUBO_NULL_SENSOR = 0x81,     // argument 0: force and torque, 4: tilt
    HUBO_GET_POWER = 0xE0,
    HUBO_INITIALISE = 0xFA,
};
#define HUBO_ALL_CHANNELS 0xFu
#define HUBO_NULL_TILT 4u
#define HUBO_LIMIT_ENABLED 1u // flags of HUBO_LOWER_LIMIT, HUBO_UPPER_LIMIT

enum hubo_mode { HUBO_MODE_POSITION = 0, HUBO_MODE_PWM = 1 };

// Argument of HUBO_GET_PARAMETERS. A to F are a channel's own: that of channel c is 6 c further on,
// from channel 3 on 5 more. The reply has the identifier of the board's current.
enum hubo_parameters {
    HUBO_PARAMETERS_A = 1,  // position gains, encoder resolution
    HUBO_PARAMETERS_B = 2,  // dead zone, homing; low half of the home offset
    HUBO_PARAMETERS_C = 3,  // high half, lower limit, low half of the upper limit
    HUBO_PARAMETERS_D = 4,  // high half, acceleration, velocity, PWM
    HUBO_PARAMETERS_E = 5,  // current limit and gains
    HUBO_PARAMETERS_F = 6,  // current gain
    HUBO_PARAMETERS_G = 20, // CAN rate, kind of board, acceleration of homing
    HUBO_PARAMETERS_H = 21, // velocities of homing, times until a motor counts as jammed
    HUBO_PARAMETERS_I = 22, // bounds of errors
};

enum hubo_sensor_request { // data[1] of a frame with HUBO_ID_SENSOR_REQUEST
    HUBO_REQUEST_IMU = 0x00,
    HUBO_REQUEST_FORCE_TORQUE = 0x12,
    HUBO_REQUEST_TILT = 0x22,
};

// ---- units --------------------------------------------------------------------------------------

// Nearest encoder count to an angle, clipped to what 24 bits of sign and magnitude hold. / The
// angle of a count.
int32_t hubo_ticks(double angle_rad, double ticks_per_rad);
double hubo_angle_rad(int32_t ticks, double ticks_per_rad);

// ---- host -> boards -----------------------------------------------------------------------------

// Reference of a board with 1 or 2 channels: 24-bit sign-magnitude each; a 1-channel board gets its
// value twice. 3 channels (own format): 16-bit sign-magnitude each. ticks: one per channel. All are
// 6 bytes long.
void hubo_reference(struct can_frame *frame, uint32_t can_id, unsigned channels,
                    const int32_t *ticks);
bool hubo_decode_reference(const struct can_frame *frame, unsigned channels, int32_t *ticks);

// PWM of a board with 1 or 2 channels, -100..100 % each; `on` false: the pulses end. Its loops are
// off, or in HUBO_MODE_PWM.
bool hubo_decode_pwm(const struct can_frame *frame, bool *on, int percent[2]);

// Reference of a finger board: -100..100 % PWM for each of five channels.
void hubo_finger_reference(struct can_frame *frame, unsigned board,
                           const int pwm_percent[HUBO_CHANNELS_MAX]);
bool hubo_decode_finger_reference(const struct can_frame *frame,
                                  int pwm_percent[HUBO_CHANNELS_MAX]);

// Requests. An encoder request carries a choice: 0, and for boards with five channels also 1 (see
// hubo_encoder_requests).
unsigned
hubo_encoder_requests(unsigned channels); // how many requests it takes to read all channels: 1 or 2
void hubo_request_encoder(struct can_frame *frame, unsigned board, unsigned choice);
void hubo_request_status(struct can_frame *frame, unsigned board);
void hubo_request_current(struct can_frame *frame, unsigned board);
void hubo_request_power(struct can_frame *frame);
void hubo_request_force_torque(struct can_frame *frame, unsigned sensor);
void hubo_request_tilt(struct can_frame *frame, unsigned sensor);
void hubo_request_imu(struct can_frame *frame);

// Any other command with one argument byte (drivers on, control on, home ...).
void hubo_board_command(struct can_frame *frame, unsigned board, enum hubo_command command,
                        unsigned argument);

// ---- boards -> host -----------------------------------------------------------------------------

// Encoder reply: 1 or 2 channels: two int32, of a board with one channel the second is 0 (such a
// reply of 4 bytes is read, too); 3 channels: int16 each (6 bytes); 5 channels: choice
// 0 carries channels 0..2, choice 1 channels 3..4, int16 each, so the length tells them apart.
// ticks: one per channel of the whole board.
void hubo_encoder_reply(struct can_frame *frame, uint32_t can_id, unsigned channels,
                        unsigned choice, const int32_t *ticks);
// Writes ticks[*first .. *first + *count - 1].
bool hubo_decode_encoder(const struct can_frame *frame, unsigned channels, int32_t *ticks,
                         unsigned *first, unsigned *count);

struct hubo_status { // of one motor
    bool driver_on, control_on, limit_switch;
    unsigned mode;    // enum hubo_mode
    unsigned home;    // 6: homed, 1: on its way; boards with more than two channels do not tell
    unsigned errors1; // bit 0 jam, 1 PWM saturated, 2 big error, 3 encoder error, 4 driver fault,
                      // 5/6 motor fail 0/1
    unsigned errors2; // bit 0/1 minimum/maximum position, 2 velocity, 3 acceleration, 4 temperature
};
#define HUBO_HOMED 6u
#define HUBO_HOMING 1u

// 1 or 2 channels: 4 bytes per motor. More: 1 byte per motor, with the first four of errors1 in
// place of the home flag.
void hubo_status_reply(struct can_frame *frame, uint32_t can_id, unsigned channels,
                       const struct hubo_status *motor);
bool hubo_decode_status(const struct can_frame *frame, unsigned channels,
                        struct hubo_status *motor);

// 1 or 2 channels: 10 bit of 10 mA each, board temperature in byte 2. 3 channels: 8 bit of 4 mA in
// bytes 0, 1 and 3, temperature in byte 2. 5 channels: 8 bit of 1 mA in bytes 0, 1, 2, 4 and 5, no
// temperature.
void hubo_current_reply(struct can_frame *frame, uint32_t can_id, unsigned channels,
                        const double *current_A, double temperature_C);
bool hubo_decode_current(const struct can_frame *frame, unsigned channels, double *current_A,
                         double *temperature_C);

// A board's number, kind (channels) and version of its protocol.
#define HUBO_ID_BOARD_INFO 0x190u // + board
void hubo_board_info_reply(struct can_frame *frame, unsigned board, unsigned channels);

// Moments 0.01 Nm, force 0.1 N: int16, so at most 327.67 Nm and 3276.7 N. Positive force: the
// ground pushes the robot up.
void hubo_force_torque_reply(struct can_frame *frame, unsigned sensor, double moment_x_Nm,
                             double moment_y_Nm, double force_z_N);
bool hubo_decode_force_torque(const struct can_frame *frame, double *moment_x_Nm,
                              double *moment_y_Nm, double *force_z_N);

// Angles 0.01 degree, vertical acceleration 1/750 g.
void hubo_tilt_reply(struct can_frame *frame, unsigned sensor, double angle_x_rad,
                     double angle_y_rad, double acceleration_z_g);
bool hubo_decode_tilt(const struct can_frame *frame, double *angle_x_rad, double *angle_y_rad,
                      double *acceleration_z_g);

// Angles 0.01 degree, rates 0.01 degree/s.
void hubo_imu_reply(struct can_frame *frame, double roll_rad, double pitch_rad,
                    double roll_rate_rad_s, double pitch_rate_rad_s);
bool hubo_decode_imu(const struct can_frame *frame, double *roll_rad, double *pitch_rad,
                     double *roll_rate_rad_s, double *pitch_rate_rad_s);

// 0.01 V, 0.01 A, 0.1 W.
void hubo_power_reply(struct can_frame *frame, double voltage_V, double current_A, double power_W);
bool hubo_decode_power(const struct can_frame *frame, double *voltage_V, double *current_A,
                       double *power_W);
