#include "targets/hubo2/balance/balance_watch.h"

#include <math.h>
#include <stddef.h>

#define PERIOD_NS 10000000
#define GAP_MAX_NS 25000000  // two periods and a half: one lost cycle is no interruption
#define HELD_CYCLES_MAX 4    // references may miss a cycle now and then; more is an interruption
#define ASTRAY_CYCLES_MAX 10 // a leg at its velocity limit lags for a moment: no interruption
#define ASTRAY_RAD 0.2
#define SOUND_MAX 1e5 // larger than any angle, rate, force or moment; what is not a number is too

static bool sound(double value)
{
    return fabs(value) < SOUND_MAX;
}

bool balance_watch_sound(const struct state_message *state, unsigned joint_count)
{
    if (state->joint_count != joint_count)
        return false;
    for (unsigned j = 0; j < joint_count; j++)
        if (!sound(state->joint[j].position_rad) || !sound(state->joint[j].reference_rad))
            return false;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct force_torque_reading *foot = &state->force_torque[side];
        if (!sound(foot->moment_x_Nm) || !sound(foot->moment_y_Nm) || !sound(foot->force_z_N))
            return false;
    }
    return sound(state->imu.roll_rad) && sound(state->imu.pitch_rad) &&
           sound(state->imu.roll_rate_rad_s) && sound(state->imu.pitch_rate_rad_s);
}

static enum interruption judge_chain(struct balance_watch *watch, const struct state_message *state)
{
    if (!watch->commanding)
        return INTERRUPTION_NONE;
    double worst = 0;
    for (unsigned i = 0; i < watch->joint_count; i++) {
        double error = fabs(state->joint[watch->joint[i]].reference_rad - watch->expected_rad[i]);
        worst = error > worst ? error : worst;
    }
    watch->held_cycles = balance_watch_active(watch, state) ? 0 : watch->held_cycles + 1;
    watch->astray_cycles = worst < ASTRAY_RAD ? 0 : watch->astray_cycles + 1;
    if (watch->held_cycles >= HELD_CYCLES_MAX)
        return INTERRUPTION_HELD;
    return watch->astray_cycles >= ASTRAY_CYCLES_MAX ? INTERRUPTION_ASTRAY : INTERRUPTION_NONE;
}

void balance_watch_begin(struct balance_watch *watch, const struct state_message *state)
{
    watch->started = true;
    watch->commanding = false;
    watch->cycle = state->cycle - 1;
    watch->time = instant_add(state->time, duration_ns(-PERIOD_NS));
    watch->held_cycles = 0;
    watch->astray_cycles = 0;
}

enum interruption balance_watch_state(struct balance_watch *watch,
                                      const struct state_message *state, unsigned *cycles)
{
    enum interruption found = INTERRUPTION_NONE;
    int64_t passed = instant_sub(state->time, watch->time).ns;
    if (!watch->started)
        found = INTERRUPTION_FIRST;
    else if (state->cycle <= watch->cycle)
        found = INTERRUPTION_HARDWARE;
    else if (passed > GAP_MAX_NS || state->cycle > watch->cycle + 2)
        found = INTERRUPTION_GAP;
    else
        found = judge_chain(watch, state);
    if (cycles != NULL) // the cycle counter counts served cycles; time says how many periods passed
        *cycles = found == INTERRUPTION_NONE && passed > 3 * PERIOD_NS / 2 ? 2 : 1;
    if (found != INTERRUPTION_NONE) {
        watch->commanding = false;
        watch->held_cycles = 0;
        watch->astray_cycles = 0;
    }
    watch->started = true;
    watch->cycle = state->cycle;
    watch->time = state->time;
    return found;
}

void balance_watch_expect(struct balance_watch *watch, const double *reference_rad)
{
    watch->commanding = reference_rad != NULL;
    for (unsigned i = 0; reference_rad != NULL && i < watch->joint_count; i++)
        watch->expected_rad[i] = reference_rad[i];
}

bool balance_watch_active(const struct balance_watch *watch, const struct state_message *state)
{
    for (unsigned i = 0; i < watch->joint_count; i++)
        if (state->joint[watch->joint[i]].reference_active == 0)
            return false;
    return true;
}
