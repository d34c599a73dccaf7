// controller: follows trajectories of the joints and commands the servos; see
// doc/bioloid.md.
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "dynamixel/packet.h"
#include "motion_plan.h"
#include "robot/participant.h"
#include "servo_command.h"
#include "servo_state.h"
#include "targets/bioloid/joints.h"

#define PERIOD_DEFAULT_US 10000
#define PERIOD_MIN_US 1000
#define PERIOD_MAX_US 100000
#define DEGREE (3.14159265358979323846 / 180)
// What the paper measured (section 4.1) is 281 deg/s and 1400 deg/s^2 from rest; motors brake and
// turn round faster than that.
#define VELOCITY_MAX_RAD_S (281 * DEGREE)
#define ACCELERATION_MAX_RAD_S2 (2800 * DEGREE)

#define MISSED_MAX 5           // periods that may go by without one
#define RELEASED_NS 2000000000 // a servo that has shut itself down, at least
#define SHUTDOWN_ERRORS (DXL_ERROR_OVERHEAT | DXL_ERROR_OVERLOAD)

struct controller {
    struct joints joints;
    uint32_t released;                          // bit n: the motor of servo n is off for its alarm
    int64_t released_until_ns[MOVEMENT_SERVOS]; // and stays so
    duration period;
    instant woke;
    struct channel *command, *state, *request, *plan;
    struct clk *clk;
};

// A servo that says that it has shut itself down gets its motor switched off, so that it does not
// jump when its alarm is over. It is driven again after a while, from where it is then; an overload
// does not go before that.
static void heed_alarm(struct controller *controller, unsigned servo, uint32_t error,
                       int64_t now_ns)
{
    const uint32_t bit = 1u << servo;
    const uint32_t holds =
        error & (controller->released & bit ? DXL_ERROR_OVERHEAT : SHUTDOWN_ERRORS);
    if (holds != 0) {
        joints_forget(&controller->joints, servo);
        controller->released |= bit;
        controller->released_until_ns[servo] = now_ns + RELEASED_NS;
    } else if (now_ns >= controller->released_until_ns[servo])
        controller->released &= ~bit;
}

// Nobody knows where the joints are after it has been stopped: they are held where they are found.
static void watch_time(struct controller *controller, instant now)
{
    const instant due =
        instant_add(controller->woke, duration_ns(MISSED_MAX * controller->period.ns));
    if (instant_before(due, now)) {
        for (unsigned i = 1; i < MOVEMENT_SERVOS; i++)
            joints_forget(&controller->joints, i);
        controller->joints.now_s = instant_to_s(now); // no motion begins while it was stopped
    }
    controller->woke = now;
}

// The first angle that a servo tells is where it is held.
static void take_state(struct controller *controller)
{
    struct servo_state_message state;
    const enum status got =
        channel_get(controller->state, &state, sizeof state, CHANNEL_NEWEST, NULL);
    if (got != STATUS_OK && got != STATUS_MISSED)
        return;
    for (unsigned i = 1; i < MOVEMENT_SERVOS; i++) {
        if ((state.servos & 1u << i) == 0 || !isfinite(state.position_rad[i]))
            continue;
        heed_alarm(controller, i, state.error[i], state.time_ns);
        if ((controller->released & 1u << i) == 0)
            joints_hold(&controller->joints, i, state.position_rad[i]);
    }
}

static void take_requests(struct controller *controller)
{
    struct joint_request_message request;
    for (unsigned i = 0; i < JOINTS_WAITING_MAX; i++) {
        const enum status got =
            channel_get(controller->request, &request, sizeof request, CHANNEL_NEXT, NULL);
        if (got != STATUS_OK && got != STATUS_MISSED)
            return;
        joints_ask(&controller->joints, &request);
    }
}

// The motions that joints have begun.
static void tell_plan(struct controller *controller, instant now)
{
    const struct joints *joints = &controller->joints;
    struct motion_plan_message plan = {.time_ns = now.ns};
    for (unsigned i = 1; i < MOVEMENT_SERVOS; i++) {
        const struct joint *joint = &joints->joint[i];
        if ((joints->begun & 1u << i) == 0)
            continue;
        if (joint->mode != JOINT_KNEE) {
            plan.late |= 1u << i;
            continue;
        }
        plan.servos |= 1u << i;
        plan.from_s[i] = joint->problem.t1_s;
        plan.from_rad[i] = joint->problem.q1;
        plan.from_rad_s[i] = joint->problem.w1;
        plan.knee_s[i] = joint->knee.tm_s;
        plan.knee_rad_s[i] = joint->knee.wm;
        plan.to_s[i] = joint->problem.t2_s;
        plan.to_rad[i] = joint->problem.q2;
        plan.to_rad_s[i] = joint->problem.w2;
    }
    if (channel_put(controller->plan, &plan, sizeof plan, now) != STATUS_OK)
        log_error("cannot publish the plan");
}

