// Asks the bus itself, whatever its kind.
#include "harness/trial/look/look.h"
#include "harness/trial/wire/bus_kind.h"

// What speaks against a program's claim, by what the bus's owner says.
struct words {
    const char *never, *missing, *idle, *left, *more;
};

#define WORDS(bus)                                                                                 \
    {                                                                                              \
        .never = "but it was never in the " bus "'s table",                                        \
        .missing = "but it is not in the " bus "'s table",                                         \
        .idle = "but the " bus " counted nothing",                                                 \
        .left = "but it is still in the " bus "'s table",                                          \
        .more = "but the " bus " has counted more since"                                           \
    }

static const struct words of_bus = WORDS("bus"), of_network = WORDS("network");

static const char *doubt_claim(const struct bus_disturbance *seen, enum fault_action action,
                               const struct words *words)
{
    if (!seen->known)
        return words->never;
    switch (action) {
    case FAULT_ACTION_APPLY:
        return seen->active ? NULL : words->missing;
    case FAULT_ACTION_EFFECT:
        return seen->hit > 0 ? NULL : words->idle;
    case FAULT_ACTION_UNDO:
        return seen->active ? words->left : NULL;
    case FAULT_ACTION_SETTLED:
        return seen->active || seen->hit > seen->hit_when_taken ? words->more : NULL;
    }
    return NULL;
}

static const char *doubt_bus(const struct look *look)
{
    struct bus_disturbance seen;
    const struct fault_call *call = look->call;
    if (!look->proof->proven)
        return NULL;
    for (unsigned kind = 0; kind < BUS_KIND_COUNT; kind++)
        if (bus_kinds[kind]->disturbed(call->request->component, call->tag, &seen))
            return doubt_claim(&seen, call->action,
                               bus_kinds[kind]->network ? &of_network : &of_bus);
    return "but there is no such bus";
}

const struct looker look_bus = {.doubt = doubt_bus};
