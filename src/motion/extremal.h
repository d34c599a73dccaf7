// The farthest that one joint gets in a given time, and how.
//
// Given a start (v0, a0), an end (v1, a1), bounds of velocity, acceleration and jerk, and a time T:
// of all motions that keep the bounds, the one that ends farthest ahead. Its jerk is +J, 0, -J, 0
// (cruising at v_max), -J, 0, +J (any part may be missing). The farthest back is its mirror image.
// What lies between the two is reached by mixing them: constraints are convex. So a distance can be
// covered in the time T if and only if it lies between the two; least times, blocked intervals of
// time and synchronised motions all follow from these two functions of T.
//
// The farthest back is the farthest ahead of the mirrored problem.
//
// Pure and real-time safe. Angles in rad or any other unit; times in s. Jerk may be unbounded: then
// accelerations at the ends are not looked at. Acceleration or velocity may be unbounded.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct motion_bounds {
    double velocity, acceleration, jerk; // > 0, INFINITY: none; acceleration or jerk is bounded
};

struct motion_state {
    double position, velocity, acceleration;
};

// Pieces of constant jerk (of constant acceleration, if jerk is unbounded).
#define EXTREMAL_PIECES_MAX 7
struct extremal_piece {
    double duration_s, acceleration, jerk; // acceleration: at its beginning
};

struct extremal {
    double time_s, distance;
    double slope; // d distance / d T: what more time is worth
    unsigned count;
    struct extremal_piece piece[EXTREMAL_PIECES_MAX];
};

// One problem, prepared. Start and end keep the bounds, and velocities do when the acceleration has
// come to rest.
struct extremal_problem {
    struct motion_bounds bounds;
    double v0, a0, v1, a1;
    double least_s, least_distance; // least T, and where it leads
    double gap_from_s,
        gap_to_s;           // no motion takes a time between these; INFINITY: all times will do
    double cruise_s;        // from this T on the greatest velocity is held; INFINITY: never
    double cruise_distance; // at that T
};

void extremal_prepare(struct extremal_problem *problem, const struct motion_bounds *bounds,
                      const struct motion_state *start, const struct motion_state *end);

// The same with all signs of start and end changed: what it does ahead, the other does back.
void extremal_mirror(const struct extremal_problem *problem, struct extremal_problem *mirrored);

// The motion for a time that some motion takes.
void extremal_at(const struct extremal_problem *problem, double time_s, struct extremal *motion);

// Times, in no order, at which the distance as a function of T may change between convex and
// concave, beside gap_to_s and cruise_s. Some may be out of the question. Returns how many.
#define EXTREMAL_BENDS_MAX 3
unsigned extremal_bends(const struct extremal_problem *problem, double bend_s[EXTREMAL_BENDS_MAX]);

#ifdef __cplusplus
}
#endif
