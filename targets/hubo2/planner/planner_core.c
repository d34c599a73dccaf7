#include "targets/hubo2/planner/planner_core.h"

#include <stddef.h>

void planner_init(struct planner *planner, const struct planner_status_message *last)
{
    *planner = (struct planner){0};
    if (last == NULL)
        return;
    planner->reached_id = last->reached_id;
    planner->last_plan_id = last->plan_id;
}

// What is said to come from the future is wrong, and would never grow old.
static bool is_recent(instant now, instant said, int64_t age_max_ms)
{
    const duration age = instant_sub(now, said);
    return age.ns >= 0 && age.ns <= duration_ms(age_max_ms).ns;
}

bool planner_perception_fresh(const struct planner_input *input)
{
    const struct perception_message *perception = &input->perception;
    return input->perception_known && perception->goal_valid &&
           is_recent(input->now, perception->image_time, PLANNER_IMAGE_AGE_MAX_MS);
}

static void give_up(struct planner *planner)
{
    planner->dropped_id = planner->command_id;
    planner->command_id = 0;
}

// Takes up the operator's newest command, and balance's stop.
static void follow_commands(struct planner *planner, const struct planner_input *input)
{
    const struct planner_command_message *command = &input->command;
    if (input->command_known && command->id > planner->reached_id &&
        command->id > planner->dropped_id && command->id != planner->command_id) {
        if (command->kind == PLANNER_GO_TO_GOAL && command->gait < GAIT_COUNT) {
            planner->command_id = command->id;
            planner->gait = (enum gait)command->gait;
        } else {
            planner->command_id = command->id;
            give_up(planner);
        }
    }
    const struct balance_status_message *status = &input->status;
    if (status->request_kind == BALANCE_STOP && status->request_id > planner->stop_id) {
        planner->stop_id = status->request_id;
        give_up(planner);
    }
}

static bool request_waits(const struct balance_status_message *status)
{
    return status->request_id != 0 && status->request_kind != BALANCE_NONE &&
           status->request_kind != BALANCE_STOP;
}

static bool may_extend(const struct planner *planner, const struct planner_input *input)
{
    // What balance has refused is not gone on from: the plan ends, and a new one begins.
    if (planner->life != PLAN_TAKEN || planner->complete ||
        input->status.segment_number != planner->segments)
        return false;
    if (planner->request_id != 0)
        return planner->request_id == input->status.request_id;
    return planner->command_id != 0 && planner->gait == planner->plan_gait &&
           planner_perception_fresh(input);
}

enum planner_action planner_decide(struct planner *planner, const struct planner_input *input)
{
    const struct balance_status_message *status = &input->status;
    if (!input->status_known || !is_recent(input->now, status->time, PLANNER_STATUS_AGE_MAX_MS))
        return PLANNER_REST;
    follow_commands(planner, input);
    planner->life =
        plan_life_step(planner->life, plan_event_of(&planner->offer, status, input->now,
                                                    duration_ms(PLANNER_TAKE_PATIENCE_MS)));
    if (planner->life != PLAN_NONE)
        return may_extend(planner, input) ? PLANNER_EXTEND : PLANNER_REST;
    if (status->phase != BALANCE_PHASE_STANDING)
        return PLANNER_REST;
    if (request_waits(status)) {
        planner->request_id = status->request_id;
        planner->plan_gait =
            status->gait < GAIT_COUNT ? (enum gait)status->gait : GAIT_QUASI_STATIC;
        return PLANNER_BEGIN;
    }
    planner->request_id = 0;
    planner->plan_gait = planner->gait;
    return planner->command_id != 0 && planner_perception_fresh(input) ? PLANNER_BEGIN
                                                                       : PLANNER_REST;
}

void planner_sent_first(struct planner *planner, const struct planner_input *input, bool final)
{
    planner->offer = (struct plan_offer){++planner->last_plan_id, input->status.epoch, input->now};
    planner->life = plan_life_step(planner->life, PLAN_BEGUN);
    planner->segments = 1;
    planner->segments_total++;
    planner->complete = final;
}

void planner_sent_next(struct planner *planner, bool final)
{
    planner->segments++;
    planner->segments_total++;
    planner->complete = final;
}

void planner_arrived(struct planner *planner)
{
    planner->reached_id = planner->command_id;
    planner->command_id = 0;
}
