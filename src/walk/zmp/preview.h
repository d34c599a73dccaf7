// Preview control of the cart-table model: from a ZMP reference known some time ahead to a
// centre-of-mass motion.
//
// Model: centre of mass at height zc, state x = (position, velocity, acceleration), input jerk,
// output ZMP p = x0 - zc/g x2. The gains minimise sum Q e^2 + R (delta jerk)^2 on the incremental
// (integrating) system: Kajita et al., "Biped walking pattern generation by using preview control
// of zero-moment point", ICRA 2003; Katayama et al., Int. J. Control 41 (1985), eqs. 6-12.
#pragma once

#include "base/status.h"

#define PREVIEW_SAMPLES_MAX 400
#define PREVIEW_GRAVITY_M_S2 9.81

struct preview_gains {
    double period_s;
    double com_height_m;
    unsigned count; // samples looked ahead
    double state[3];
    double integral;
    double reference[PREVIEW_SAMPLES_MAX]; // of the references 1, 2, ... count samples ahead
};

// One axis of the moving cart.
struct preview_state {
    double com[3];    // position, velocity, acceleration
    double error_sum; // of ZMP - reference
};

// Solves the Riccati equation for a height, period and window (count x period). Not real-time
// (about a millisecond). INVALID: a number is not positive, or the window is longer than
// PREVIEW_SAMPLES_MAX periods.
enum status preview_compute(double com_height_m, double period_s, unsigned count, double q,
                            double r, struct preview_gains *gains) MUST_CHECK;

// Advances one axis by one period. reference[0] is for the present state, reference[1..count] lie
// ahead; after the window the reference is taken to stay at reference[count]. Real-time safe.
void preview_step(const struct preview_gains *gains, const double *reference,
                  struct preview_state *state);

// The same by the published law as it stands (Kajita 2003, eq. 21): what lies beyond the window
// counts as 0. While steps alternate this follows closer, as the far end does not jump with each of
// them; a reference far from 0 costs a little error while it moves. Real-time safe.
void preview_step_plain(const struct preview_gains *gains, const double *reference,
                        struct preview_state *state);

// Chooses the sum of errors so that preview_step_plain goes on without a jerk: for a cart that
// something else has moved. Real-time safe.
void preview_take_over(const struct preview_gains *gains, const double *reference,
                       struct preview_state *state);

// ZMP of a state.
double preview_zmp(const struct preview_gains *gains, const struct preview_state *state);
