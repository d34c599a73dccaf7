#include "targets/hubo2/balance_commands.h"

#include <math.h>
#include <stddef.h>

#define TURN_MAX_RAD (2 * M_PI)

static bool walks(uint32_t kind)
{
    return kind == BALANCE_WALK_FORWARD || kind == BALANCE_WALK_BACKWARD ||
           kind == BALANCE_WALK_LEFT || kind == BALANCE_WALK_RIGHT;
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
    if (!sensible(&commands->active))
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

void balance_commands_plan_complete(struct balance_commands *commands, uint64_t request_id)
{
    if (request_id == 0 || request_id != commands->active.id ||
        commands->active.kind == BALANCE_STOP)
        return;
    commands->done_id = request_id;
    commands->active.kind = BALANCE_NONE;
}

void balance_commands_plan_broken(struct balance_commands *commands, uint64_t request_id,
                                  uint32_t steps_done, double turned_rad)
{
    if (request_id == 0 || request_id != commands->active.id)
        return;
    if (walks(commands->active.kind))
        commands->active.steps -=
            steps_done < commands->active.steps ? steps_done : commands->active.steps - 1;
    if (commands->active.kind == BALANCE_TURN)
        commands->active.angle_rad -= turned_rad;
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
    status->request_steps = request ? commands->active.steps : 0;
    status->request_angle_rad = request ? commands->active.angle_rad : 0.0;
    if (request)
        status->gait = commands->active.gait;
}
