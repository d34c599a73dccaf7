#include "harness/packs/joints/commands.h"

#include <math.h>
#include <string.h>

#include "motion/joint_bank.h"
#include "harness/files/target/target.h"
#include "harness/packs/robot/facts.h"

#define REFERENCES "reference"

// A nominal value named by a command: 0 stands for the description's, the maximum clips it.
// Negative: refuse the command.
static double nominal(double named, double otherwise, double maximum)
{
    return !isfinite(named) || named < 0 ? -1 : fmin(named > 0 ? named : otherwise, maximum);
}

// Its sender hung, and says now what it once meant to say.
static bool answers_old_state(const struct commands *commands,
                              const struct command_message *message)
{
    return message->state_cycle <= commands->state_cycle &&
           commands->state_cycle - message->state_cycle > JOINT_BANK_STALE_CYCLES;
}

static double expiry_s(const struct joint_command *command, const struct command_message *message,
                       const struct joint_description *limits)
{
    const duration timeout = command->timeout.ns > 0 ? command->timeout : limits->velocity_timeout;
    return command->mode == JOINT_MODE_VELOCITY ? instant_to_s(instant_add(message->time, timeout))
                                                : INFINITY;
}

static void take_joint(struct commands *commands, unsigned j, const struct command_message *message)
{
    const struct joint_command *command = &message->joint[j];
    const struct joint_description *limits = &commands->analysis->description->joint[j];
    struct joint_in_force *joint = &commands->joint[j];
    const bool velocity = command->mode == JOINT_MODE_VELOCITY;
    const double v = nominal(command->velocity_nominal_rad_s, limits->velocity_nominal_rad_s,
                             limits->velocity_max_rad_s);
    const double a = nominal(command->acceleration_nominal_rad_s2,
                             limits->acceleration_nominal_rad_s2, limits->acceleration_max_rad_s2);
    if (command->mode == JOINT_MODE_NONE || command->mode > JOINT_MODE_PASSTHROUGH ||
        !isfinite(command->value) || v < 0 || a < 0 || command->timeout.ns < 0 ||
        (joint->commanded && instant_before(message->time, joint->time)) ||
        (velocity && answers_old_state(commands, message)))
        return; // says nothing, or must be refused
    *joint = (struct joint_in_force){.commanded = true,
                                     .command = *command,
                                     .time = message->time,
                                     .expires_s = expiry_s(command, message, limits),
                                     .bound_velocity = velocity ? limits->velocity_max_rad_s : v,
                                     .bound_acceleration = a};
}

static void take_message(struct commands *commands, const struct event *event, uint32_t groups,
                         instant now)
{
    const struct command_message *message = event->data;
    const struct description *description = commands->analysis->description;
    if (message->joint_count != description->joint_count || message->time.ns < 0 ||
        instant_before(now, message->time))
        return;
    for (unsigned j = 0; j < description->joint_count; j++)
        if (groups >> description->joint[j].group & 1)
            take_joint(commands, j, message);
}

static void take_channel(struct commands *commands, const struct series *channel, size_t *next,
                         uint32_t groups, instant now)
{
    for (; *next < channel->count && !instant_before(now, channel->event[*next]->time); ++*next)
        take_message(commands, channel->event[*next], groups, now);
}

static const char *writer_of(const struct target *target, const char *channel)
{
    for (unsigned i = 0; target != NULL && i < target->channel_count; i++)
        if (strcmp(target->channel[i].name, channel) == 0)
            return target->channel[i].writer;
    return "";
}

// A daemon that was started again knows nothing of what the one before it has answered.
static bool was_restarted(struct commands *commands, instant now)
{
    bool restarted = false;
    const struct series *processes = &commands->analysis->process;
    const char *control = writer_of(commands->analysis->target, REFERENCES);
    for (; commands->process < processes->count; commands->process++) {
        const struct process_event *event = processes->event[commands->process]->data;
        if (instant_before(now, event->time))
            break;
        restarted |= event->kind == PROCESS_STARTED && strcmp(event->process, control) == 0;
    }
    if (restarted)
        commands->state_cycle = 0;
    for (unsigned j = 0; restarted && j < ROBOT_JOINTS_MAX; j++)
        commands->joint[j].time = instant_ns(0);
    return restarted;
}

bool commands_until(struct commands *commands, size_t number)
{
    const struct facts *f = facts(commands->analysis);
    const struct event *event = f->reference.event[number];
    const struct reference_message *reference = event->data;
    const bool restarted = was_restarted(commands, event->time);
    take_channel(commands, &f->leg_command, &commands->leg, LEG_COMMAND_GROUPS, event->time);
    take_channel(commands, &f->arm_command, &commands->arm, ARM_COMMAND_GROUPS, event->time);
    commands->state_cycle = reference->state_cycle;
    return restarted;
}
