// Asks the bus itself, whatever its kind.
#include "harness/trial/bus_kind.h"
#include "harness/trial/look.h"

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
