// A segment as a planner that makes its own sends it: a dynamic step ahead from where balance
// stands.
#pragma once

#include "message/message.h"
#include "walk/segments/pattern.h"

static inline enum status segment_ahead(const struct robot_model *model,
                                        const struct balance_status_message *status,
                                        struct segment_message *segment)
{
    const struct gait_parameters *gait = gait_parameters(GAIT_DYNAMIC);
    const struct stance stance = {.foot = {status->foot[SIDE_RIGHT], status->foot[SIDE_LEFT]}};
    struct footstep step;
    struct pattern *pattern;
    enum status made = pattern_create(model, gait, &pattern);
    if (made != STATUS_OK)
        return made;
    const unsigned count = footsteps_walk(gait, &stance, BALANCE_WALK_FORWARD, 1, 0, &step, 1);
    pattern_begin(pattern, &stance);
    made = pattern_extend(pattern, 0, 0, &step, count, segment);
    pattern_free(pattern);
    segment->plan_id = segment->segment_number = 1;
    segment->epoch = status->epoch;
    segment->request_id = 0;
    segment->gait = GAIT_DYNAMIC;
    segment->final = 0;
    return made;
}
