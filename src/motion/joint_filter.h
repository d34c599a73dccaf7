// Joint filter: turns one joint's commands into references that a high-gain motor board can be
// trusted with.
//
// The filter works in the discrete time in which references are sent: with the period T, every step
// chooses a velocity v' with |v' - v| <= a T and |v'| <= v_max and moves the reference to
// r' = r + v' T. So the finite differences of what the board receives keep the bounds exactly,
// whatever commands arrive at whatever rate.
// - position: the fastest approach from which the joint still stops at the goal, that is parabolic
//   smoothing (seed paper, Fig. 3).
// - velocity: a trapezoid towards the commanded velocity, which is held until the command expires;
//   then it winds down to rest.
// - passthrough: the command as it is, except that no reference ever passes a position limit.
// - none: slows down to rest and holds.
//
// In every filtered mode the joint slows down ahead of a position limit: with the acceleration of
// its command if possible, with up to acceleration_max if that command came too late. Modes may
// change at any time; reference and velocity go on from where they are.
//
// Pure and real-time safe. Angles in rad, times in s.
#pragma once

#include "base/status.h"
#include "base/time.h"
#include "message/message.h"

// Bounds of one joint. All are finite; position_min <= position_max; the others are > 0.
struct joint_limits {
    double position_min_rad, position_max_rad;
    double velocity_max_rad_s, acceleration_max_rad_s2;         // hold in every filtered mode
    double velocity_nominal_rad_s, acceleration_nominal_rad_s2; // where a command names none
    double acceleration_wind_down_rad_s2;                       // after a velocity command expired
};

struct joint_filter {
    enum joint_mode mode;
    double reference_rad;             // of the last step
    double velocity_rad_s;            // of the last step: (r' - r) / T
    double target;                    // position or passthrough: rad; velocity: rad/s
    double velocity_rad_s_bound;      // of the present command
    double acceleration_rad_s2_bound; // of the present command
    instant expires;                  // velocity mode
};

// Starts (again) at rest at a measured position, in mode NONE. A position outside the limits is
// moved to the nearer limit.
void joint_filter_restart(struct joint_filter *filter, const struct joint_limits *limits,
                          double position_rad);

// Goes on from another reference (what the board really holds) and velocity with the same command.
void joint_filter_resume(struct joint_filter *filter, const struct joint_limits *limits,
                         double reference_rad, double velocity_rad_s);

// Takes up a command. velocity_nominal and acceleration_nominal of 0 stand for the limits' nominal
// values; larger ones than the maximum are clipped to it. `expires` is used in velocity mode only.
// INVALID, and nothing is changed, if a number is not finite or negative where it must not be, or
// the mode is unknown.
enum status joint_filter_command(struct joint_filter *filter, const struct joint_limits *limits,
                                 const struct joint_command *command, instant expires) MUST_CHECK;

// One step of period_s > 0; `now` decides whether a velocity command has expired. Returns the new
// reference.
double joint_filter_step(struct joint_filter *filter, const struct joint_limits *limits,
                         double period_s, instant now);

// Largest speed of the next step from which a joint that changes its speed by at most
// `acceleration_rad_s2` x period in each step stops within distance_rad, this step included. 0 for
// distance_rad <= 0.
double joint_filter_stopping_speed(double distance_rad, double acceleration_rad_s2,
                                   double period_s);
