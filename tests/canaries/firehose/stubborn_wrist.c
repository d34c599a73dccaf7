// The wrist, except that it takes the hose's force on it for its own force on the hose: the wrong
// sign.
#include "motion/wrist.h"

void __real_wrist_step(struct wrist *wrist, const struct wrist_parameters *parameters,
                       const double force_N[WRIST_AXES], const double desired_N[WRIST_AXES],
                       double pull_N, double period_s);
void __wrap_wrist_step(struct wrist *wrist, const struct wrist_parameters *parameters,
                       const double force_N[WRIST_AXES], const double desired_N[WRIST_AXES],
                       double pull_N, double period_s);

void __wrap_wrist_step(struct wrist *wrist, const struct wrist_parameters *parameters,
                       const double force_N[WRIST_AXES], const double desired_N[WRIST_AXES],
                       double pull_N, double period_s)
{
    const double turned_N[WRIST_AXES] = {-force_N[WRIST_X], -force_N[WRIST_Z]};
    const double wanted_N[WRIST_AXES] = {-desired_N[WRIST_X], -desired_N[WRIST_Z]};
    __real_wrist_step(wrist, parameters, turned_N, wanted_N, pull_N, period_s);
}
