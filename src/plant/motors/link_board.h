// The link I/O board of a robot's node: what its registers hold, and what its converters make of
// the joints.
//
// Counters, converters and their widths: Table I of "Distributed Control System of Humanoid Robots
// based on Real-time Ethernet". Counters have a backup supply: they count on while the node's
// processor is dead, and need no homing. The board belongs to the simulated robot; the node's
// program sees the registers alone, in a page of shared memory.
#pragma once

#include <stdint.h>

#include "base/status.h"

#define LINK_JOINTS 5
#define LINK_SENSORS 12 // inputs of 16 bit
#define LINK_VOLTS 10.0 // of all converters: -10 V to +10 V
#define LINK_DA_BITS 12 // codes 0 to 4095; 2048: 0 V
#define LINK_AD_BITS 12 // torque and temperature
#define LINK_SENSOR_BITS 16
#define LINK_COUNTER_BITS 24      // counts wrap
#define LINK_WATCHDOG_NS 10000000 // outputs are 0 V when the processor was silent for so long
#define LINK_TORQUE_SCALE 1.25    // 10 V of a torque input, in multiples of torque_max_Nm
#define LINK_CELSIUS_10V 200.0    // of a temperature input
#define LINK_AMBIENT_C 25.0

// The registers. Each word is read and written whole.
struct link_registers {
    _Atomic uint32_t counter[LINK_JOINTS];
    _Atomic uint32_t torque[LINK_JOINTS];      // AD: what the motor's current makes of it
    _Atomic uint32_t temperature[LINK_JOINTS]; // AD
    _Atomic uint32_t sensor[LINK_SENSORS];     // AD
    _Atomic uint32_t output[LINK_JOINTS];      // DA, written by the processor
    _Atomic uint32_t alive; // the processor writes another value after each set of outputs
};

// ---- converters: pure; code of a voltage, clipped to the range, and back ------------------------

uint32_t link_code(double volts, unsigned bits);
double link_volts(uint32_t code, unsigned bits);
// A joint's angle as its counter shows it, and what a counter says: within half its range of 0.
uint32_t link_count(double angle_rad, double ticks_per_rad);
double link_angle_rad(uint32_t count, double ticks_per_rad);

// ---- the page -----------------------------------------------------------------------------------

// The simulated robot's side: makes the page of a board; outputs at 0 V. SYSTEM.
enum status link_page_create(const char *board, struct link_registers **page) MUST_CHECK;
// The node's side. NOT_FOUND: no such board; SYSTEM.
enum status link_page_open(const char *board, struct link_registers **page) MUST_CHECK;

// ---- the board ----------------------------------------------------------------------------------

struct link_joint { // of one channel
    double ticks_per_rad, torque_max_Nm;
    double temperature_C;
};

struct link_board {
    struct link_registers *registers;
    unsigned joint_count;
    struct link_joint joint[LINK_JOINTS];
    uint32_t alive;   // as last seen
    int64_t alive_ns; // when it changed
};

// What the drives exert now; 0 when the watchdog has struck.
void link_board_outputs(struct link_board *board, int64_t now_ns, double torque_Nm[LINK_JOINTS]);
// After a step of step_s: what the joints did shows in the registers.
void link_board_inputs(struct link_board *board, const double angle_rad[LINK_JOINTS],
                       const double torque_Nm[LINK_JOINTS], double step_s);
