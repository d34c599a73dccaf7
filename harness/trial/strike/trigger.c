#include "harness/trial/strike/trigger.h"

#include <math.h>
#include <stdio.h>

#include "base/invariant.h"
#include "base/random.h"

// The gait advances by less than this between two looks; more is a jump to another plan.
#define PHASE_STEP_MAX 0.25

void trigger_draw(struct trigger_state *state, const struct trigger *trigger, uint64_t seed,
                  unsigned index)
{
    expects(trigger->time_min_s <= trigger->time_max_s);
    expects(trigger->phase_min <= trigger->phase_max);
    char name[32];
    struct random_stream stream;
    snprintf(name, sizeof name, "fault-%u", index);
    random_start(&stream, seed, name);
    *state = (struct trigger_state){.kind = trigger->kind, .when = trigger->when};
    state->time = instant_s(random_uniform(&stream, trigger->time_min_s, trigger->time_max_s));
    state->phase = random_uniform(&stream, trigger->phase_min, trigger->phase_max);
}

static double forward(double from, double to) // along the cycle, 0..1
{
    double distance = fmod(to - from, 1.0);
    return distance < 0 ? distance + 1.0 : distance;
}

static bool phase_passed(struct trigger_state *state, bool known, double phase)
{
    bool passed = false;
    if (known && state->have_phase) {
        double step = forward(state->last_phase, phase);
        double rest = forward(state->last_phase, state->phase);
        passed = step > 0 && step < PHASE_STEP_MAX && rest > 0 && rest <= step;
    }
    state->have_phase = known;
    if (known)
        state->last_phase = phase;
    return passed;
}

bool trigger_step(struct trigger_state *state, bool known, double seen, instant now)
{
    bool reached = false;
    // The phase is followed from the start, so that the first look after state->time has one to
    // compare with.
    if (state->kind == TRIGGER_PHASE)
        reached = phase_passed(state, known, seen);
    else if (state->kind == TRIGGER_CONDITION)
        reached = known && seen > 0;
    return reached && !instant_before(now, state->time);
}

bool trigger_reached(struct trigger_state *state, struct watch *watch, instant now)
{
    double seen = 0;
    const bool known = state->kind == TRIGGER_PHASE       ? watch_phase(watch, &seen)
                       : state->kind == TRIGGER_CONDITION ? watch_formula(watch, state->when, &seen)
                                                          : false;
    return trigger_step(state, known, seen, now);
}
