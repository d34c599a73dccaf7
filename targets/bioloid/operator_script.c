// Operator of scenarios: runs a user's control program in Lua; see script.h and doc/bioloid.md.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "joint_request.h"
#include "robot/participant.h"
#include "servo_state.h"
#include "targets/bioloid/script.h"

#define PERIOD_NS 20000000
#define BEGIN_NS 500000000 // the robot has come to rest
#define STALL_A 1.5        // what an AX-12 takes at its full load
#define EXIT_INPUT 2

struct operator
{
    struct script *script;
    struct script_axes axes;
    int64_t state_ns; // of the state known last
    uint64_t sequence;
    struct channel *state, *request;
    struct clk *clk;
};

static void take_state(struct operator* operator)
{
    struct servo_state_message state;
    struct script_axes *axes = &operator->axes;
    const enum status got =
        channel_get(operator->state, &state, sizeof state, CHANNEL_NEWEST, NULL);
    if (got != STATUS_OK && got != STATUS_MISSED)
        return;
    const double since_s = (double)(state.time_ns - operator->state_ns) * 1e-9;
    for (unsigned i = 1; i < MOVEMENT_SERVOS; i++) {
        if ((state.servos & 1u << i) == 0 || !isfinite(state.position_rad[i]))
            continue;
        if (axes->known & 1u << i)
            axes->energy_J[i] += fabs(state.load[i]) * STALL_A * state.voltage_v[i] * since_s;
        axes->known |= 1u << i;
        axes->position_rad[i] = state.position_rad[i];
        axes->velocity_rad_s[i] = state.velocity_rad_s[i];
        axes->load[i] = state.load[i];
    }
    operator->state_ns = state.time_ns;
}

// When the servo is to be there: in whole periods, at least two, so that those that go together are
// asked together.
static int64_t periods_of(const struct script_axes *axes, unsigned servo)
{
    const double way_rad = fabs(axes->reference_rad[servo] - axes->position_rad[servo]);
    const double periods = ceil(way_rad / axes->speed_rad_s[servo] / (PERIOD_NS * 1e-9));
    return isfinite(periods) && periods > 2 ? (int64_t)periods : 2;
}

// One request for all that arrive at the same time.
static void ask(struct operator* operator)
{
    struct script_axes *axes = &operator->axes;
    const instant now = clk_now(operator->clk);
    uint32_t left = axes->asked & axes->known;
    while (left != 0) {
        struct joint_request_message request = {.sequence = ++operator->sequence,
                                                .start_ns = now.ns};
        int64_t periods = 0;
        for (unsigned i = 1; i < MOVEMENT_SERVOS; i++) {
            if ((left & 1u << i) == 0 || (periods != 0 && periods_of(axes, i) != periods))
                continue;
            periods = periods_of(axes, i);
            request.servos |= 1u << i;
            request.angle_rad[i] = axes->reference_rad[i];
        }
        request.end_ns = now.ns + periods * PERIOD_NS;
        left &= ~request.servos;
        if (channel_put(operator->request, &request, sizeof request, now) != STATUS_OK)
            log_error("cannot publish a request");
    }
}

static bool call(struct operator* operator, enum script_call call)
{
    take_state(operator);
    operator->axes.time_s = instant_to_s(clk_now(operator->clk));
    if (script_call(operator->script, call, &operator->axes) != STATUS_OK) {
        log_error("%s", script_reason(operator->script));
        return false;
    }
    ask(operator);
    return true;
}

static enum status open_script(const char *name, struct script **script)
{
    static char path[2 * PATH_MAX];
    const char *folder = getenv("UKEMI_TARGET"), *seed = getenv("UKEMI_SEED");
    if (folder == NULL || strlen(folder) + strlen(name) > PATH_MAX / 2 || strchr(name, '/')) {
        log_error("%s: is no name of a script; give one of a file in the target's folder scripts",
                  name);
        return STATUS_INVALID;
    }
    snprintf(path, sizeof path, "%s/scripts/%s", folder, name);
    return script_open(path, seed != NULL ? strtoull(seed, NULL, 10) : 0, &script_budget_default,
                       script);
}

int main(int argc, char **argv)
{
    static struct operator operator;
    log_program("operator_script");
    const bool checks = argc == 3 && strcmp(argv[1], "--check") == 0;
    if (argc != 2 && !checks) {
        fputs("usage: operator_script [--check] SCRIPT.lua\n"
              "The file lies in the folder $UKEMI_TARGET/scripts. --check: only reads it.\n",
              stderr);
        return EXIT_INPUT;
    }
    const enum status status = open_script(argv[argc - 1], &operator.script);
    if (status != STATUS_OK)
        return status == STATUS_INVALID || status == STATUS_SYSTEM ? EXIT_INPUT : 3;
    if (checks)
        return 0;
    if (participant_channel("servo-state", CHANNEL_READ, sizeof(struct servo_state_message),
                            &operator.state) != STATUS_OK ||
        participant_channel("joint-request", CHANNEL_WRITE, sizeof(struct joint_request_message),
                            &operator.request) != STATUS_OK ||
        participant_join(&operator.clk) != STATUS_OK)
        return 3;
    clk_sleep_until(operator.clk, instant_ns(BEGIN_NS));
    bool good = call(&operator, SCRIPT_INITIALIZE);
    struct clk_period period =
        clk_period_start(operator.clk, instant_ns(BEGIN_NS), duration_ns(PERIOD_NS));
    while (good) {
        (void)clk_period_wait(operator.clk, &period);
        good = call(&operator, SCRIPT_CONTROL);
    }
    return 1;
}
