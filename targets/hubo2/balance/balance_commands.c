#include "targets/hubo2/balance/balance_commands.h"

#include <math.h>
#include <stddef.h>

#include "base/invariant.h"

#define TURN_MAX_RAD (2 * M_PI)
#define TURN_LEFT_MAX_RAD 0.02 // less than this remains: the turn is complete

static bool walks(uint32_t kind)
{
    return kind == BALANCE_WALK_FORWARD || kind == BALANCE_WALK_BACKWARD ||
           kind == BALANCE_WALK_LEFT || kind == BALANCE_WALK_RIGHT;
}

static bool nothing_left(const struct balance_command_message *command)
{
    return (walks(command->kind) && command->steps == 0) ||
           (command->kind == BALANCE_TURN && fabs(command->angle_rad) < TURN_LEFT_MAX_RAD);
}

static bool sensible(const struct balance_command_message *command)
{
    if (command->gait >= GAIT_COUNT)
        return false;
    if (walks(command->kind))
        return command->steps >= 1 && command->steps <= BALANCE_STEPS_MAX;
    if (command->kind == BALANCE_TURN)
        return isfinite(command->angle_rad) && fabs(command->angle_rad) <= TURN_MAX_RAD;
    return command->kind == BALANCE_STAND || command->kind == BALANCE_STOP;
}

static bool busy(const struct balance_commands *commands)
{
    bool stopped =
        commands->active.kind == BALANCE_STOP && commands->done_id == commands->active.id;
    return commands->active.kind != BALANCE_NONE && !stopped;
}

static void take_up(struct balance_commands *commands,
                    const struct balance_command_message *command)
{
    commands->active = *command;
    commands->accepted_id = command->id;
}

void balance_commands_restore(struct balance_commands *commands,
                              const struct balance_status_message *last,
                              const struct balance_command_message *command)
{
    *commands = (struct balance_commands){0};
    if (last != NULL) {
        commands->accepted_id = last->accepted_id;
        commands->done_id = last->done_id;
        commands->ignored_id = last->ignored_id;
        commands->seen_id =
            last->accepted_id > last->ignored_id ? last->accepted_id : last->ignored_id;
        commands->active.kind = last->request_kind;
        commands->active.id = last->request_id;
        commands->active.gait = last->gait;
        commands->active.steps = last->request_steps;
        commands->active.angle_rad = last->request_angle_rad;
    }
    if (command != NULL && command->id == commands->active.id)
        commands->active.gait = command->gait;
    if (nothing_left(&commands->active))
        commands->done_id = commands->active.id;
    if (nothing_left(&commands->active) || !sensible(&commands->active))
        commands->active = (struct balance_command_message){0};
    if (command != NULL)
        balance_commands_receive(commands, command, BALANCE_PHASE_WAITING);
}

void balance_commands_receive(struct balance_commands *commands,
                              const struct balance_command_message *command,
                              enum balance_phase phase)
{
    if (command->id <= commands->seen_id)
        return; // seen before: sending it again is harmless
    commands->seen_id = command->id;
    if (!sensible(command) || phase == BALANCE_PHASE_FALLEN) {
        commands->ignored_id = command->id;
        return;
    }
    if (command->kind == BALANCE_STOP) {
        if (commands->waiting.kind != BALANCE_NONE)
            commands->ignored_id = commands->waiting.id;
        commands->waiting.kind = BALANCE_NONE;
        take_up(commands, command);
        return;
    }
    if (commands->waiting.kind != BALANCE_NONE)
        commands->ignored_id = command->id;
    else
        commands->waiting = *command;
}

void balance_commands_update(struct balance_commands *commands, enum balance_phase phase)
{
    invariant(commands->accepted_id <= commands->seen_id);
    if (phase != BALANCE_PHASE_STANDING)
        return;
    if (commands->active.kind == BALANCE_STOP)
        commands->done_id = commands->active.id;
    if (commands->waiting.kind == BALANCE_NONE || busy(commands))
        return;
    take_up(commands, &commands->waiting);
    commands->waiting.kind = BALANCE_NONE;
    if (commands->active.kind == BALANCE_STAND) {
        commands->done_id = commands->active.id;
        commands->active.kind = BALANCE_NONE;
    }
}

void balance_commands_plan_begun(struct balance_commands *commands, uint64_t request_id)
{
    if (request_id == 0 && commands->active.kind == BALANCE_STOP)
        commands->active.kind = BALANCE_NONE; // the planner was told to walk on after the stop
}

static bool fulfils(const struct balance_commands *commands, uint64_t request_id)
{
    return request_id != 0 && request_id == commands->active.id &&
           commands->active.kind != BALANCE_NONE && commands->active.kind != BALANCE_STOP;
}

void balance_commands_plan_progress(struct balance_commands *commands, uint64_t request_id,
                                    uint32_t step, bool at_rest, double turned_rad)
{
    if (!fulfils(commands, request_id))
        return;
    // Forward and backward a plan ends with a step that only closes the stance; sideways every
    // second step does.
    bool sideways =
        commands->active.kind == BALANCE_WALK_LEFT || commands->active.kind == BALANCE_WALK_RIGHT;
    commands->steps_done = step + (at_rest && sideways ? 1 : 0);
    commands->turned_rad = turned_rad;
}

static void forget_progress(struct balance_commands *commands)
{
    commands->steps_done = 0;
    commands->turned_rad = 0;
}

void balance_commands_plan_complete(struct balance_commands *commands, uint64_t request_id)
{
    if (!fulfils(commands, request_id))
        return;
    commands->done_id = request_id;
    commands->active.kind = BALANCE_NONE;
    forget_progress(commands);
}

static uint32_t steps_left(const struct balance_commands *commands)
{
    return commands->active.steps > commands->steps_done
               ? commands->active.steps - commands->steps_done
               : 0;
}

void balance_commands_plan_broken(struct balance_commands *commands, uint64_t request_id)
{
    if (!fulfils(commands, request_id))
        return;
    commands->active.steps = steps_left(commands);
    commands->active.angle_rad -= commands->turned_rad;
    forget_progress(commands);
    if (nothing_left(&commands->active))
        balance_commands_plan_complete(commands, request_id);
}

bool balance_commands_stopping(const struct balance_commands *commands)
{
    return commands->active.kind == BALANCE_STOP && commands->done_id != commands->active.id;
}

bool balance_commands_wants(const struct balance_commands *commands, uint64_t request_id)
{
    if (balance_commands_stopping(commands))
        return false;
    return request_id == 0 || (request_id == commands->active.id && busy(commands));
}

void balance_commands_report(const struct balance_commands *commands,
                             struct balance_status_message *status)
{
    bool request = commands->active.kind != BALANCE_NONE;
    status->accepted_id = commands->accepted_id;
    status->done_id = commands->done_id;
    status->ignored_id = commands->ignored_id;
    status->request_id = request ? commands->active.id : 0;
    status->request_kind = request ? commands->active.kind : BALANCE_NONE;
    status->request_steps = request ? steps_left(commands) : 0;
    status->request_angle_rad = request ? commands->active.angle_rad - commands->turned_rad : 0.0;
    if (request)
        status->gait = commands->active.gait;
}
