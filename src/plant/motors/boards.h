// The motor boards of the simulated HUBO2: they track references, hold the last one for ever, and
// answer requests.
//
// A new reference is approached in a straight line from the present set point over the time in
// which references are expected to follow one another, then held. Loops are on and joints are homed
// from the start. Finger boards take PWM: their fingers are kinematic, a first-order lag towards
// the share of the joint's range. Pure of clocks and buses: frames come in with their time, replies
// go out. Real-time safe after boards_create.
#pragma once

#include "can/can.h"
#include "model/description.h"
#include "plant/physics.h"

#define BOARD_INTERPOLATION_DEFAULT_NS 10000000
#define FINGER_TIME_CONSTANT_S 0.15

struct boards; // opaque; owned by the caller

// `motor` has one entry per joint and stays valid while the boards live: boards set set point and
// enabling, the physics the rest.
enum status boards_create(const struct description *description, struct motor *motor,
                          struct boards **boards) MUST_CHECK;
void boards_free(struct boards *boards);

// The time in which a new reference is approached, positive; before the first frame.
void boards_interpolate(struct boards *boards, duration interpolation);

// Before the first frame: encoder replies of boards with one channel have 4 bytes, not 8.
void boards_brief_encoders(struct boards *boards);

// Before the first frame: no joint but the fingers is homed; encoders count from where they are.
void boards_unhome(struct boards *boards);

// Writes the set points that hold at time t into the motors, and moves the fingers there. t must
// not go back.
void boards_update(struct boards *boards, instant t);

// The board (its index in the description) that a frame on `bus` is for, or -1.
int boards_addressee(const struct boards *boards, unsigned bus, const struct can_frame *frame);

// The board takes a frame that is for it. Returns whether it answers with *reply.
bool boards_receive(struct boards *boards, unsigned board, const struct can_stamped *frame,
                    struct can_frame *reply);

// The board starts anew at t, as after a loss of its supply: its loops are off, and so its joints
// are free, until its host switches them on; references that had not been reached are forgotten.
void boards_reset(struct boards *boards, unsigned board, instant t);
