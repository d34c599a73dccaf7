// The trajectory controller's core: for each servo the motion to what was asked, and its reference
// at any instant. Pure and real-time safe.
//
// Angles, velocities and times that are asked become motions with one knee (motion/knee.h). What
// that way would need more acceleration than the servos have is done in the least time instead
// (motion/trajectory.h), and counted as late.
#pragma once

#include "joint_request.h"
#include "model/movement.h"
#include "motion/knee.h"
#include "motion/trajectory.h"

#define JOINTS_WAITING_MAX 16

struct joints_limits {
    enum knee_method method;
    double velocity_max_rad_s, acceleration_max_rad_s2;
    enum knee_energy energy; // of KNEE_ENERGY_MIN
    bool jumps; // no motions: a joint is commanded to where it shall be as soon as it may start
};

struct joints {
    struct joints_limits limits;
    uint32_t known; // bit n: servo n has a reference
    uint32_t begun; // bit n: servo n has begun a motion at the last joints_advance
    struct joint {
        enum { JOINT_HOLDS, JOINT_KNEE, JOINT_LATE } mode;
        struct knee_problem problem;
        struct knee knee;
        struct trajectory trajectory;
        double from_s;                    // of the trajectory
        double angle_rad, velocity_rad_s; // at joints_advance
        uint32_t slope;                   // of the compliance, as asked last; 0: never
    } joint[MOVEMENT_SERVOS];
    double now_s; // of the last joints_advance
    unsigned waiting_count;
    struct joint_request_message waiting[JOINTS_WAITING_MAX]; // in order of their start
    uint32_t late, refused; // servos asked for what is too fast; requests dropped
};

void joints_start(struct joints *joints, const struct joints_limits *limits);

// A servo that has no reference yet holds this angle.
void joints_hold(struct joints *joints, unsigned servo, double angle_rad);

// The servo has no reference any more.
void joints_forget(struct joints *joints, unsigned servo);

// Keeps a request until its start. One that is not finite, ends before it starts or finds no room
// is refused.
void joints_ask(struct joints *joints, const struct joint_request_message *request);

// Moves on to t, which never goes back: `angle_rad` and `velocity_rad_s` of each joint.
void joints_advance(struct joints *joints, double t_s);