// Where the joints shall be when the next command comes.
static void command(struct controller *controller, instant now)
{
    struct joints *joints = &controller->joints;
    struct servo_command_message message = {
        .time_ns = now.ns, .servos = joints->known | controller->released, .torque = joints->known};
    joints_advance(joints, instant_to_s(instant_add(now, controller->period)));
    if (joints->begun != 0)
        tell_plan(controller, now);
    for (unsigned i = 1; i < MOVEMENT_SERVOS; i++) {
        message.goal_rad[i] = joints->joint[i].angle_rad;
        message.goal_rad_s[i] = joints->joint[i].velocity_rad_s;
        message.slope[i] = joints->joint[i].slope;
    }
    if (channel_put(controller->command, &message, sizeof message, now) != STATUS_OK)
        log_error("cannot publish the command");
}

static int usage(void)
{
    fputs("usage: controller [--period-us N] [--method a-min|w-min|e-min|e-min-paper|jump]\n"
          "                  [--acceleration-max DEG_S2]\n"
          "N from 1000 to 100000; default 10000.\n",
          stderr);
    return 2;
}

static bool read_period(const char *text, duration *period)
{
    char *end;
    errno = 0;
    const long us = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || us < PERIOD_MIN_US || us > PERIOD_MAX_US) {
        log_error("--period-us %s: is not a number from %d to %d; give for example 10000", text,
                  PERIOD_MIN_US, PERIOD_MAX_US);
        return false;
    }
    *period = duration_us(us);
    return true;
}

static bool read_method(const char *text, struct joints_limits *limits)
{
    static const struct {
        const char *name;
        enum knee_method method;
        enum knee_energy energy;
        bool jumps;
    } known[] = {{"a-min", KNEE_ACCELERATION_MIN, KNEE_ELECTRICAL, false},
                 {"w-min", KNEE_VELOCITY_MIN, KNEE_ELECTRICAL, false},
                 {"e-min", KNEE_ENERGY_MIN, KNEE_ELECTRICAL, false},
                 {"e-min-paper", KNEE_ENERGY_MIN, KNEE_PAPER, false},
                 {"jump", KNEE_ACCELERATION_MIN, KNEE_ELECTRICAL, true}};
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(text, known[i].name) == 0) {
            limits->method = known[i].method;
            limits->energy = known[i].energy;
            limits->jumps = known[i].jumps;
            return true;
        }
    log_error("--method %s: there is no such method; use a-min, w-min, e-min, e-min-paper or jump",
              text);
    return false;
}

static bool read_acceleration(const char *text, double *acceleration_rad_s2)
{
    char *end;
    const double deg_s2 = strtod(text, &end);
    if (end == text || *end != '\0' ||
        !(deg_s2 > 0 && deg_s2 * DEGREE <= ACCELERATION_MAX_RAD_S2)) {
        log_error("--acceleration-max %s: is not a number of deg/s^2 above 0, at most 2800; give "
                  "for example 200",
                  text);
        return false;
    }
    *acceleration_rad_s2 = deg_s2 * DEGREE;
    return true;
}

static bool read_options(int argc, char **argv, struct controller *controller)
{
    static const struct option known[] = {{"period-us", required_argument, NULL, 'p'},
                                          {"method", required_argument, NULL, 'm'},
                                          {"acceleration-max", required_argument, NULL, 'a'},
                                          {0}};
    struct joints_limits limits = {.method = KNEE_ACCELERATION_MIN,
                                   .velocity_max_rad_s = VELOCITY_MAX_RAD_S,
                                   .acceleration_max_rad_s2 = ACCELERATION_MAX_RAD_S2};
    bool good = true;
    controller->period = duration_us(PERIOD_DEFAULT_US);
    for (int option; good && (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
        good = (option == 'p' && read_period(optarg, &controller->period)) ||
               (option == 'm' && read_method(optarg, &limits)) ||
               (option == 'a' && read_acceleration(optarg, &limits.acceleration_max_rad_s2));
    joints_start(&controller->joints, &limits);
    return good && optind == argc;
}

int main(int argc, char **argv)
{
    static struct controller controller;
    log_program("controller");
    if (!read_options(argc, argv, &controller))
        return usage();
    if (participant_channel("servo-state", CHANNEL_READ, sizeof(struct servo_state_message),
                            &controller.state) != STATUS_OK ||
        participant_channel("joint-request", CHANNEL_READ, sizeof(struct joint_request_message),
                            &controller.request) != STATUS_OK ||
        participant_channel("motion-plan", CHANNEL_WRITE, sizeof(struct motion_plan_message),
                            &controller.plan) != STATUS_OK ||
        participant_channel("servo-command", CHANNEL_WRITE, sizeof(struct servo_command_message),
                            &controller.command) != STATUS_OK ||
        participant_join(&controller.clk) != STATUS_OK)
        return 3;
    struct clk_period period = clk_period_start(controller.clk, instant_ns(0), controller.period);
    for (;;) {
        (void)clk_period_wait(controller.clk, &period);
        watch_time(&controller, clk_now(controller.clk));
        take_state(&controller);
        take_requests(&controller);
        if ((controller.joints.known | controller.released) != 0)
            command(&controller, clk_now(controller.clk));
    }
}
