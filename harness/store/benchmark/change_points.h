// Where a series of values changed for good: change points, by the method of Hunter (Fleming et al.
// 2023, doi 10.1145/3578244.3583719), which is now Apache Otava. Pure, but for the memory.
//
// A series is split where the two sides differ most, by the energy distance of Matteson and James
// (2014, arXiv 1306.4933), as long as Student's t says that they do: first with ten times the
// chance of a false alarm, then points are taken away again, the weakest first, until each is
// significant and matters beside its neighbours.
#pragma once

#include <stddef.h>

#include "base/status.h"

#define CHANGE_VALUES_MAX 400 // of a series; its cost grows with the cube
#define CHANGE_ALPHA 0.001    // chance of a false alarm of one point, as Otava has it

struct change_point {
    size_t index;         // of the first value after it
    double before, after; // means of the stretches at both sides, up to the next points
    double p;             // of a difference as large without a change
};

// The points of a series of finite values, in its order, at most n; `point` has room for so many.
// `relevant`: a share of the mean before; what changed less is no point. INVALID: too many values.
enum status change_points(const double *value, size_t n, double relevant,
                          struct change_point *point, size_t *count) MUST_CHECK;
