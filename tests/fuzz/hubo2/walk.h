// Planner and Balance in a fuzz target: what an input changes, and nothing else, is put back to the
// start. Buffers of 24 s of samples are emptied instead of copied.
#pragma once

#include <math.h>
#include <stddef.h>

#include "targets/hubo2/balance/balance_core.h"
#include "targets/hubo2/planner/planner_walk.h"

static inline void fuzz_walk_reset(struct planner_walk *used, const struct planner_walk *pristine)
{
    memcpy(used->pelvis_m, pristine->pelvis_m, sizeof used->pelvis_m);
    segment_buffer_clear(&used->held);
    used->committed = used->requested_count = used->requested_given = 0;
    used->failures = UINT32_MAX / 2; // what cannot be made is said to nobody
}

// What a planner sends: poses that are numbers, of feet that there are.
static inline void fuzz_check_steps(const struct footsteps_message *steps)
{
    fuzz_check(steps->count <= FOOTSTEPS_MAX && steps->plan_id > 0 && steps->number > 0);
    for (uint32_t i = 0; i < steps->count; i++) {
        const struct planned_step *step = &steps->step[i];
        fuzz_check(step->side < SIDE_COUNT);
        fuzz_check(isfinite(step->pose.x_m + step->pose.y_m + step->pose.yaw_rad));
    }
}

// `pristine` stands and holds no plan.
static inline void fuzz_balance_reset(struct balance *used, const struct balance *pristine)
{
    const size_t samples = offsetof(struct balance, buffer.sample);
    const size_t after = samples + sizeof used->buffer.sample;
    fuzz_check(pristine->buffer.plan_id == 0);
    memcpy(used, pristine, samples);
    memcpy((char *)used + after, (const char *)pristine + after, sizeof *used - after);
}
