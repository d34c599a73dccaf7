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

static bool find_disturbance(const char *name, unsigned tag, struct bus_disturbance *seen)
{
    struct eth_page *page;
    struct eth_disturbance_count count = {0};
    if (eth_meddle_open(cell_folder(), name, &page) != STATUS_OK)
        return false;
    const bool found = eth_meddle_count(page, tag, &count);
    eth_meddle_close(page);
    *seen = (struct bus_disturbance){.known = found,
                                     .active = count.active,
                                     .hit = count.hit,
                                     .hit_when_taken = count.hit_when_taken};
    return true;
}

// No bus of this kind stands under `buses`: network_create makes it.
const struct bus_kind bus_ethernet = {
    .strangers_dropped = strangers_dropped, .disturbed = find_disturbance, .network = true};
