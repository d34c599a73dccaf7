// The fastest way along a given path, with bounds that are linear in acceleration and squared speed
// along it: those of joints' velocities, accelerations and torques are.
//
// A path is q(s). With u = s'' and x = s'^2, a joint's acceleration is q' u + q'' x, where ' of q
// is d/ds; its torque is (M q')_i u + (M q'' + C q' q')_i x + g_i. The points are passed backwards
// for the speeds from which the rest can be done, then forwards as fast as these allow (Pham and
// Pham, "A New Approach to Time-Optimal Path Parameterization Based on Reachability Analysis",
// 2018). u is constant between two points and keeps the rows of both.
//
// Pure and real-time safe: no allocation; the time it takes is bounded. Any unit of s; times in s.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PATH_ROWS_MAX 192 // three for each of 64 joints

struct path_row {
    double u, x;      // factors
    double low, high; // low <= factors <= high; may be infinite
};

struct path_point {
    double s;         // rising
    double speed_max; // of s', > 0; may be infinite
    unsigned rows;
    const struct path_row *row;
};

enum path_refusal {
    PATH_OK,
    PATH_NOT_SOUND, // fewer than two points, s that does not rise, a number that is not finite, too
                    // many rows, a negative speed
    PATH_BLOCKED,   // nothing keeps the rows at this point and the next, and leads on
    PATH_TOO_FAST,  // the path cannot be done from this speed at its start
    PATH_UNBOUNDED, // nothing bounds the speed
};

// speed[k]: s' at point k, time_s[k]: when. Whatever is not OK leaves rubbish there. *culprit: the
// point that is refused.
enum path_refusal path_plan(unsigned count, const struct path_point *point, double speed_start,
                            double speed_end, double *speed, double *time_s, unsigned *culprit);

// Why, and the remedy.
const char *path_refusal_text(enum path_refusal refusal);

#ifdef __cplusplus
}
#endif
