// Asks the bus itself, whatever its kind.
#include "harness/trial/wire/bus_kind.h"
#include "harness/trial/look/look.h"

const char *bus_disturbance_doubt(const struct bus_disturbance *seen, enum fault_action action)
{
    if (!seen->known)
        return "but it was never in the bus's table";
    switch (action) {
    case FAULT_ACTION_APPLY:
        return seen->active ? NULL : "but it is not in the bus's table";
    case FAULT_ACTION_EFFECT:
        return seen->hit > 0 ? NULL : "but the bus counted nothing";
    case FAULT_ACTION_UNDO:
        return seen->active ? "but it is still in the bus's table" : NULL;
    case FAULT_ACTION_SETTLED:
        return seen->active || seen->hit > seen->hit_when_taken
                   ? "but the bus has counted more since"
                   : NULL;
    }
    return NULL;
}

static const char *doubt_bus(const struct look *look)
{
    const char *doubt = NULL;
    if (!look->proof->proven)
        return NULL;
    for (unsigned kind = 0; kind < BUS_KIND_COUNT; kind++)
        if (bus_kinds[kind]->doubt(look->call, &doubt))
            return doubt;
    return "but there is no such bus";
}

const struct looker look_bus = {.doubt = doubt_bus};
