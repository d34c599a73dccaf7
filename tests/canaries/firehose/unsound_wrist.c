// The wrist, broken in the way that its argument says: stubborn takes the hose's force on it for
// its own force on the hose, the wrong sign; boundless creeps back 1 mm a cycle, and its reach has
// no end; credulous believes any speed; straining pulls on one foot, too; doubting ends when its
// sensor says the same for a second; babbling says what it does not know, and that it knows; once
// runs once; drowsy ends when it wakes too late; greedy wants twice the force that it should;
// twisting turns the hand; shaking moves it to and fro; trusting believes six axes that disagree.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message/message.h"
#include "motion/wrist.h"
#include "robot/participant.h"
#include "wrist_status.h"

#define BEGUN_MAX_S 5
#define SAME_MAX 100
#define LATE_MAX_S 0.5
#define TWIST_RAD 0.2
#define SHAKE_M 0.03
#define SHAKE_RAD_S 12

static const char *way = "";

bool __real_wrist_words(char **words, struct wrist_parameters *parameters, double *desired_N);
bool __wrap_wrist_words(char **words, struct wrist_parameters *parameters, double *desired_N);
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

void __real_wrist_grip_moment(const double force_N[3], const double moment_Nm[3], double grip_m,
                              double rest_Nm[3]);
void __wrap_wrist_grip_moment(const double force_N[3], const double moment_Nm[3], double grip_m,
                              double rest_Nm[3]);

static bool is(const char *word)
{
    return strcmp(way, word) == 0;
}

bool __wrap_wrist_words(char **words, struct wrist_parameters *parameters, double *desired_N)
{
    if (*words != NULL)
        way = *words;
    return __real_wrist_words(&(char *){NULL}, parameters, desired_N);
}

static void end_if_late(instant now)
{
    static instant last;
    const bool first = last.ns == 0;
    if ((is("once") && first && now.ns > duration_s(BEGUN_MAX_S).ns) ||
        (is("drowsy") && !first && instant_sub(now, last).ns > duration_s(LATE_MAX_S).ns))
        exit(1);
    last = now;
}

static void misstate(struct wrist_status_message *status)
{
    for (int i = 0; is("greedy") && i < 3; i++)
        status->desired_n[i] *= 2;
    if (is("babbling") && !status->valid)
        status->slow_x_n = status->slow_y_n = NAN;
    if (is("babbling"))
        status->valid = 1;
}

static void misplace(struct arm_goal *goal, instant now)
{
    double *const q = goal->quaternion;
    const double c = cos(TWIST_RAD / 2), s = sin(TWIST_RAD / 2), w = q[0], x = q[1], y = q[2];
    if (is("shaking"))
        goal->position_m[0] += SHAKE_M * sin(SHAKE_RAD_S * (double)now.ns * 1e-9);
    if (is("twisting") && now.ns > duration_s(BEGUN_MAX_S).ns) { // about the hand's x
        q[0] = c * w - s * x;
        q[1] = c * x + s * w;
        q[2] = c * y + s * q[3];
        q[3] = c * q[3] - s * y;
    }
}

enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now)
{
    union {
        struct wrist_status_message status;
        struct manipulation_command_message command;
    } own;
    end_if_late(now);
    memcpy(&own, frame, size_B);
    if (strcmp(channel_name(channel), "wrist-status") == 0)
        misstate(&own.status);
    if (strcmp(channel_name(channel), "manipulation-command") == 0)
        misplace(&own.command.arm[SIDE_LEFT], now);
    return __real_channel_put(channel, &own, size_B, now);
}

void __wrap_wrist_step(struct wrist *wrist, const struct wrist_parameters *parameters,
                       const double force_N[WRIST_AXES], const double desired_N[WRIST_AXES],
                       double pull_N, double period_s)
{
    struct wrist_parameters own = *parameters;
    const double sign = is("stubborn") ? -1 : 1;
    const double turned_N[WRIST_AXES] = {sign * force_N[WRIST_X], sign * force_N[WRIST_Z]};
    const double want = is("greedy") ? 2 : sign;
    const double wanted_N[WRIST_AXES] = {want * desired_N[WRIST_X], want * desired_N[WRIST_Z]};
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

void __wrap_wrist_grip_moment(const double force_N[3], const double moment_Nm[3], double grip_m,
                              double rest_Nm[3])
{
    __real_wrist_grip_moment(force_N, moment_Nm, grip_m, rest_Nm);
    if (is("trusting"))
        memset(rest_Nm, 0, 3 * sizeof *rest_Nm);
}
