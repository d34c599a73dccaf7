#include "ethernet/tell.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/log.h"

#define COUNTS_NS 500000000
#define NAME_MAX_B (ETH_NAME_MAX + 8)

// "n7 a", "n7 b"; of the hub "hub 0".
static const char *name_of(const struct eth_plan *plan, unsigned port, char name[NAME_MAX_B])
{
    if (port >= ETH_HUB_PORT)
        snprintf(name, NAME_MAX_B, "hub %u", port - ETH_HUB_PORT);
    else
        snprintf(name, NAME_MAX_B, "%s %c", plan->host[port / 2].name, 'a' + (int)(port % 2));
    return name;
}

static void tell_link(const struct eth_network *network, struct eth_told *told,
                      const struct eth_cable *cable)
{
    bool silent[2], changed = false;
    char name[NAME_MAX_B];
    for (unsigned e = 0; e < 2; e++) {
        struct eth_told_port *port = &told->port[cable->end[e]];
        silent[e] = eth_network_counts(network, cable->end[e])->works == 0;
        changed |= silent[e] != port->silent;
        port->silent = silent[e];
    }
    if (!changed)
        return;
    const unsigned end = cable->end[silent[0] ? 0 : 1];
    if (silent[0] && silent[1])
        log_info("cable %s: nothing comes through", cable->name);
    else if (silent[0] || silent[1])
        log_info("cable %s: nothing comes to %s", cable->name,
                 name_of(eth_network_plan(network), end, name));
    else
        log_info("cable %s: whole again", cable->name);
}

static void tell_plug(const struct eth_network *network, struct eth_told *told,
                      const struct eth_cable *cable, unsigned end)
{
    const struct eth_plan *plan = eth_network_plan(network);
    const unsigned belongs = cable->end[1 - end];
    struct eth_told_port *port = &told->port[cable->end[end]];
    const uint32_t found = eth_network_counts(network, cable->end[end])->neighbour;
    char name[3][NAME_MAX_B];
    if (found == port->neighbour || found == 0)
        return;
    if (found - 1 != belongs)
        log_info("opposite %s: %s is where %s belongs", name_of(plan, cable->end[end], name[0]),
                 name_of(plan, found - 1, name[1]), name_of(plan, belongs, name[2]));
    else if (port->neighbour != 0)
        log_info("opposite %s: %s is back", name_of(plan, cable->end[end], name[0]),
                 name_of(plan, belongs, name[2]));
    port->neighbour = found;
}

static void tell_counts(const struct eth_network *network, struct eth_told *told,
                        const struct eth_cable *cable, unsigned end)
{
    const struct eth_port_counts *of = eth_network_counts(network, cable->end[end]);
    const struct {
        const char *words;
        uint64_t count;
    } all[] = {{"CRC errors", of->crc_errors}, {"malformed", of->malformed},
               {"queue full", of->full},       {"lost in a cut", of->cut},
               {"for nobody", of->unknown},    {"came home", of->home},
               {"lost links", of->lost_links}, {"sequence holes", of->holes},
               {"twice", of->twice},           {"second copies", of->copies}};
    const unsigned kinds = sizeof all / sizeof all[0], errors_of = kinds - 1; // copies are none
    struct eth_told_port *port = &told->port[cable->end[end]];
    char name[NAME_MAX_B], line[256] = "";
    uint64_t errors = 0;
    size_t used = 0;
    for (unsigned i = 0; i < kinds; i++) {
        errors += i < errors_of ? all[i].count : 0;
        if (all[i].count > 0 && used < sizeof line)
            used += (size_t)snprintf(line + used, sizeof line - used, ", %s %" PRIu64, all[i].words,
                                     all[i].count);
    }
    if (errors == port->errors)
        return;
    port->errors = errors;
    log_info("%s, cable %s: frames %" PRIu64 "%s",
             name_of(eth_network_plan(network), cable->end[end], name), cable->name, of->received,
             line);
}

void eth_network_tell(const struct eth_network *network, struct eth_told *told, instant now)
{
    const struct eth_plan *plan = eth_network_plan(network);
    const bool counts = now.ns - told->counts_ns >= COUNTS_NS;
    for (unsigned c = 0; c < plan->cable_count; c++) {
        tell_link(network, told, &plan->cable[c]);
        for (unsigned e = 0; e < 2; e++) {
            tell_plug(network, told, &plan->cable[c], e);
            if (counts)
                tell_counts(network, told, &plan->cable[c], e);
        }
    }
    if (counts)
        told->counts_ns = now.ns;
}
