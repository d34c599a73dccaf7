#include "ethernet/veth.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/sockios.h>
#include <linux/tc_act/tc_mirred.h>
#include <linux/veth.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/netlink.h"

#define MTU_B (ETH_ROOM_B - ETH_HEADER_B) // a tag, and oversize frames of faults
#define DESTINATION_AT (-14)              // before what the filter counts from; each frame has it
#define SOURCE_AT (-8)
#define PREFIX 0x02554B00u // of all addresses of a network (frame.c)
#define KEYS_MAX 2
#define TARGETS_MAX 2

// In this order filters are tried.
enum order { BY_HAND = 1, OWN_SOURCE, OWN_ADDRESS, KNOWN, OTHERS };

// ---- interfaces ---------------------------------------------------------------------------------

static bool name_of(const char *network, unsigned port, enum eth_end end, char name[IFNAMSIZ])
{
    static const char *const endings[] = {
        [ETH_END_CABLE] = "", [ETH_END_HOST] = "h", [ETH_END_OWNER] = "w"};
    const int length = snprintf(name, IFNAMSIZ, "%s.%u%s", network, port, endings[end]);
    return length > 0 && length < IFNAMSIZ;
}

unsigned eth_veth_index(const char *network, unsigned port, enum eth_end end)
{
    char name[IFNAMSIZ];
    return name_of(network, port, end, name) ? if_nametoindex(name) : 0;
}

static void describe_end(struct netlink_request *request, const char *name, const uint8_t *address)
{
    const uint32_t mtu_B = MTU_B;
    netlink_add(request, IFLA_IFNAME, name, strlen(name) + 1);
    netlink_add(request, IFLA_MTU, &mtu_B, sizeof mtu_B);
    if (address != NULL)
        netlink_add(request, IFLA_ADDRESS, address, 6);
}

// A port of a host has that host's address; NULL: the kernel gives one.
static const uint8_t *address_of(unsigned port, uint8_t address[6])
{
    if (port >= ETH_HUB_PORT)
        return NULL;
    eth_address(port / 2, port % 2, address);
    return address;
}

static int make_pair(int kernel, const char name[2][IFNAMSIZ], const unsigned port[2])
{
    struct netlink_request request;
    uint8_t address[6];
    const struct ifinfomsg info = {
        .ifi_family = AF_UNSPEC, .ifi_flags = IFF_NOARP, .ifi_change = IFF_NOARP};
    netlink_begin(&request, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, &info, sizeof info);
    describe_end(&request, name[0], address_of(port[0], address));
    const size_t link = netlink_add(&request, IFLA_LINKINFO, NULL, 0);
    netlink_add(&request, IFLA_INFO_KIND, "veth", 4);
    const size_t data = netlink_add(&request, IFLA_INFO_DATA, NULL, 0);
    const size_t peer = netlink_add(&request, VETH_INFO_PEER, NULL, 0);
    netlink_add_bare(&request, &info, sizeof info);
    describe_end(&request, name[1], address_of(port[1], address));
    netlink_end(&request, peer);
    netlink_end(&request, data);
    netlink_end(&request, link);
    int error = netlink_ask(kernel, &request);
    for (unsigned e = 0; e < 2 && error == 0; e++) // not before there are both
        error = eth_veth_plug(kernel, if_nametoindex(name[e]), true);
    return error;
}

static int lay_cable(int kernel, const char *network, const struct eth_cable *cable)
{
    char name[2][IFNAMSIZ];
    for (unsigned e = 0; e < 2; e++)
        if (!name_of(network, cable->end[e], ETH_END_CABLE, name[e]))
            return ENAMETOOLONG;
    int error = make_pair(kernel, name, cable->end);
    for (unsigned e = 0; e < 2 && error == 0; e++) {
        if (!name_of(network, cable->end[e], ETH_END_HOST, name[0]) ||
            !name_of(network, cable->end[e], ETH_END_OWNER, name[1]))
            return ENAMETOOLONG;
        error = make_pair(kernel, name, (const unsigned[]){cable->end[e], ETH_HUB_PORT});
    }
    return error;
}

// ---- filters ------------------------------------------------------------------------------------

struct filter {
    enum order order;
    unsigned key_count;
    struct tc_u32_key key[KEYS_MAX];
    unsigned to_count; // 0: what matches is for those who listen at the interface
    unsigned to[TARGETS_MAX];
};

static struct tc_u32_key key(int at, uint32_t value, uint32_t mask)
{
    return (struct tc_u32_key){.off = at, .val = htonl(value), .mask = htonl(mask)};
}

static void match_host(struct filter *filter, int at, unsigned host)
{
    filter->key[filter->key_count++] = key(at, PREFIX, UINT32_MAX);
    filter->key[filter->key_count++] = key(at + 4, host << 24, UINT32_C(0xFF000000));
}

