// How a network is built: numbers of ports and cables.
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "ethernet/network.h"

static bool is_good_name(const struct eth_plan *plan, const char *name)
{
    if (name[0] == '\0' || strlen(name) >= ETH_NAME_MAX || strcmp(name, "hub") == 0)
        return false;
    for (unsigned i = 0; i < plan->host_count; i++)
        if (strcmp(plan->host[i].name, name) == 0)
            return false;
    return true;
}

static void lay_cable(struct eth_plan *plan, const char *from, uint32_t a, const char *to,
                      uint32_t b)
{
    expects(plan->cable_count < ETH_CABLES_MAX);
    struct eth_cable *cable = &plan->cable[plan->cable_count++];
    snprintf(cable->name, sizeof cable->name, "%s-%s", from, to);
    cable->end[0] = a;
    cable->end[1] = b;
}

static uint32_t hub_port(struct eth_plan *plan)
{
    expects(plan->hub_count < ETH_HUB_PORTS_MAX);
    return ETH_HUB_PORT + plan->hub_count++;
}

static struct eth_host_plan *add_host(struct eth_plan *plan, const char *name, int ring)
{
    expects(plan->host_count < ETH_HOSTS_MAX);
    struct eth_host_plan *host = &plan->host[plan->host_count++];
    *host = (struct eth_host_plan){.ring = ring};
    snprintf(host->name, sizeof host->name, "%s", name);
    return host;
}

enum status eth_plan_host(struct eth_plan *plan, const char *name)
{
    if (!is_good_name(plan, name))
        return STATUS_INVALID;
    if (plan->host_count == ETH_HOSTS_MAX || plan->hub_count + 1 > ETH_HUB_PORTS_MAX)
        return STATUS_FULL;
    const uint32_t own = 2 * plan->host_count, port = hub_port(plan);
    struct eth_host_plan *host = add_host(plan, name, -1);
    host->hub_port[0] = host->hub_port[1] = port;
    lay_cable(plan, name, own, "hub", port);
    return STATUS_OK;
}

enum status eth_plan_ring(struct eth_plan *plan, const char (*name)[ETH_NAME_MAX], unsigned count)
{
    expects(count > 0);
    if (plan->ring_count == ETH_RINGS_MAX || plan->host_count + count > ETH_HOSTS_MAX ||
        plan->hub_count + 2 > ETH_HUB_PORTS_MAX)
        return STATUS_FULL;
    const uint32_t first = hub_port(plan), last = hub_port(plan);
    for (unsigned i = 0; i < count; i++) {
        if (!is_good_name(plan, name[i]))
            return STATUS_INVALID;
        const uint32_t own = 2 * plan->host_count;
        lay_cable(plan, i == 0 ? "hub" : name[i - 1], i == 0 ? first : own - 1, name[i], own);
        struct eth_host_plan *host = add_host(plan, name[i], (int)plan->ring_count);
        host->hub_port[0] = first;
        host->hub_port[1] = last;
    }
    lay_cable(plan, name[count - 1], 2 * plan->host_count - 1, "hub", last);
    plan->ring_count++;
    return STATUS_OK;
}
