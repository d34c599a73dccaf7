#include "harness/files/target/target_network.h"

#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/target/target.h"

#define BITRATE_MIN_BIT_S 1e6
#define BITRATE_MAX_BIT_S 4e9
#define LATENCY_MAX_US 1e6
#define CYCLE_MIN_US 10
#define NS_PER_US 1e3
#define US_PER_S 1e6
#define EXCHANGE_MAX_B 1e6

static const char *const redundancy_words[] = {
    [ETH_NONE] = "none", [ETH_SWITCH] = "switch", [ETH_SEAMLESS] = "seamless", NULL};

static const struct file_row ring_rows[] = {
    {"name", VALUE_NAME, true, FIELD(struct network_ring_config, name), .unique = true,
     .help = "for people"},
    {"nodes", VALUE_TEXT, true, LIST(struct network_ring_config, node, node_count), .least = 2,
     .most = ETH_HOSTS_MAX, .unique = true,
     .help = "hosts with two ports, in order; the first and the last are on the hub"},
    {.key = NULL}};

const struct file_row network_rows[] = {
    {"name", VALUE_NAME, true, FIELD(struct network_config, name), .unique = true,
     .help = "what its hosts open, and what faults name"},
    {"bitrate_bit_s", VALUE_WHOLE, false, FIELD(struct network_config, bitrate_bit_s),
     .min = BITRATE_MIN_BIT_S, .max = BITRATE_MAX_BIT_S, .absent = "100000000",
     .help = "of every cable"},
    {"hub_latency_us", VALUE_NUMBER, false, FIELD(struct network_config, hub_latency_us),
     .max = LATENCY_MAX_US, .absent = "10",
     .help = "delay from a frame's last bit received to its first bit sent"},
    {"relay_latency_us", VALUE_NUMBER, false, FIELD(struct network_config, relay_latency_us),
     .max = LATENCY_MAX_US, .absent = "10", .help = "the same for a host in a ring"},
    {"relay_jitter_us", VALUE_NUMBER, false, FIELD(struct network_config, relay_jitter_us),
     .max = LATENCY_MAX_US,
     .help =
         "longest extra delay of a relay beyond its latency; drawn for each frame from the seed"},
    {"stamp_noise_us", VALUE_NUMBER, false, FIELD(struct network_config, stamp_noise_us),
     .max = LATENCY_MAX_US, .help = "standard deviation of the time stamps of hosts' interfaces"},
    {"cycle_us", VALUE_NUMBER, false, FIELD(struct network_config, cycle_us), .min = CYCLE_MIN_US,
     .max = LATENCY_MAX_US, .absent = "5000",
     .help = "cycle of the exchange. `switch`: a link that carried nothing for three quarters of "
             "it is probed; a link that brought nothing for one and a half is treated as broken"},
    {"exchange_B", VALUE_WHOLE, false, FIELD(struct network_config, exchange_B),
     .max = EXCHANGE_MAX_B,
     .help = "the most that each host of a ring sends in a cycle: frames with preamble and gap, "
             "all of which pass the cable of one host on the hub. 0: not declared"},
    {"redundancy", VALUE_WORD, false, FIELD(struct network_config, redundancy),
     .words = redundancy_words, .absent = "none",
     .help = "of rings. `switch`: at a break the neighbours turn frames round, and the spare cable "
             "is used. `seamless`: frames go both ways, second copies are discarded"},
    {"hosts", VALUE_TEXT, false, LIST(struct network_config, host, host_count), .least = 1,
     .most = ETH_HOSTS_MAX, .unique = true,
     .help = "on the hub; named as their processes; a network of rings alone leaves it out"},
    {"rings", VALUE_MAP, false, LIST(struct network_config, ring, ring_count), .least = 1,
     .most = ETH_RINGS_MAX, .rows = ring_rows, .help = "of hosts with two ports"},
    {.key = NULL}};

const struct file_row cable_rows[] = {
    {"ends", VALUE_NAME, true, LIST(struct cable_config, end, end_count), .least = 2, .most = 2,
     .unique = true, .help = "names of the two interfaces; at most 15 characters"},
    {.key = NULL}};

