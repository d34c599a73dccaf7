#include "harness/files/fault/fault_struck.h"

#include <string.h>

#include "base/text.h"
#include "harness/files/fault/fault_file.h"
#include "harness/files/target/target.h"

struct names {
    char (*name)[NAME_MAX_LENGTH];
    unsigned count, most;
};

static void add(struct names *names, const char *name)
{
    if (names->count < names->most)
        text_copy(names->name[names->count++], NAME_MAX_LENGTH, name);
}

static bool strikes_process(const struct fault_kind *kind, const struct target *target,
                            const struct process_config *process)
{
    if (strcmp(process->name, target->world) == 0 || process->follower || process->interposes)
        return false;
    if (kind->look == LOOK_calls)
        return struck_is_shimmed(process->name, target);
    if (kind->look == LOOK_clock || kind->look == LOOK_turns)
        return struck_shows_time(process->name, kind->look == LOOK_clock, target);
    return true;
}

static bool is_wire(const struct target *target, const char *channel)
{
    for (unsigned i = 0; i < target->bus_count; i++)
        if (strcmp(target->bus[i].name, channel) == 0)
            return true;
    return false;
}

static bool strikes_channel(const struct target *target, const struct channel_config *channel)
{
    return channel->writer[0] != '\0' && channel->message[0] != '\0' && !channel->lab_only &&
           !is_wire(target, channel->name);
}

static bool buses_are_alike(const struct target *target)
{
    for (unsigned i = 1; i < target->bus_count; i++)
        if (target->bus[i].kind != target->bus[0].kind)
            return false;
    return true;
}

unsigned fault_struck_any(const struct fault_kind *kind, const struct target *target,
                          char (*name)[NAME_MAX_LENGTH], unsigned most)
{
    struct names names = {.name = name, .most = most};
    switch (kind->struck) {
    case STRUCK_PROCESS:
        for (unsigned i = 0; i < target->process_count; i++)
            if (strikes_process(kind, target, &target->process[i]))
                add(&names, target->process[i].name);
        break;
    case STRUCK_BUS:
        for (unsigned i = 0; i < target->bus_count && buses_are_alike(target); i++)
            add(&names, target->bus[i].name);
        break;
    case STRUCK_NETWORK:
        for (unsigned i = 0; i < target->network_count; i++)
            add(&names, target->network[i].name);
        break;
    case STRUCK_CHANNEL:
        for (unsigned i = 0; i < target->channel_count; i++)
            if (strikes_channel(target, &target->channel[i]))
                add(&names, target->channel[i].name);
        break;
    case STRUCK_MACHINE:
        add(&names, MACHINE_NAME);
        break;
    }
    return names.count;
}
