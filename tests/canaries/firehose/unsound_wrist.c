// The wrist, broken in the way that its argument says: stubborn takes the hose's force on it for
// its own force on the hose, the wrong sign; boundless creeps back 1 mm a cycle, and its reach has
// no end; credulous believes any speed; straining pulls on one foot, too.
#include <string.h>

#include "motion/wrist.h"
#include "robot/participant.h"

static const char *way = "";

enum status __real_participant_begin(int argc, char **argv);
enum status __wrap_participant_begin(int argc, char **argv);
void __real_wrist_step(struct wrist *wrist, const struct wrist_parameters *parameters,
                       const double force_N[WRIST_AXES], const double desired_N[WRIST_AXES],
                       double pull_N, double period_s);
void __wrap_wrist_step(struct wrist *wrist, const struct wrist_parameters *parameters,
                       const double force_N[WRIST_AXES], const double desired_N[WRIST_AXES],
                       double pull_N, double period_s);
double __real_wrist_pull_N(const struct wrist_parameters *parameters, double reference_m_s,
                           bool both_feet);
double __wrap_wrist_pull_N(const struct wrist_parameters *parameters, double reference_m_s,
                           bool both_feet);

static bool is(const char *word)
{
    return strcmp(way, word) == 0;
}

enum status __wrap_participant_begin(int argc, char **argv)
{
    if (argc > 1)
        way = argv[1];
    return __real_participant_begin(1, argv);
}

void __wrap_wrist_step(struct wrist *wrist, const struct wrist_parameters *parameters,
                       const double force_N[WRIST_AXES], const double desired_N[WRIST_AXES],
                       double pull_N, double period_s)
{
    struct wrist_parameters own = *parameters;
    const double sign = is("stubborn") ? -1 : 1;
    const double turned_N[WRIST_AXES] = {sign * force_N[WRIST_X], sign * force_N[WRIST_Z]};
    const double wanted_N[WRIST_AXES] = {sign * desired_N[WRIST_X], sign * desired_N[WRIST_Z]};
    if (is("boundless")) {
        own.reach_m = 1;
        wrist->shift_m[WRIST_X] -= 0.001;
    }
    __real_wrist_step(wrist, &own, turned_N, wanted_N, pull_N, period_s);
}

double __wrap_wrist_pull_N(const struct wrist_parameters *parameters, double reference_m_s,
                           bool both_feet)
{
    struct wrist_parameters own = *parameters;
    if (is("credulous"))
        own.reference_max_m_s = 1e9;
    return __real_wrist_pull_N(&own, reference_m_s, both_feet || is("straining"));
}
