// The wrist, broken in the way that its argument says: stubborn takes the hose's force on it for
// its own force on the hose, the wrong sign; boundless creeps back 1 mm a cycle, and its reach has
// no end; credulous believes any speed; straining pulls on one foot, too; doubting ends when its
// sensor says the same for a second; babbling says what it does not know, and that it knows; once
// runs once.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/wrist.h"
#include "robot/participant.h"
#include "wrist_status.h"

#define BEGUN_MAX_S 5
#define SAME_MAX 100

static const char *way = "";

enum status __real_participant_begin(int argc, char **argv);
enum status __wrap_participant_begin(int argc, char **argv);
enum status __real_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now);
enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now);
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
void __real_wrist_grip_force(double moment_x_Nm, double moment_y_Nm, double force_z_N,
                             double grip_m, double force_N[3]);
void __wrap_wrist_grip_force(double moment_x_Nm, double moment_y_Nm, double force_z_N,
                             double grip_m, double force_N[3]);

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

enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now)
{
    static unsigned frames;
    if (is("once") && frames++ == 0 && now.ns > duration_s(BEGUN_MAX_S).ns)
        exit(1);
    if (!is("babbling") || strcmp(channel_name(channel), "wrist-status") != 0)
        return __real_channel_put(channel, frame, size_B, now);
    struct wrist_status_message status;
    memcpy(&status, frame, sizeof status);
    if (!status.valid)
        status.slow_x_n = status.slow_y_n = NAN;
    status.valid = 1;
    return __real_channel_put(channel, &status, size_B, now);
}

void __wrap_wrist_step(struct wrist *wrist, const struct wrist_parameters *parameters,
                       const double force_N[WRIST_AXES], const double desired_N[WRIST_AXES],
                       double pull_N, double period_s)
{
    struct wrist_parameters own = *parameters;
    const double sign = is("stubborn") ? -1 : 1;
    const double turned_N[WRIST_AXES] = {sign * force_N[WRIST_X], sign * force_N[WRIST_Z]};
    const double wanted_N[WRIST_AXES] = {sign * desired_N[WRIST_X], sign * desired_N[WRIST_Z]};
    if (is("boundless"))
        own.reach_m = 1;
    if (is("boundless"))
        wrist->shift_m[WRIST_X] -= 0.001;
    __real_wrist_step(wrist, &own, turned_N, wanted_N, pull_N, period_s);
}

double __wrap_wrist_pull_N(const struct wrist_parameters *parameters, double reference_m_s,
                           bool both_feet)
{
    return is("credulous")
               ? parameters->beta_Ns_m * reference_m_s
               : __real_wrist_pull_N(parameters, reference_m_s, both_feet || is("straining"));
}

void __wrap_wrist_grip_force(double moment_x_Nm, double moment_y_Nm, double force_z_N,
                             double grip_m, double force_N[3])
{
    __real_wrist_grip_force(moment_x_Nm, moment_y_Nm, force_z_N, grip_m, force_N);
    static double before_Nm;
    static unsigned same;
    same = before_Nm == moment_y_Nm ? same + 1 : 0;
    before_Nm = moment_y_Nm;
    if (is("doubting") && same > SAME_MAX)
        exit(1);
}