static void add_action(struct netlink_request *request, unsigned number, unsigned to, bool last)
{
    const struct tc_mirred mirred = {.action = last ? TC_ACT_STOLEN : TC_ACT_PIPE,
                                     .eaction = last ? TCA_EGRESS_REDIR : TCA_EGRESS_MIRROR,
                                     .ifindex = to};
    const size_t action = netlink_add(request, (unsigned short)number, NULL, 0);
    netlink_add(request, TCA_ACT_KIND, "mirred", sizeof "mirred");
    const size_t options = netlink_add(request, TCA_ACT_OPTIONS, NULL, 0);
    netlink_add(request, TCA_MIRRED_PARMS, &mirred, sizeof mirred);
    netlink_end(request, options);
    netlink_end(request, action);
}

static struct tcmsg place_of(unsigned index, enum order order)
{
    return (struct tcmsg){.tcm_family = AF_UNSPEC,
                          .tcm_ifindex = (int)index,
                          .tcm_parent = TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS),
                          .tcm_info = TC_H_MAKE((uint32_t)order << 16, htons(ETH_P_ALL))};
}

static int add_filter(int kernel, unsigned index, const struct filter *filter)
{
    struct netlink_request request;
    const struct tcmsg place = place_of(index, filter->order);
    struct {
        struct tc_u32_sel head;
        struct tc_u32_key key[KEYS_MAX];
    } choice = {.head = {.flags = TC_U32_TERMINAL, .nkeys = (unsigned char)filter->key_count}};
    memcpy(choice.key, filter->key, sizeof choice.key);
    netlink_begin(&request, RTM_NEWTFILTER, NLM_F_CREATE | NLM_F_EXCL, &place, sizeof place);
    netlink_add(&request, TCA_KIND, "u32", sizeof "u32");
    const size_t options = netlink_add(&request, TCA_OPTIONS, NULL, 0);
    if (filter->to_count == 0)
        netlink_add(&request, TCA_U32_CLASSID, &(const uint32_t){1}, sizeof(uint32_t));
    const size_t actions = filter->to_count > 0 ? netlink_add(&request, TCA_U32_ACT, NULL, 0) : 0;
    for (unsigned i = 0; i < filter->to_count; i++)
        add_action(&request, i + 1, filter->to[i], i + 1 == filter->to_count);
    if (filter->to_count > 0)
        netlink_end(&request, actions);
    netlink_add(&request, TCA_U32_SEL, &choice,
                sizeof choice.head + filter->key_count * sizeof choice.key[0]);
    netlink_end(&request, options);
    return netlink_ask(kernel, &request);
}

static int allow_filters(int kernel, unsigned index)
{
    struct netlink_request request;
    const struct tcmsg place = {.tcm_family = AF_UNSPEC,
                                .tcm_ifindex = (int)index,
                                .tcm_handle = TC_H_MAKE(TC_H_CLSACT, 0),
                                .tcm_parent = TC_H_CLSACT};
    netlink_begin(&request, RTM_NEWQDISC, NLM_F_CREATE | NLM_F_EXCL, &place, sizeof place);
    netlink_add(&request, TCA_KIND, "clsact", sizeof "clsact");
    return netlink_ask(kernel, &request);
}

int eth_veth_by_hand(int kernel, unsigned index, unsigned host_index, bool by_hand)
{
    const struct filter all = {.order = BY_HAND,
                               .key_count = 1,
                               .key = {key(DESTINATION_AT, 0, 0)},
                               .to_count = 1,
                               .to = {host_index}};
    if (by_hand)
        return add_filter(kernel, index, &all);
    struct netlink_request request;
    const struct tcmsg place = place_of(index, BY_HAND);
    netlink_begin(&request, RTM_DELTFILTER, 0, &place, sizeof place);
    return netlink_ask(kernel, &request);
}

// ---- who relays what ----------------------------------------------------------------------------

static unsigned cable_end(const struct eth_plan *plan, unsigned port)
{
    return eth_veth_index(plan->name, port, ETH_END_CABLE);
}

// A relay with both links: its own frames that come home are looked at by hand; others' go on.
static int let_relay(int kernel, const struct eth_plan *plan, unsigned port)
{
    struct filter home = {
        .order = OWN_SOURCE, .to_count = 1, .to = {eth_veth_index(plan->name, port, ETH_END_HOST)}};
    struct filter own = {.order = OWN_ADDRESS};
    const struct filter on = {.order = KNOWN,
                              .key_count = 1,
                              .key = {key(DESTINATION_AT, PREFIX, UINT32_MAX)},
                              .to_count = 1,
                              .to = {cable_end(plan, port ^ 1)}};
    const unsigned index = cable_end(plan, port);
    match_host(&home, SOURCE_AT, port / 2);
    match_host(&own, DESTINATION_AT, port / 2);
    int error = add_filter(kernel, index, &home);
    if (error == 0)
        error = add_filter(kernel, index, &own);
    return error != 0 ? error : add_filter(kernel, index, &on);
}

