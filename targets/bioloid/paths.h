// A path of the program trajectory, in lines of numbers between blanks or tabs: first the number of
// joints and for each joint the greatest velocity, acceleration and torque (or inf); then a line
// for each point, s and for each joint dq/ds, d2q/ds2, and m, c, g of its torque m s'' + c s'^2 +
// g.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#define PATHS_POINTS_MAX 100000

// Finds the fastest way along it from rest to rest (motion/path.h) and prints a line for each
// point: time, s, speed. False, reported with `name`, line and remedy: the input is wrong, or it
// cannot be done.
bool paths_answer(FILE *in, const char *name, FILE *out);
