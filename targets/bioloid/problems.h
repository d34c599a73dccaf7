// Problems of the program trajectory, one a line: numbers between blanks or tabs.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "motion/waypoints.h"

struct problem {
    struct trajectory_problem asked; // all but what the line says is the caller's
    struct motion_bounds bounds[TRAJECTORY_JOINTS_MAX];
    struct motion_range range[TRAJECTORY_JOINTS_MAX];
    bool ranges;
    bool through; // way points
    unsigned waypoints;
    double waypoint[WAYPOINTS_MAX * TRAJECTORY_JOINTS_MAX];
    struct motion_state start[TRAJECTORY_JOINTS_MAX], end[TRAJECTORY_JOINTS_MAX];
};

// The next number of a line, before a blank or the end; moves *at behind it.
bool problem_number(const char **at, double *number);

// Number of joints, then for each position, velocity and acceleration at the start and at the end,
// and the bounds of velocity, acceleration and jerk, which may be "inf"; with `ranges` the lowest
// and the highest position, too; with `through` after all joints the number of way points, and of
// each the position of each joint. False: *why says what is wrong.
bool problem_read(const char *line, struct problem *problem, const char **why);

// Solves it and prints its duration, or with `segments` a line for each joint, "dt jerk dt jerk
// ..." (dt acceleration, where jerk is unbounded), and an empty line; or "error ...". False: an
// error.
bool problem_answer(const struct problem *problem, bool segments, FILE *out);
