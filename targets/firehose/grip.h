// What the left hand's sensor says about the force at the grip, and who doubts it: wrist and whole
// body. Real-time safe.
#pragma once

#include "message/message.h"
#include "model/arm_ik.h"

#define GRIP_M 0.0707     // the hand's grip below its sensor
#define GRIP_SLOW_S 0.3   // low pass of the force that the robot leans against
#define GRIP_CYCLE_S 0.01 // of a state

// Angles of the arm as the state tells them.
void grip_angles(const struct arm *arm, const struct state_message *state,
                 double angle_rad[ARM_JOINTS]);

// The force in the hand's frame, by the three numbers of the sensor's board. Whether the board
// knows it.
bool grip_force(const struct state_message *state, double hand_N[3]);

// The hose's force on the hand in the torso's frame, and the hand's place there.
struct grip {
    double now_N[3], slow_N[3]; // as it is, and low-passed
    double hand_m[2];
};

// A second look at the sensor, beside the wrist's: without tare, and without a word from others.
struct grip_look {
    const struct arm *arm;
    uint64_t cycle; // of the newest state
    struct grip seen;
    bool begun, valid;
};

// Takes a state, once.
void grip_look(struct grip_look *look, const struct state_message *state);

// Whether the low-passed force that somebody says can be. It is within 20 N of the sensor's, which
// makes no robot fall; or the sensor says nothing; or the sensor is the one that is farther from
// what was known before, for a low-passed force does not jump.
bool grip_can_be(const struct grip_look *look, const double said_N[3], const double before_N[3]);
