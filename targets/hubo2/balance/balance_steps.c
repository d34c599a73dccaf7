#include "targets/hubo2/balance/balance_steps.h"

#include <stddef.h>

#define FIRST_PIECES 2 // of a trial, in the cycle in which it begins

bool balance_steps_trying(const struct balance *balance)
{
    return balance->steps != NULL && balance->steps->trying;
}

static bool begins(const struct balance *balance, const struct footsteps_message *steps)
{
    return balance->phase == BALANCE_PHASE_STANDING && steps->number == 1 && steps->first == 0 &&
           balance_commands_wants(&balance->commands, steps->request_id);
}

static bool goes_on(const struct balance *balance, const struct footsteps_message *steps)
{
    return balance->phase == BALANCE_PHASE_EXECUTING && !balance->following && steps->first > 0 &&
           steps->plan_id == balance->buffer.plan_id &&
           steps->number > balance->buffer.segment_number && steps->gait == balance->buffer.gait;
}

static bool begin(struct balance *balance, enum gait gait)
{
    double joint_rad[ROBOT_JOINTS_MAX];
    const struct stance stance = {.foot = {balance->foot[SIDE_RIGHT], balance->foot[SIDE_LEFT]}};
    return balance_stand_joints(balance, joint_rad) &&
           step_stack_begin(balance->steps, joint_rad, &stance, gait_parameters(gait)) == STATUS_OK;
}

bool balance_receive_steps(struct balance *balance, const struct footsteps_message *steps)
{
    struct footstep step[FOOTSTEPS_MAX];
    if (balance->steps == NULL || balance->steps->trying || steps->epoch != balance->epoch ||
        steps->plan_id == 0 || steps->gait >= GAIT_COUNT || steps->count > FOOTSTEPS_MAX ||
        balance_commands_stopping(&balance->commands))
        return false;
    if (begins(balance, steps)) {
        if (!begin(balance, (enum gait)steps->gait))
            return false;
    } else if (!goes_on(balance, steps)) {
        return false;
    }
    for (uint32_t i = 0; i < steps->count; i++) {
        if (steps->step[i].side >= SIDE_COUNT)
            return false;
        step[i] = (struct footstep){(enum side)steps->step[i].side, steps->step[i].pose};
    }
    if (step_stack_try(balance->steps, steps->first, step, steps->count) != STATUS_OK)
        return false;
    struct segment_message *segment = &balance->steps->segment;
    segment->plan_id = steps->plan_id;
    segment->segment_number = steps->number;
    segment->epoch = steps->epoch;
    segment->request_id = steps->request_id;
    segment->gait = steps->gait;
    segment->final = steps->final;
    return true;
}

struct segment_message *balance_steps_cycle(struct balance *balance)
{
    struct step_stack *stack = balance->steps;
    if (stack == NULL)
        return NULL;
    bool taken = false;
    if (stack->trying && stack->whole) {
        taken = balance_receive_segment(balance, &stack->segment) == SPLICE_TAKEN;
        step_stack_settle(stack, taken);
    }
    const bool executes = balance->phase == BALANCE_PHASE_EXECUTING && !balance->following;
    balance->steps_follow = executes ? balance->executing : -1;
    return taken ? &stack->segment : NULL;
}

void balance_steps_work(struct balance *balance)
{
    struct step_stack *stack = balance->steps;
    if (stack == NULL)
        return;
    if (!stack->trying) {
        if (balance->steps_follow >= 0)
            step_stack_follow(stack, balance->steps_follow);
        return;
    }
    const int pieces = stack->segment.count == 0 ? FIRST_PIECES : 1;
    for (int i = 0; i < pieces && stack->trying && !stack->whole; i++) {
        const enum status status = step_stack_go_on(stack);
        (void)status; // the stack knows
    }
}
