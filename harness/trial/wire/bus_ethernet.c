// Networks of real-time Ethernet.
#include <stdio.h>

#include "ethernet/disturbance.h"
#include "harness/cell/cell.h"
#include "harness/files/target/target_network.h"
#include "harness/trial/wire/bus_kind.h"
#include "harness/trial/wire/network.h"

enum status network_create(const struct network_config *config, struct clk_coordinator *coordinator,
                           bool wakes)
{
    static struct eth_plan plan; // large: the cell's init is one thread
    const char *culprit;
    enum status status = network_plan(config, &plan, &culprit);
    if (status == STATUS_OK)
        status = eth_network_create(CELL_FOLDER, &plan, wakes);
    if (status == STATUS_OK)
        status = eth_network_register(CELL_FOLDER, config->name, coordinator);
    return status;
}

static uint64_t strangers_dropped(const char *name)
{
    (void)name; // a switched network has room for everybody's frames, or counts them at a port
    return 0;
}

static const char *doubt_count(const struct eth_disturbance_count *count, enum fault_action action)
{
    switch (action) {
    case FAULT_ACTION_APPLY:
        return count->active ? NULL : "but it is not in the network's table";
    case FAULT_ACTION_EFFECT:
        return count->hit > 0 ? NULL : "but the network counted nothing";
    case FAULT_ACTION_UNDO:
        return count->active ? "but it is still in the network's table" : NULL;
    case FAULT_ACTION_SETTLED:
        return count->active || count->hit > count->hit_when_taken
                   ? "but the network has counted more since"
                   : NULL;
    }
    return NULL;
}

static bool doubt(const struct fault_call *call, const char **doubt)
{
    struct eth_page *page;
    struct eth_disturbance_count count;
    if (eth_meddle_open(CELL_FOLDER, call->request->component, &page) != STATUS_OK)
        return false;
    const bool found = eth_meddle_count(page, call->tag, &count);
    eth_meddle_close(page);
    *doubt = found ? doubt_count(&count, call->action) : "but it was never in the network's table";
    return true;
}

// No bus of this kind stands under `buses`: network_create makes it.
const struct bus_kind bus_ethernet = {.strangers_dropped = strangers_dropped, .doubt = doubt};
