#include "motion/wrist.h"

#include <math.h>

const struct wrist_parameters wrist_parameters_default = {.mass_kg = 25,
                                                          .damping_Ns_m = 800,
                                                          .reach_m = 0.10,
                                                          .leak_1_s = 0.2,
                                                          .beta_Ns_m = -15,
                                                          .reference_max_m_s = 0.2};

double wrist_pull_N(const struct wrist_parameters *parameters, double reference_m_s, bool both_feet)
{
    const bool can_be = fabs(reference_m_s) <= parameters->reference_max_m_s; // no NaN can
    return both_feet && can_be ? parameters->beta_Ns_m * reference_m_s : 0;
}

// Exact for a constant force: v approaches force / c with the time constant m / c.
static void go_on(double *shift_m, double *velocity_m_s, const struct wrist_parameters *p,
                  double force_N, double period_s)
{
    const double decay = exp(-p->damping_Ns_m / p->mass_kg * period_s);
    const double end_m_s = force_N / p->damping_Ns_m;
    const double away_m_s = *velocity_m_s - end_m_s;
    *shift_m += end_m_s * period_s + away_m_s * p->mass_kg / p->damping_Ns_m * (1 - decay);
    *velocity_m_s = end_m_s + away_m_s * decay;
    *shift_m *= exp(-p->leak_1_s * period_s);
    if (fabs(*shift_m) > p->reach_m) {
        *shift_m = copysign(p->reach_m, *shift_m);
        *velocity_m_s = 0;
    }
}

void wrist_step(struct wrist *wrist, const struct wrist_parameters *parameters,
                const double force_N[WRIST_AXES], const double desired_N[WRIST_AXES], double pull_N,
                double period_s)
{
    for (int i = 0; i < WRIST_AXES; i++) {
        const double net_N = force_N[i] - desired_N[i] - (i == WRIST_X ? pull_N : 0);
        if (isfinite(net_N))
            go_on(&wrist->shift_m[i], &wrist->velocity_m_s[i], parameters, net_N, period_s);
        else
            wrist->velocity_m_s[i] = 0;
    }
}

void wrist_grip_force(double moment_x_Nm, double moment_y_Nm, double force_z_N, double grip_m,
                      double force_N[3])
{
    force_N[0] = -moment_y_Nm / grip_m;
    force_N[1] = moment_x_Nm / grip_m;
    force_N[2] = force_z_N;
}

void wrist_grip_moment(const double force_N[3], const double moment_Nm[3], double grip_m,
                       double rest_Nm[3])
{
    rest_Nm[0] = moment_Nm[0] - grip_m * force_N[1];
    rest_Nm[1] = moment_Nm[1] + grip_m * force_N[0];
    rest_Nm[2] = moment_Nm[2];
}