enum status network_plan(const struct network_config *network, struct eth_plan *plan,
                         const char **culprit)
{
    *plan = (struct eth_plan){.bitrate_bit_s = network->bitrate_bit_s,
                              .hub_ns = (int64_t)(network->hub_latency_us * NS_PER_US + 0.5),
                              .relay_ns = (int64_t)(network->relay_latency_us * NS_PER_US + 0.5),
                              .jitter_ns = (int64_t)(network->relay_jitter_us * NS_PER_US + 0.5),
                              .noise_ns = (int64_t)(network->stamp_noise_us * NS_PER_US + 0.5),
                              .cycle_ns = (int64_t)(network->cycle_us * NS_PER_US + 0.5),
                              .redundancy = network->redundancy};
    snprintf(plan->name, sizeof plan->name, "%s", network->name);
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < network->host_count && status == STATUS_OK; i++) {
        *culprit = network->host[i];
        status = eth_plan_host(plan, network->host[i]);
    }
    for (unsigned i = 0; i < network->ring_count && status == STATUS_OK; i++) {
        *culprit = network->ring[i].name;
        status = eth_plan_ring(plan, network->ring[i].node, network->ring[i].node_count);
    }
    return status;
}

// Those of all rings meet on the cable of who asks them; of two copies both do.
static void check_bitrate(struct yaml_source *source, const char *key,
                          const struct network_config *network)
{
    unsigned nodes = 0;
    for (unsigned i = 0; i < network->ring_count; i++)
        nodes += network->ring[i].node_count;
    const unsigned copies = network->redundancy == ETH_SEAMLESS ? 2 : 1;
    const double bit_s =
        8.0 * network->exchange_B * nodes * copies / (network->cycle_us / US_PER_S);
    if (bit_s > network->bitrate_bit_s)
        yaml_complain(
            source, yaml_key("%s.exchange_B", key).text,
            "%u: of %u nodes%s each %g us, these are %.3g bit/s, more than bitrate_bit_s: "
            "%u; send less, or less often",
            network->exchange_B, nodes, copies == 2 ? " twice" : "", network->cycle_us, bit_s,
            network->bitrate_bit_s);
}

static void check_process(struct yaml_source *source, const char *key, const struct target *target,
                          const char *host)
{
    for (unsigned i = 0; i < target->process_count; i++)
        if (strcmp(target->process[i].name, host) == 0)
            return;
    yaml_complain(source, key, "%s: no process of the target; name one, or add it to `processes`",
                  host);
}

static void check_hosts(struct yaml_source *source, const char *key, const struct target *target,
                        const struct network_config *network)
{
    for (unsigned h = 0; h < network->host_count; h++)
        check_process(source, yaml_key("%s.hosts[%u]", key, h).text, target, network->host[h]);
    for (unsigned r = 0; r < network->ring_count; r++)
        for (unsigned n = 0; n < network->ring[r].node_count; n++)
            check_process(source, yaml_key("%s.rings[%u].nodes[%u]", key, r, n).text, target,
                          network->ring[r].node[n]);
}

void network_check(struct yaml_source *source, const struct target *target)
{
    struct eth_plan *plan = calloc(1, sizeof *plan);
    for (unsigned i = 0; plan != NULL && i < target->network_count; i++) {
        const char *culprit = "";
        const struct yaml_key key = yaml_key("networks[%u]", i);
        const enum status status = network_plan(&target->network[i], plan, &culprit);
        if (status == STATUS_INVALID)
            yaml_complain(source, key.text,
                          "%s: a host is called hub, or twice the same; give each its own name",
                          culprit);
        else if (status != STATUS_OK)
            yaml_complain(source, key.text,
                          "%s: more than %d hosts, or ports of the hub; use fewer", culprit,
                          ETH_HOSTS_MAX);
        else if (plan->host_count == 0)
            yaml_complain(source, key.text, "no hosts; give it `hosts` or `rings`");
        check_bitrate(source, key.text, &target->network[i]);
        check_hosts(source, key.text, target, &target->network[i]);
        for (unsigned b = 0; b < target->bus_count; b++)
            if (strcmp(target->bus[b].name, target->network[i].name) == 0)
                yaml_complain(source, key.text, "%s: a bus is called so; rename one",
                              target->network[i].name);
    }
    free(plan);
}

static bool is_taken(const struct target *target, const char *name)
{
    unsigned times = strcmp(name, "lo") == 0 ? 2 : 0;
    for (unsigned c = 0; c < target->cable_count; c++)
        for (unsigned e = 0; e < target->cable[c].end_count; e++)
            times += strcmp(name, target->cable[c].end[e]) == 0;
    return times > 1;
}

void cables_check(struct yaml_source *source, const struct target *target)
{
    for (unsigned c = 0; c < target->cable_count; c++)
        for (unsigned e = 0; e < target->cable[c].end_count; e++) {
            const char *name = target->cable[c].end[e];
            const struct yaml_key key = yaml_key("cables[%u].ends[%u]", c, e);
            if (strlen(name) >= IFNAMSIZ)
                yaml_complain(source, key.text, "%s: longer than %d characters; shorten it", name,
                              IFNAMSIZ - 1);
            else if (is_taken(target, name))
                yaml_complain(source, key.text, "%s: another interface is called so; rename one",
                              name);
        }
}
