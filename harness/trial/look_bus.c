// Looks into the bus's own table of disturbances, which its owner obeys and counts.
#include "can/disturbance.h"
#include "harness/cell/cell.h"
#include "harness/trial/look.h"

static const char *doubt_count(const struct can_disturbance_count *count, enum fault_action action)
{
    switch (action) {
    case FAULT_ACTION_APPLY:
        return count->active ? NULL : "but it is not in the bus's table";
    case FAULT_ACTION_EFFECT:
        return count->hit > 0 ? NULL : "but the bus counted nothing";
    case FAULT_ACTION_UNDO:
        return count->active ? "but it is still in the bus's table" : NULL;
    case FAULT_ACTION_SETTLED:
        return count->active || count->hit > count->hit_when_taken
                   ? "but the bus has counted more since"
                   : NULL;
    }
    return NULL;
}

static const char *doubt_bus(const struct look *look)
{
    struct can_page *page;
    if (!look->proof->proven)
        return NULL;
    if (can_meddle_open(CELL_FOLDER, look->call->request->component, &page) != STATUS_OK)
        return "but there is no such bus";
    const int slot = can_meddle_find(page, look->call->tag);
    const struct can_disturbance_count count = can_meddle_count(page, (unsigned)slot);
    can_meddle_close(page);
    return slot < 0 ? "but it was never in the bus's table"
                    : doubt_count(&count, look->call->action);
}

const struct looker look_bus = {.doubt = doubt_bus};
