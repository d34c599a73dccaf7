// One joint from one state to another in a given time, with one knee in its velocity.
//
// Lima et al., "Humanoid Robot Simulation with a Joint Trajectory Optimized Controller", section 4:
// the velocity is linear in two pieces and has a knee (t_m, w_m), which lies on the line
//   w_m = w_1 + h + s (t_m - t_1)   (2), (4)   s = (w_2 - w_1) / T, h = 2 (q_2 - q_1) / T - w_1 -
//   w_2
// where T = t_2 - t_1. (As printed, (2) has w_1 times T/2; it must be w_1 (t_m - t_1) / 2, and so
// in (1).) The methods choose t_m.
//
// Pure and real-time safe. Any unit of angle; times in s.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum knee_method {
    KNEE_ACCELERATION_MIN, // |a_1| = |a_2|: (10), (11)
    KNEE_VELOCITY_MIN,     // to the line as fast as a_max allows: (12)
    KNEE_ENERGY_MIN,       // least energy, of one of the kinds below
};

// What "energy" may mean, and what the least of it is.
enum knee_energy {
    KNEE_ELECTRICAL, // copper loss, in proportion to the integral of a^2: t_m in the middle
    KNEE_PAPER,      // (14), (16): the second piece starts at w_2 in place of w_m; so w_m = w_2
    KNEE_WORK,       // integral of P = I a w: the same for every t_m
    KNEE_ABSOLUTE,   // integral of |P|
};

struct knee_problem {
    double t1_s, t2_s;       // t1 < t2
    double q1, q2;           // angles
    double w1, w2;           // velocities
    double acceleration_max; // > 0; INFINITY: no limit, which KNEE_VELOCITY_MIN cannot use
};

enum knee_refusal {
    KNEE_OK,
    KNEE_NOT_FINITE, // a number is not finite (acceleration_max may be, but where it is used), or
                     // acceleration_max is not positive
    KNEE_NO_TIME,    // t1 >= t2
    KNEE_TOO_WEAK,   // acceleration_max is too small for this motion by this method
};

struct knee {
    double tm_s, wm; // t1 <= tm <= t2
    double a1, a2;   // of a piece without length: 0
};

// Chooses the knee. Whatever is not OK leaves *knee alone. `energy` matters to KNEE_ENERGY_MIN
// only.
enum knee_refusal knee_plan(const struct knee_problem *problem, enum knee_method method,
                            enum knee_energy energy, struct knee *knee);

// Why, and the remedy.
const char *knee_refusal_text(enum knee_refusal refusal);

// Angle and velocity at t, t1 <= t <= t2: (5), (6). Exactly q2 and w2 at t2.
void knee_state(const struct knee_problem *problem, const struct knee *knee, double t_s, double *q,
                double *w);

// Energy of a motion about a moment of inertia of 1, in angle^2 / s^2; KNEE_ELECTRICAL: the
// integral of a^2, in angle^2 / s^3.
double knee_cost(const struct knee_problem *problem, const struct knee *knee,
                 enum knee_energy energy);

#ifdef __cplusplus
}
#endif
