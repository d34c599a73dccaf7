#include "targets/hrp3p/sensing.h"

#include <stddef.h>
#include <string.h>

// What an input's 10 V stand for.
static const struct sensor {
    const char *board;
    size_t in_truth, in_sensed; // offsets of three values
    double full[3];
} sensors[] = {
#define FORCE_TORQUE(board, i, moment_Nm, force_N)                                                 \
    {                                                                                              \
        board, offsetof(struct sensor_truth, force_torque_Nm[i]),                                  \
            offsetof(struct sensed, force_torque_Nm[i]),                                           \
        {                                                                                          \
            moment_Nm, moment_Nm, force_N                                                          \
        }                                                                                          \
    }
    FORCE_TORQUE("n3", 0, 300, 3000),
    FORCE_TORQUE("n4", 1, 300, 3000),
    FORCE_TORQUE("n7", 2, 30, 300),
    FORCE_TORQUE("n11", 3, 30, 300),
    {"n13",
     offsetof(struct sensor_truth, imu_rate_rad_s),
     offsetof(struct sensed, rate_rad_s),
     {10, 10, 10}},
    {"n13",
     offsetof(struct sensor_truth, imu_acceleration_m_s2),
     offsetof(struct sensed, acceleration_m_s2),
     {50, 50, 50}},
};
#define SENSORS (sizeof sensors / sizeof sensors[0])

void sensing_volts(const char *board, const struct sensor_truth *truth, double volts[LINK_SENSORS])
{
    unsigned input = 0;
    for (size_t s = 0; s < SENSORS; s++) {
        double value[3];
        if (strcmp(sensors[s].board, board) != 0)
            continue;
        memcpy(value, (const char *)truth + sensors[s].in_truth, sizeof value);
        for (unsigned i = 0; i < 3; i++)
            volts[input++] = value[i] / sensors[s].full[i] * LINK_VOLTS;
    }
}

void sensing_read(const char *board, const int16_t converted[LINK_SENSORS], struct sensed *sensed)
{
    unsigned input = 0;
    for (size_t s = 0; s < SENSORS; s++) {
        double value[3];
        if (strcmp(sensors[s].board, board) != 0)
            continue;
        for (unsigned i = 0; i < 3; i++)
            value[i] = converted[input++] / 32768.0 * sensors[s].full[i];
        memcpy((char *)sensed + sensors[s].in_sensed, value, sizeof value);
    }
}
