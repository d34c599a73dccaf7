// Motions of several joints through way points, without stopping there: with which velocities and
// accelerations they are passed, so that the whole takes little time.
//
// Between two way points the motion is trajectory.h's, with its synchronization, ranges and period.
// What is sought is found by trying: velocities and accelerations, of all joints along the way and
// of each joint alone, are changed by ever smaller steps while that saves time. So the answer is
// never slower than resting at each way point, and a local optimum.
//
// Pure, without allocation, and bounded in time; but it plans each part some thousand times: not
// for real-time loops.
#pragma once

#include "motion/trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WAYPOINTS_MAX 32

struct waypoints_problem {
    struct trajectory_problem ends; // from the first state to the last; times: of each part
    unsigned count;                 // of way points between them, at most WAYPOINTS_MAX
    const double *position;         // of way point k, joint i: [k * ends.count + i]
};

// Into `passed`, like `position`: the states at the way points. What trajectory_plan makes of one
// and the next is the motion; *duration_s is how long all of them take.
enum trajectory_refusal waypoints_plan(const struct waypoints_problem *problem,
                                       struct motion_state *passed, double *duration_s,
                                       unsigned *culprit);

// Part k, 0 to count, of the motion: from one state to the next.
struct trajectory_problem waypoints_part(const struct waypoints_problem *problem,
                                         const struct motion_state *passed, unsigned k);

#ifdef __cplusplus
}
#endif
