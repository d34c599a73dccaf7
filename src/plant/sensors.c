#include "plant/sensors.h"

#include <math.h>

#include "protocol/hubo_frames.h"

#define GRAVITY_M_S2 9.81
#define SUPPLY_V 48.0
#define IDLE_CURRENT_A 2.0
#define NULL_SENSOR_BASE 0x2F // first byte of the null command: base + sensor number

const struct sensor_noise sensor_noise_default = {
    .force_N = 0.5,
    .moment_Nm = 0.02,
    .angle_rad = 0.0003,
    .rate_rad_s = 0.002,
    .tilt_rad = 0.002,
    .tilt_g = 0.005,
    .voltage_V = 0.02,
    .current_A = 0.02,
};

enum sensor_board { // bus 0 first
    BOARD_FT_RIGHT_FOOT,
    BOARD_FT_LEFT_FOOT,
    BOARD_TILT_RIGHT,
    BOARD_TILT_LEFT,
    BOARD_IMU,
    BOARD_FT_RIGHT_HAND,
    BOARD_FT_LEFT_HAND,
    BOARD_POWER,
};

unsigned sensors_bus(unsigned board)
{
    return board >= BOARD_FT_RIGHT_HAND;
}

const char *sensors_name(unsigned board)
{
    static const char *const names[SENSOR_BOARDS] = {
        [BOARD_FT_RIGHT_FOOT] = "FT-right-foot",
        [BOARD_FT_LEFT_FOOT] = "FT-left-foot",
        [BOARD_TILT_RIGHT] = "tilt-right",
        [BOARD_TILT_LEFT] = "tilt-left",
        [BOARD_IMU] = "IMU",
        [BOARD_FT_RIGHT_HAND] = "FT-right-hand",
        [BOARD_FT_LEFT_HAND] = "FT-left-hand",
        [BOARD_POWER] = "power",
    };
    return names[board];
}

void sensors_start(struct sensors *sensors, uint64_t seed, const struct sensor_noise *noise)
{
    *sensors = (struct sensors){.noise = *noise};
    random_start(&sensors->stream, seed, "sensors");
}

static double noisy(struct sensors *sensors, double value, double deviation)
{
    return deviation > 0 ? value + deviation * random_normal(&sensors->stream) : value;
}

// Index of force-torque sensor `number` on `bus`, or -1.
static int force_torque_index(unsigned bus, unsigned number)
{
    if (bus == 0)
        return number == HUBO_SENSOR_RIGHT_FOOT  ? FT_RIGHT_FOOT
               : number == HUBO_SENSOR_LEFT_FOOT ? FT_LEFT_FOOT
                                                 : -1;
    return number == HUBO_SENSOR_RIGHT_HAND  ? FT_RIGHT_HAND
           : number == HUBO_SENSOR_LEFT_HAND ? FT_LEFT_HAND
                                             : -1;
}

static int reply_force_torque(struct sensors *sensors, int index, unsigned number,
                              const struct sensor_truth *truth, struct can_frame *reply)
{
    static const int boards[] = {
        [FT_RIGHT_FOOT] = BOARD_FT_RIGHT_FOOT,
        [FT_LEFT_FOOT] = BOARD_FT_LEFT_FOOT,
        [FT_RIGHT_HAND] = BOARD_FT_RIGHT_HAND,
        [FT_LEFT_HAND] = BOARD_FT_LEFT_HAND,
    };
    double value[3];
    for (unsigned i = 0; i < 3; i++)
        value[i] = noisy(sensors, truth->force_torque_Nm[index][i] - sensors->offset_Nm[index][i],
                         i < 2 ? sensors->noise.moment_Nm : sensors->noise.force_N);
    hubo_force_torque_reply(reply, number, value[0], value[1], value[2]);
    return boards[index];
}

static enum side side_of(unsigned number)
{
    return number == HUBO_SENSOR_LEFT_FOOT ? SIDE_LEFT : SIDE_RIGHT;
}

// About x and y, as the foot's accelerometer has gravity.
static void tilt_angles(const struct sensor_truth *truth, enum side side, double angle_rad[2])
{
    const double *a = truth->foot_acceleration_m_s2[side];
    angle_rad[0] = atan2(a[1], a[2]);
    angle_rad[1] = atan2(-a[0], hypot(a[1], a[2]));
}

static int reply_tilt(struct sensors *sensors, unsigned number, const struct sensor_truth *truth,
                      struct can_frame *reply)
{
    const enum side side = side_of(number);
    const double *zero_rad = sensors->tilt_zero_rad[side];
    double angle_rad[2];
    tilt_angles(truth, side, angle_rad);
    const double g = truth->foot_acceleration_m_s2[side][2] / GRAVITY_M_S2;
    hubo_tilt_reply(reply, number,
                    noisy(sensors, angle_rad[0] - zero_rad[0], sensors->noise.tilt_rad),
                    noisy(sensors, angle_rad[1] - zero_rad[1], sensors->noise.tilt_rad),
                    noisy(sensors, g, sensors->noise.tilt_g));
    return side == SIDE_LEFT ? BOARD_TILT_LEFT : BOARD_TILT_RIGHT;
}

