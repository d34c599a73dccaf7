// A robot's AX-12 servos: their control tables (dynamixel/device.h), their mechanics (servo.h) and
// the battery that feeds them all.
//
// The owner puts each device on a line (dynamixel/line.h), and asks once per physics step for all
// torques. Real-time safe after servos_create; one thread.
#pragma once

#include "base/status.h"
#include "dynamixel/device.h"
#include "dynamixel/disturbance.h"
#include "plant/motors/servo.h"

#define SERVOS_MAX 30
#define SERVOS_BATTERY_V 9.6 // eight cells of NiMH
#define SERVOS_BATTERY_OHM 0.1

struct servos; // opaque; owned by the caller

// Angles are those of the horns, in the servo's own sense: 0 in the middle of its range,
// counter-clockwise positive. INVALID (more than SERVOS_MAX), NO_MEMORY.
enum status servos_create(unsigned count, const uint8_t *id, const double *position_rad,
                          struct servos **servos) MUST_CHECK;
void servos_free(struct servos *servos);

struct dxl_device *servos_device(struct servos *servos, unsigned i);
const struct servo *servos_servo(const struct servos *servos, unsigned i);
// How they differ from their kind (servo.h), and how the battery does; before the first step.
void servos_vary(struct servos *servos, unsigned i, double strength_share, double friction_share);
void servos_vary_battery(struct servos *servos, double share);
double servos_voltage_V(const struct servos *servos); // at the servos, over the last step

// From all horns' angles and velocities to the torques that act until the next step, `step_s` later
// (at most 0.005 s); the present values in the tables are those of now.
void servos_step(struct servos *servos, const double *position_rad, const double *velocity_rad_s,
                 double step_s, struct servo_output *output);

// A disturbance of servo `i`, or of the battery, comes (`on`) or goes (a dxl_line_servo).
// False: this kind does not concern servos.
bool servos_disturb(struct servos *servos, unsigned i, const struct dxl_disturbance *what, bool on);
