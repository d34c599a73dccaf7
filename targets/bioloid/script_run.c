#include "targets/bioloid/script_run.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "joint_request.h"
#include "servo_state.h"

#define STALL_A 1.5 // what an AX-12 takes at its full load

void script_run_see(struct script_run *run, const struct servo_state_message *state)
{
    struct script_axes *axes = &run->axes;
    const double since_s = (double)(state->time_ns - run->state_ns) * 1e-9;
    for (unsigned i = 1; i < MOVEMENT_SERVOS; i++) {
        if ((state->servos & 1u << i) == 0 || !isfinite(state->position_rad[i]))
            continue;
        if (axes->known & 1u << i)
            axes->energy_J[i] += fabs(state->load[i]) * STALL_A * state->voltage_v[i] * since_s;
        axes->known |= 1u << i;
        axes->position_rad[i] = state->position_rad[i];
        axes->velocity_rad_s[i] = state->velocity_rad_s[i];
        axes->load[i] = state->load[i];
    }
    run->state_ns = state->time_ns;
}

// When the servo is to be there: in whole periods, at least two, so that those that go together are
// asked together.
static int64_t periods_of(const struct script_axes *axes, unsigned servo)
{
    const double way_rad = fabs(axes->reference_rad[servo] - axes->position_rad[servo]);
    const double periods = ceil(way_rad / axes->speed_rad_s[servo] / (SCRIPT_PERIOD_NS * 1e-9));
    return isfinite(periods) && periods > 2 ? (int64_t)periods : 2;
}

// One request for all that arrive at the same time.
static void ask(struct script_run *run, instant now)
{
    struct script_axes *axes = &run->axes;
    const uint32_t asked = axes->asked | run->unheard; // what was never heard of waits
    uint32_t left = asked & axes->known;
    run->unheard = asked & ~axes->known;
    while (left != 0) {
        struct joint_request_message request = {.sequence = ++run->sequence, .start_ns = now.ns};
        int64_t periods = 0;
        for (unsigned i = 1; i < MOVEMENT_SERVOS; i++) {
            if ((left & 1u << i) == 0 || (periods != 0 && periods_of(axes, i) != periods))
                continue;
            periods = periods_of(axes, i);
            request.servos |= 1u << i;
            request.angle_rad[i] = axes->reference_rad[i];
        }
        request.end_ns = now.ns + periods * SCRIPT_PERIOD_NS;
        left &= ~request.servos;
        if (channel_put(run->request, &request, sizeof request, now) != STATUS_OK)
            log_error("cannot publish a request");
    }
}

bool script_run_call(struct script_run *run, enum script_call call, instant now)
{
    run->axes.time_s = instant_to_s(now);
    if (script_call(run->script, call, &run->axes) != STATUS_OK) {
        log_error("%s", script_reason(run->script));
        return false;
    }
    ask(run, now);
    return true;
}

enum status script_run_open(const char *name, struct script **script)
{
    static char path[2 * PATH_MAX];
    const char *folder = getenv("UKEMI_TARGET"), *seed = getenv("UKEMI_SEED");
    if (folder == NULL || strlen(folder) + strlen(name) > PATH_MAX / 2 || strchr(name, '/')) {
        log_error(
            "%s: is not the name of a script; give one of a file in the target's folder scripts",
            name);
        return STATUS_INVALID;
    }
    snprintf(path, sizeof path, "%s/scripts/%s", folder, name);
    return script_open(path, seed != NULL ? strtoull(seed, NULL, 10) : 0, &script_budget_default,
                       script);
}