static void imu_angles(const struct sensor_truth *truth, double angle_rad[2])
{
    const double *q = truth->imu_quaternion;
    angle_rad[0] = atan2(2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[1] * q[1] + q[2] * q[2]));
    angle_rad[1] = asin(fmax(-1, fmin(1, 2 * (q[0] * q[2] - q[3] * q[1]))));
}

static int reply_imu(struct sensors *sensors, const struct sensor_truth *truth,
                     struct can_frame *reply)
{
    double angle_rad[2];
    imu_angles(truth, angle_rad);
    const double *zero_rad = sensors->imu_zero_rad;
    hubo_imu_reply(reply, noisy(sensors, angle_rad[0] - zero_rad[0], sensors->noise.angle_rad),
                   noisy(sensors, angle_rad[1] - zero_rad[1], sensors->noise.angle_rad),
                   noisy(sensors, truth->imu_rate_rad_s[0], sensors->noise.rate_rad_s),
                   noisy(sensors, truth->imu_rate_rad_s[1], sensors->noise.rate_rad_s));
    return BOARD_IMU;
}

static int reply_power(struct sensors *sensors, const struct motor *motor, unsigned count,
                       struct can_frame *reply)
{
    double power_W = SUPPLY_V * IDLE_CURRENT_A;
    for (unsigned j = 0; j < count; j++)
        power_W += fabs(motor[j].torque_Nm * motor[j].velocity_rad_s);
    double voltage_V = noisy(sensors, SUPPLY_V, sensors->noise.voltage_V);
    double current_A = noisy(sensors, power_W / SUPPLY_V, sensors->noise.current_A);
    hubo_power_reply(reply, voltage_V, current_A, voltage_V * current_A);
    return BOARD_POWER;
}

static int answer_request(struct sensors *sensors, unsigned bus, const struct can_frame *request,
                          const struct physics *physics, struct can_frame *reply)
{
    unsigned number = request->data[0];
    struct sensor_truth truth;
    physics_sensors(physics, &truth);
    int force_torque = force_torque_index(bus, number);
    if (request->data[1] == HUBO_REQUEST_FORCE_TORQUE && force_torque >= 0)
        return reply_force_torque(sensors, force_torque, number, &truth, reply);
    if (request->data[1] == HUBO_REQUEST_TILT && bus == 0 && force_torque >= 0)
        return reply_tilt(sensors, number, &truth, reply);
    if (request->data[1] == HUBO_REQUEST_IMU && bus == 0 && number == HUBO_SENSOR_IMU)
        return reply_imu(sensors, &truth, reply);
    return -1;
}

// A nulled sensor reads zero as things are at present: under its load, or as it stands.
static void null_sensor(struct sensors *sensors, unsigned bus, const struct can_frame *command,
                        const struct physics *physics)
{
    const unsigned number = command->data[0] - NULL_SENSOR_BASE; // wraps below
    const unsigned kind = command->can_dlc > 2 ? command->data[2] : 0;
    const int index = force_torque_index(bus, number);
    struct sensor_truth truth;
    physics_sensors(physics, &truth);
    if (bus == 0 && number == HUBO_SENSOR_IMU)
        imu_angles(&truth, sensors->imu_zero_rad);
    else if (index >= 0 && kind == HUBO_NULL_TILT && bus == 0)
        tilt_angles(&truth, side_of(number), sensors->tilt_zero_rad[side_of(number)]);
    else if (index >= 0 && kind == 0 && command->can_dlc > 2)
        for (unsigned i = 0; i < 3; i++)
            sensors->offset_Nm[index][i] = truth.force_torque_Nm[index][i];
}

int sensors_receive(struct sensors *sensors, unsigned bus, const struct can_frame *request,
                    const struct physics *physics, const struct motor *motor, unsigned motor_count,
                    struct can_frame *reply)
{
    if (request->can_dlc < 2)
        return -1;
    if (request->can_id == HUBO_ID_SENSOR_REQUEST)
        return answer_request(sensors, bus, request, physics, reply);
    if (request->can_id != HUBO_ID_COMMAND)
        return -1;
    if (bus == 1 && request->data[0] == HUBO_BOARD_POWER && request->data[1] == HUBO_GET_POWER)
        return reply_power(sensors, motor, motor_count, reply);
    if (request->data[1] == HUBO_NULL_SENSOR)
        null_sensor(sensors, bus, request, physics);
    return -1;
}
