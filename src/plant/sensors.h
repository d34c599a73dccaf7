// The sensor boards of the simulated HUBO2: force-torque (feet, hands), foot accelerometers, IMU
// and power.
//
// They answer requests with what the physics says plus a small normal noise, drawn from the trial's
// seed, and quantised by their frames. Real-time safe after sensors_start.
#pragma once

#include "base/random.h"
#include "can/can.h"
#include "plant/physics.h"

// Standard deviations; the defaults are modest for such hardware.
struct sensor_noise {
    double force_N, moment_Nm;
    double angle_rad, rate_rad_s; // IMU
    double tilt_rad, tilt_g;      // foot accelerometers
    double voltage_V, current_A;
};
extern const struct sensor_noise sensor_noise_default;

#define SENSOR_BOARDS 8 // each a node of its own: FT 1, 2, tilt 1, 2, IMU, FT 6, 7, power

struct sensors {
    struct sensor_noise noise;
    struct random_stream stream;
    // Taken away since the sensor was nulled: Mx, My, Fz; angles about x and y.
    double offset_Nm[ROBOT_FORCE_TORQUE_MAX][3];
    double tilt_zero_rad[SIDE_COUNT][2], imu_zero_rad[2];
};

void sensors_start(struct sensors *sensors, uint64_t seed, const struct sensor_noise *noise);

// Takes a frame that a host sent on `bus`; answers from what physics and motors say now. Returns
// the number of the sensor board (0 .. SENSOR_BOARDS - 1) that answers with *reply, or -1.
int sensors_receive(struct sensors *sensors, unsigned bus, const struct can_frame *request,
                    const struct physics *physics, const struct motor *motor, unsigned motor_count,
                    struct can_frame *reply);

// The bus a sensor board is on, and its name as a node.
unsigned sensors_bus(unsigned board);
const char *sensors_name(unsigned board);
