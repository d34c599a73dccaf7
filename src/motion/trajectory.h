// Motions of several joints from any state to any state in the least time, with bounded velocity,
// acceleration and jerk, all arriving together.
//
// A start outside the bounds is first brought back with the greatest jerk and acceleration. Then
// each joint's possible times follow from its extremal motions (extremal.h). The duration is the
// least that all joints can take; a joint that could be faster moves along a mixture of its
// farthest motions, ahead and back, of that duration, which keeps all bounds.
//
// A joint with a range of positions touches one of its limits once, if that is faster than coming
// to rest before; of several joints one may have to wait at rest, so that the duration may then not
// be the least.
//
// Sampled at its period, a motion keeps the bounds in finite differences, too: these are means of
// velocity, acceleration and jerk.
//
// Pure and real-time safe: no allocation; the time it takes is bounded.
#pragma once

#include "motion/extremal.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TRAJECTORY_PIECES_MAX 40
#define TRAJECTORY_JOINTS_MAX 64

enum trajectory_refusal {
    TRAJECTORY_OK,
    TRAJECTORY_NOT_FINITE,    // a state, or a bound that is not positive; or neither acceleration
                              // nor jerk is bounded
    TRAJECTORY_START_OUTSIDE, // the start is outside the bounds, which is forbidden
    TRAJECTORY_END_OUTSIDE,   // the end is outside the bounds, or cannot be reached within them
    TRAJECTORY_NOT_STRAIGHT,  // in phase: the states are not on one line
    TRAJECTORY_OUT_OF_RANGE,  // no motion that stays within the range of positions is known
    TRAJECTORY_ILL_POSED,     // rounding hides the answer
};

struct motion_range {
    double low, high; // positions; infinite: no limit
};

enum trajectory_goal {
    TRAJECTORY_TO_STATE,
    TRAJECTORY_TO_VELOCITY, // and acceleration, at whatever position
};

enum trajectory_synchronization {
    TRAJECTORY_IN_TIME,  // all joints arrive together
    TRAJECTORY_IN_PHASE, // and move in proportion: on a straight line
};

// Of `count` joints each, at most TRAJECTORY_JOINTS_MAX. What is left out is 0.
struct trajectory_problem {
    unsigned count;
    const struct motion_bounds *bounds;
    const struct motion_state *start, *end;
    const struct motion_range *range; // NULL: none
    enum trajectory_goal goal;
    enum trajectory_synchronization synchronization;
    double duration_min_s;
    double period_s;   // the duration is a multiple of it; 0: any
    bool start_inside; // a start outside the bounds is refused
};

// The motion of one joint.
struct trajectory {
    struct motion_state start, end;
    double duration_s;
    unsigned count;
    struct extremal_piece piece[TRAJECTORY_PIECES_MAX];
};

// Why, and the remedy.
const char *trajectory_refusal_text(enum trajectory_refusal refusal);

// Plans trajectory[count], all of the same duration, the least possible one of at least
// duration_min_s. *culprit: the joint that is refused.
enum trajectory_refusal trajectory_plan(const struct trajectory_problem *problem,
                                        struct trajectory *trajectory, unsigned *culprit);

// Where the joint is at t; before the start and after the end it is taken to move on with constant
// velocity and acceleration, respectively.
struct motion_state trajectory_at(const struct trajectory *trajectory, double t_s);

#ifdef __cplusplus
}
#endif