static bool is_end_of(const struct eth_host_plan *host, unsigned port)
{
    return host->hub_port[0] == port || host->hub_port[1] == port;
}

// By which ports the hub sends frames on that came by `in`, while all is well; none: by hand.
static unsigned hub_ways(const struct eth_plan *plan, const struct eth_host_plan *to, unsigned in,
                         unsigned way[TARGETS_MAX])
{
    way[0] = to->hub_port[0];
    way[1] = to->hub_port[1];
    if (to->ring < 0 || plan->redundancy == ETH_NONE)
        return !is_end_of(to, in);
    if (is_end_of(to, in)) {
        way[0] = to->hub_port[to->hub_port[0] == in];
        return plan->redundancy == ETH_SWITCH;
    }
    return plan->redundancy == ETH_SEAMLESS ? 2 : 1;
}

static int let_hub(int kernel, const struct eth_plan *plan, unsigned in)
{
    int error = 0;
    for (unsigned h = 0; h < plan->host_count && error == 0; h++) {
        struct filter known = {.order = KNOWN};
        unsigned way[TARGETS_MAX];
        known.to_count = hub_ways(plan, &plan->host[h], in, way);
        if (known.to_count == 0)
            continue;
        for (unsigned i = 0; i < known.to_count; i++)
            known.to[i] = cable_end(plan, way[i]);
        match_host(&known, DESTINATION_AT, h);
        error = add_filter(kernel, cable_end(plan, in), &known);
    }
    const struct filter others = {.order = OTHERS,
                                  .key_count = 1,
                                  .key = {key(DESTINATION_AT, 0, 0)},
                                  .to_count = 1,
                                  .to = {eth_veth_index(plan->name, in, ETH_END_HOST)}};
    return error != 0 ? error : add_filter(kernel, cable_end(plan, in), &others);
}

static int let_port(int kernel, const struct eth_plan *plan, unsigned port)
{
    const int error = allow_filters(kernel, cable_end(plan, port));
    if (error != 0)
        return error;
    if (port >= ETH_HUB_PORT)
        return let_hub(kernel, plan, port);
    return plan->host[port / 2].ring < 0 ? 0 : let_relay(kernel, plan, port);
}

// Interfaces are to carry the network's frames, and no others.
static void silence_ip(void)
{
    const int file = open("/proc/sys/net/ipv6/conf/default/disable_ipv6", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return; // there is no such protocol, or it may speak: the owner passes over it
    if (write(file, "1", 1) != 1)
        errno = 0;
    close(file);
}

int eth_veth_create(const struct eth_plan *plan)
{
    const int kernel = netlink_open();
    int error = kernel < 0 ? errno : 0;
    silence_ip();
    for (unsigned c = 0; c < plan->cable_count && error == 0; c++)
        error = lay_cable(kernel, plan->name, &plan->cable[c]);
    for (unsigned c = 0; c < plan->cable_count && error == 0; c++)
        for (unsigned e = 0; e < 2 && error == 0; e++)
            error = let_port(kernel, plan, plan->cable[c].end[e]);
    if (kernel >= 0)
        close(kernel);
    return error;
}

int eth_veth_cable(unsigned number, const char *one, const char *other)
{
    char name[2][IFNAMSIZ];
    if (snprintf(name[0], IFNAMSIZ, "%s", one) >= IFNAMSIZ ||
        snprintf(name[1], IFNAMSIZ, "%s", other) >= IFNAMSIZ)
        return ENAMETOOLONG;
    const int kernel = netlink_open();
    if (kernel < 0)
        return errno;
    silence_ip();
    const int error = make_pair(kernel, name, (const unsigned[]){4 * number, 4 * number + 2});
    close(kernel);
    return error;
}

// ---- links --------------------------------------------------------------------------------------

int eth_veth_plug(int kernel, unsigned index, bool plugged)
{
    struct netlink_request request;
    const struct ifinfomsg info = {.ifi_family = AF_UNSPEC,
                                   .ifi_index = (int)index,
                                   .ifi_flags = plugged ? IFF_UP : 0,
                                   .ifi_change = IFF_UP};
    netlink_begin(&request, RTM_NEWLINK, 0, &info, sizeof info);
    return netlink_ask(kernel, &request);
}

bool eth_veth_has_carrier(int any_socket, unsigned index)
{
    struct ethtool_value link = {.cmd = ETHTOOL_GLINK};
    struct ifreq request = {.ifr_data = (void *)&link};
    return if_indextoname(index, request.ifr_name) != NULL &&
           ioctl(any_socket, SIOCETHTOOL, &request) == 0 && link.data != 0;
}
