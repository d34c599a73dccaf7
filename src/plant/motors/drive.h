// One motor's share of its board: set point, homing, limits, gains, pulses. Pure; real-time safe.
//
// A new reference is approached in a straight line, then held. Counts are the board's own: they
// begin where the joint was at power-on, or at the last zeroing, until homing finds the true zero.
#pragma once

#include "base/time.h"
#include "protocol/hubo_frames.h"
#include "model/description.h"
#include "plant/physics.h"

#define HOMING_VELOCITY_RAD_S 0.5

struct drive_gains {
    int16_t proportional, integral, derivative;
};

struct drive {
    // Set point: a straight line from `from` at `since` to `to`, in `length`.
    double from_rad, to_rad;
    instant since;
    duration length;

    bool driver_on, control_on, complementary;
    enum hubo_mode mode;
    unsigned home;      // as in hubo_status
    int32_t zero_ticks; // encoder count at angle 0
    int pwm_percent;    // of the pulses while the loop is off; 0: none

    struct drive_gains position, current; // as set by the host
    double override_gain;                 // share of the position gain until `override_end`
    instant override_end;
    bool has_lower, has_upper; // limits of references
    int32_t lower_ticks, upper_ticks;
    uint16_t acceleration, velocity_ticks_ms; // 0: no limit. The acceleration is kept and told
};

// Switched on, homed, holding its joint where it is.
void drive_start(struct drive *drive, const struct motor *motor);

// As after power-on: the count is 0 here, and nobody knows where that is.
void drive_unhome(struct drive *drive, const struct joint_description *joint,
                  const struct motor *motor);

// A reference that arrived at t; it is approached over `interpolation`, or longer if the velocity
// limit says so.
void drive_refer(struct drive *drive, const struct joint_description *joint, int32_t ticks,
                 instant t, duration interpolation);

// Begins to move to the index, where the angle is 0.
void drive_home(struct drive *drive, instant t);

// Forgets references that have not been reached, and holds the joint where it is.
void drive_hold(struct drive *drive, const struct motor *motor);

// Changes what is switched on. A loop that comes on holds the joint where it is.
void drive_switch(struct drive *drive, struct motor *motor, bool driver_on, bool control_on,
                  enum hubo_mode mode);

// Gives the motor what holds at t: set point, gain, torque of the pulses.
void drive_update(struct drive *drive, const struct joint_description *joint, instant t,
                  struct motor *motor);

int32_t drive_ticks(const struct drive *drive, const struct joint_description *joint,
                    const struct motor *motor);

// Parameters `kind` (A to F) of a motor into `data`.
void drive_parameters(const struct drive *drive, enum hubo_parameters kind, uint8_t data[8]);
