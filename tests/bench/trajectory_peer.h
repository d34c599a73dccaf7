// What trajectory_bench measures motions against: a shared object with these functions.
#pragma once

#include "motion/trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif

// Takes a problem. False: it does not know problems of this kind.
bool peer_take(const struct trajectory_problem *problem);

// Solves it. The duration, NAN if it fails.
double peer_solve(void);

#ifdef __cplusplus
}
#endif
