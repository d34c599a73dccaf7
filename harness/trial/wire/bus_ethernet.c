// Networks of real-time Ethernet.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ethernet/disturbance.h"
#include "harness/cell/cell_inside.h"
#include "harness/files/target/target_network.h"
#include "harness/files/target/wire_config.h"
#include "harness/trial/wire/bus_kind.h"
#include "harness/trial/wire/network.h"

static enum status make_interfaces(const struct eth_plan *plan, char *why, size_t size)
{
    const int error = eth_veth_create(plan);
    if (error == 0)
        return STATUS_OK;
    if (error == ENAMETOOLONG)
        snprintf(why, size, "%s: too long for an interface", plan->name);
    else
        snprintf(why, size, "the kernel makes no veth cables, or relays nothing: %s",
                 strerror(error));
    return error == EOPNOTSUPP || error == ENOENT || error == EPERM ? STATUS_UNSUPPORTED
                                                                    : STATUS_SYSTEM;
}

enum status network_create(const struct network_config *config, const struct network_making *making,
                           char *why, size_t size)
{
    static struct eth_plan plan; // large: the cell's init is one thread
    const char *culprit;
    enum status status = network_plan(config, &plan, &culprit);
    plan.medium = making->through_kernel ? ETH_VETH : ETH_EMBEDDED;
    if (status == STATUS_OK && making->through_kernel) {
        status = make_interfaces(&plan, why, size);
        if (status != STATUS_OK)
            return status;
    }
    if (status == STATUS_OK)
        status = eth_network_create(cell_folder(), &plan, making->wakes);
    if (status == STATUS_OK)
        status = eth_network_register(cell_folder(), config->name, making->coordinator);
    if (status != STATUS_OK)
        snprintf(why, size, "%s", status_text(status));
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
    if (eth_meddle_open(cell_folder(), call->request->component, &page) != STATUS_OK)
        return false;
    const bool found = eth_meddle_count(page, call->tag, &count);
    eth_meddle_close(page);
    *doubt = found ? doubt_count(&count, call->action) : "but it was never in the network's table";
    return true;
}

// No bus of this kind stands under `buses`: network_create makes it.
const struct bus_kind bus_ethernet = {.strangers_dropped = strangers_dropped, .doubt = doubt};
