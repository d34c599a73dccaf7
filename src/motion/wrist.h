// Hybrid control of a wrist that pulls a hose: forward and up it gives way like a mass in a viscous
// medium, sideways and in orientation it stays where it is relative to the waist. Pure; SI units.
//
//   m a + c v = f - f_d - f_pull,   f_pull = beta v_ref in double support, else 0
//
// Ramirez-Alpizar et al., Humanoids 2016, equations (1), (2). f is the force of the hose ON the
// wrist: pulled back, f_x < 0. With that sign f_d < 0, too, and pulling harder needs beta < 0. The
// law has no stiffness, so a wrong f_d lets the wrist creep: a slow leak brings it back, and its
// reach is clamped.
#pragma once

#include <stdbool.h>

enum wrist_axis { WRIST_X, WRIST_Z, WRIST_AXES };

struct wrist_parameters {
    double mass_kg, damping_Ns_m; // positive
    double reach_m;               // largest distance of each axis from where it is held
    double leak_1_s;              // share of that distance that it returns each second
    double beta_Ns_m;             // of the pull, negative
    double reference_max_m_s;     // no robot is told to walk faster: more is not believed
};
extern const struct wrist_parameters wrist_parameters_default;

struct wrist {
    double shift_m[WRIST_AXES], velocity_m_s[WRIST_AXES];
};

// The pull desired besides, in N: of (2). 0 for a speed that cannot be.
double wrist_pull_N(const struct wrist_parameters *parameters, double reference_m_s,
                    bool both_feet);

// Goes on by period_s (positive). A force that is not finite leaves the wrist where it is. At the
// end of its reach it stops, and does not stick.
void wrist_step(struct wrist *wrist, const struct wrist_parameters *parameters,
                const double force_N[WRIST_AXES], const double desired_N[WRIST_AXES], double pull_N,
                double period_s);

// Force at the grip, grip_m below a sensor that gives the moments about x and y and the force along
// z of its own frame.
void wrist_grip_force(double moment_x_Nm, double moment_y_Nm, double force_z_N, double grip_m,
                      double force_N[3]);

// What the moment of a sensor of six axes has beside that of its force at the grip: 0 of a hose,
// but for the hand's own weight, more where an axis says something else.
void wrist_grip_moment(const double force_N[3], const double moment_Nm[3], double grip_m,
                       double rest_Nm[3]);
