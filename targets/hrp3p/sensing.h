// Which board has which sensors, and what their voltages mean. Pure.
//
// The feet's and the hands' force-torque sensors sit on the nodes of ankles and wrists: moments
// about x and y, and the force along z. The gyrometer sits on n13.
#pragma once

#include <stdint.h>

#include "plant/motors/link_board.h"
#include "plant/physics.h"

// The voltages of a board's inputs; those without a sensor stay as they are.
void sensing_volts(const char *board, const struct sensor_truth *sensors,
                   double volts[LINK_SENSORS]);

struct sensed { // SI units
    double force_torque_Nm[ROBOT_FORCE_TORQUE_MAX][3];
    double rate_rad_s[3];
    double acceleration_m_s2[3]; // specific force: at rest upwards
};
// The other way: from a node's answer (10 V are 32768).
void sensing_read(const char *board, const int16_t converted[LINK_SENSORS], struct sensed *sensed);
